package client

import (
	"context"
	"errors"
	"fmt"

	"peernomic/engine/game"
	"peernomic/engine/ledger"
	"peernomic/engine/wire"
)

// Fork founds a game in a new room that goes on from an open one as it was after a seal, and returns its
// room. The people in it come back by their keys when they are invited.
// Without a relay it is for practice, as in [Founding].
func (h *Hub) Fork(ctx context.Context, s *Session, seal uint64, title, relay string) (wire.RoomID, error) {
	genesis, err := s.goingOn(ctx, seal)
	if err != nil {
		return wire.RoomID{}, fmt.Errorf("fork a game: %w", err)
	}
	var name string
	if err := s.do(ctx, func() { name = s.room.Record().Name }); err != nil {
		return wire.RoomID{}, err
	}
	if name == "" {
		name = "The founder" // of a fork by somebody who only reads
	}
	genesis.Title = title
	return h.found(ctx, genesis, name, relay)
}

// goingOn returns what a game begins with that goes on from this one after a seal. The game is carried out again up to
// there in turns, between which it goes on.
func (s *Session) goingOn(ctx context.Context, seal uint64) (genesis ledger.Genesis, err error) {
	past, err := s.past(ctx, func(g *game.Game) *game.Past { return g.PastSeal(seal) })
	if err != nil {
		return genesis, err
	}
	doErr := s.do(ctx, func() { genesis, err = past.Continue() }) // it reads the log, which is the owner's
	return genesis, errors.Join(doErr, err)
}
