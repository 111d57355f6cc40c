package client

import (
	"context"
	"fmt"

	"peernomic/engine/game"
	"peernomic/engine/ledger"
	"peernomic/engine/wire"
)

// Fork founds a game in a new room that goes on from an open one as it was after a seal, and returns
// its room. The people in it come back by their keys when they are invited.
// Without a relay it is for practice, as in [Founding].
func (h *Hub) Fork(ctx context.Context, s *Session, seal uint64, title, relay string) (wire.RoomID, error) {
	var fork ledger.Genesis
	var name string
	var err error
	doErr := s.Do(ctx, func(g *game.Game) {
		fork, err = g.Continue(seal)
		name = s.room.Record().Name
	})
	if doErr != nil {
		return wire.RoomID{}, doErr
	}
	if err != nil {
		return wire.RoomID{}, fmt.Errorf("fork a game: %w", err)
	}
	if name == "" {
		name = "The founder" // of a fork by somebody who only reads
	}
	return h.Found(ctx, Founding{Title: title, Name: name, Ruleset: fork.Ruleset, Continues: fork.Continues, Relay: relay})
}
