package client

import (
	"context"
	"crypto/rand"
	"time"

	"peernomic/engine/game"
	"peernomic/engine/ledger"
	"peernomic/engine/rules"
)

const (
	// patience is how long an action waits for the first try to reach the relay: an action of this device that only the
	// relay knows must be known before the next.
	patience = 5 * time.Second
	// answerTime is how long a reader waits for the writer's answer.
	answerTime = 15 * time.Second
	// replayStep is how many actions are carried out before the clock is looked at.
	replayStep = 4
)

// Do calls f with the game as it stands now, everything that was done or received before included, on the goroutine
// that owns it. What f keeps must be its own: the game changes when f has returned.
func (s *Session) Do(ctx context.Context, f func(*game.Game)) error {
	return s.do(ctx, func() { f(s.game()) })
}

// game returns the game as it stands now, to the owner.
func (s *Session) game() *game.Game {
	if s.node().Pending() {
		s.room.Flush()
	}
	g := s.node().Game()
	g.Advance(s.node().Clock(s.config.time())) // next to nothing if only time has passed
	return g
}

// At returns the game's world as it was after its first n actions, see [game.Game.At]. They are carried out again in
// turns, between which the game goes on.
func (s *Session) At(ctx context.Context, n int) (*rules.World, error) {
	past, err := s.past(ctx, func(g *game.Game) *game.Past { return g.Past(n) })
	if err != nil {
		return nil, err
	}
	return past.World(), nil
}

// past carries a game out again, in turns.
func (s *Session) past(ctx context.Context, begin func(*game.Game) *game.Past) (past *game.Past, err error) {
	for over := false; !over; {
		err := s.Do(ctx, func(g *game.Game) {
			if past == nil {
				past = begin(g)
			}
			for start := s.config.steady(); !over && s.config.since(start) < turnTime; {
				over = past.Step(replayStep)
			}
		})
		if err != nil {
			return nil, err
		}
		s.config.rest(turnRest)
	}
	return past, nil
}

// Act takes an action under the rules. When it returns without an error, the action is on the disk, and in the game as
// a tentative one. It is sent from there, now or when that is possible. What the rules keep secret is sealed before;
// see [game.Game.Prepare].
func (s *Session) Act(ctx context.Context, name string, args map[string]any) (ledger.ActionID, error) {
	return s.ActIf(ctx, name, args, func(*game.Game, map[string]any) error { return nil })
}

// ActIf is [Session.Act] if allow, given the arguments made ready, returns no error; otherwise that error is its own.
func (s *Session) ActIf(ctx context.Context, name string, args map[string]any, allow func(*game.Game, map[string]any) error) (ledger.ActionID, error) {
	return s.write(ctx, ledger.KindAct, func(g *game.Game) ([]byte, error) {
		args, err := s.Prepare(g, name, args)
		if err == nil {
			err = allow(g, args)
		}
		if err != nil {
			return nil, err
		}
		return game.EncodeAct(name, args)
	})
}

// write signs an action whose body is made from the game as it stands.
func (s *Session) write(ctx context.Context, kind ledger.Kind, body func(*game.Game) ([]byte, error)) (ledger.ActionID, error) {
	if err := s.awaitRelay(ctx); err != nil {
		return ledger.ActionID{}, err
	}
	type answer struct {
		id  ledger.ActionID
		err error
	}
	answered := make(chan answer, 1)
	err := s.do(ctx, func() {
		b, err := body(s.game())
		if err != nil {
			answered <- answer{err: err}
			return
		}
		s.room.Sign(kind, b, func(id ledger.ActionID, err error) { answered <- answer{id, err} })
	})
	if err != nil {
		return ledger.ActionID{}, err
	}
	timer := time.NewTimer(answerTime)
	defer timer.Stop()
	select {
	case a := <-answered:
		return a.id, a.err
	case <-timer.C:
		return ledger.ActionID{}, ErrNoWriter
	case <-s.ctx.Done():
		return ledger.ActionID{}, s.over()
	case <-ctx.Done():
		return ledger.ActionID{}, ctx.Err()
	}
}

// writeBody signs an action with a body.
func (s *Session) writeBody(ctx context.Context, kind ledger.Kind, body []byte) (ledger.ActionID, error) {
	return s.write(ctx, kind, func(*game.Game) ([]byte, error) { return body, nil })
}

// awaitRelay waits for the first try to reach the relay.
func (s *Session) awaitRelay(ctx context.Context) error {
	timer := time.NewTimer(patience)
	defer timer.Stop()
	select {
	case <-s.ready:
	case <-timer.C:
	case <-ctx.Done():
		return ctx.Err()
	}
	return nil
}

// Settle waits until an own action has its place and was carried out there. It fails when the context ends.
func (s *Session) Settle(ctx context.Context, id ledger.ActionID) error {
	var waiting chan struct{}
	err := s.do(ctx, func() {
		if s.node().Settled(id) {
			return
		}
		if waiting = s.waiting[id]; waiting == nil {
			waiting = make(chan struct{})
			s.waiting[id] = waiting
		}
	})
	if err != nil || waiting == nil {
		return err
	}
	select {
	case <-waiting:
		return nil
	case <-s.ctx.Done():
		return s.over()
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Prepare makes the arguments of an action ready, as [game.Game.Prepare] does, with this device's keys. It is called in
// [Session.Do].
func (s *Session) Prepare(g *game.Game, name string, args map[string]any) (map[string]any, error) {
	return g.Prepare(s.device, name, args, rand.Reader)
}

// Read returns what a sealed cell says if this device is one of its readers'. It is called in [Session.Do].
func (s *Session) Read(g *game.Game, cell any) (any, bool) { return g.Read(s.device, cell) }

// Findings sums up what reached this device and does not count: what was refused and what is void. What was refused
// without a trace is counted since the start.
func (s *Session) Findings(ctx context.Context) (found []ledger.Finding, err error) {
	err = s.do(ctx, func() { found = s.node().Findings() })
	return found, err
}

// PlayOn ends the stop that a divergence is, when the person has looked at both states and decided. The other device
// is not compared with again.
func (s *Session) PlayOn(ctx context.Context) error { return s.do(ctx, s.node().PlayOn) }

// Me returns the id in the game of this device's person, or 0 if the game does not know them (yet).
func (s *Session) Me() int64 {
	_, me, _ := s.shown.get()
	return me
}

// Clock returns the time by the relay's clock, as far as it is known: Unix ms.
func (s *Session) Clock() int64 { return s.config.now().UnixMilli() + s.Net().Offset }
