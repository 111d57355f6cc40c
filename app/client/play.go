package client

import (
	"context"
	"crypto/rand"

	"peernomic/engine/game"
	"peernomic/engine/ledger"
	"peernomic/engine/rules"
)

// Do calls f with the game as it stands now, everything that was done or received
// before included, on the goroutine that owns it. What f keeps must be its own: the game
// changes when f has returned.
func (s *Session) Do(ctx context.Context, f func(*game.Game)) error {
	return s.do(ctx, func() {
		if s.changed {
			s.settle()
		}
		s.game.Advance(s.clock()) // next to nothing if only time has passed
		f(s.game)
	})
}

// At returns the game's world as it was after its first n actions, see [game.Game.At]. They are carried out
// again in turns, between which the game goes on.
func (s *Session) At(ctx context.Context, n int) (*rules.World, error) {
	var of *game.Game
	var past *game.Past
	for over := false; !over; {
		err := s.Do(ctx, func(g *game.Game) {
			if of != g { // it may have been made anew meanwhile
				of, past = g, g.Past(n)
			}
			for start := s.config.steady(); !over && s.config.since(start) < turnTime; {
				over = past.Step(replayStep)
			}
		})
		switch {
		case err != nil:
			return nil, err
		case past == nil:
			return nil, ErrNotHere
		}
		s.config.rest(turnRest)
	}
	return past.World(), nil
}

// Act takes an action under the rules. When it returns without an error, the action is
// on the disk, and in the game as a tentative one: [Session.Do] shows what the rules
// make of it, a refusal included. It is sent from there, now or when that is possible.
// What the rules keep secret is sealed before; see [game.Game.Prepare].
func (s *Session) Act(ctx context.Context, name string, args map[string]any) (ledger.ActionID, error) {
	var failed error
	if err := s.Do(ctx, func(g *game.Game) { args, failed = s.Prepare(g, name, args) }); err != nil {
		return ledger.ActionID{}, err
	}
	if failed != nil {
		return ledger.ActionID{}, failed
	}
	body, err := game.EncodeAct(name, args)
	if err != nil {
		return ledger.ActionID{}, err
	}
	return s.write(ctx, ledger.KindAct, body)
}

// Prepare makes the arguments of an action ready, as [game.Game.Prepare] does, with this
// device's keys. It is called in [Session.Do].
func (s *Session) Prepare(g *game.Game, name string, args map[string]any) (map[string]any, error) {
	return g.Prepare(s.device, name, args, rand.Reader)
}

// Read returns what a sealed cell says if this device is one of its readers'. It is called
// in [Session.Do].
func (s *Session) Read(g *game.Game, cell any) (any, bool) { return g.Read(s.device, cell) }

// Me returns the id in the game of this device's person, or 0 if the game does not know
// them (yet).
func (s *Session) Me() int64 {
	s.statusMu.Lock()
	defer s.statusMu.Unlock()
	return s.me
}

// Clock returns the time by the relay's clock, as far as it is known: Unix ms.
func (s *Session) Clock() int64 {
	s.statusMu.Lock()
	defer s.statusMu.Unlock()
	return s.config.now().UnixMilli() + s.status.Offset
}
