//go:build !js

package client

import (
	"context"
	"peernomic/app/client/journal"
	"sync"
	"testing"
	"time"

	"peernomic/app/client/disk"
	"peernomic/app/client/tabs"
	"peernomic/engine/game"
	"peernomic/engine/ledger"
)

// slowClock is a clock that goes on by a millisecond whenever somebody looks at it: what a machine is that
// takes a millisecond for each part of the work.
type slowClock struct {
	mu    sync.Mutex
	now   time.Time
	rests int
}

func (c *slowClock) steady() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(time.Millisecond)
	return c.now
}

// config is of a program that goes by this clock and does nothing later.
func (c *slowClock) config(identity, games disk.Disk) Config {
	return Config{Identity: identity, Games: games, steady: c.steady}
}

// A long game is opened in turns, in which the page can be drawn, and tells how far it is: of reading its log and,
// without a snapshot, of carrying out its actions.
func TestLongGameOpensInTurns(t *testing.T) {
	const actions = 300
	secret, id, items := longGame(t, actions)
	identity, games := &disk.Memory{}, &disk.Memory{}
	for _, again := range []bool{false, true} {
		clock := &slowClock{now: time.Unix(0, 0)}
		var hub *Hub
		var far []Opening
		c := clock.config(identity, games)
		c.Program = "tests"
		c.rest = func(time.Duration) {
			if o := hub.Opening(secret.Keys().ID); o != nil { // and not what is done beside the page later
				clock.rests++
				far = append(far, *o)
			}
		}
		hub, err := OpenHub(t.Context(), c)
		check(t, err)
		if !again {
			check(t, hub.addGame(t.Context(), journal.Room{Secret: secret, Game: id, Title: "Long"}, items, nil))
		}
		s, err := hub.Open(t.Context(), secret.Keys().ID)
		check(t, err)
		if hub.Opening(secret.Keys().ID) != nil {
			t.Error("it is still being opened when it is open")
		}
		// Each part of the work is one look at the clock: an item of the log, or a step of actions.
		parts := len(items)
		if !again {
			parts += actions / replayStep
		}
		if least := parts / int(2*turnTime/time.Millisecond); clock.rests < least {
			t.Errorf("again %v: %d rests for %d parts of a millisecond, want at least %d", again, clock.rests, parts, least)
		}
		read, carried := 0, 0
		for i, o := range far {
			if o.Done <= 0 || o.Done > o.Total || i > 0 && o.Carrying == far[i-1].Carrying && o.Done < far[i-1].Done {
				t.Errorf("again %v: %+v after %+v", again, o, far[max(0, i-1)])
			}
			if o.Carrying {
				carried++
			} else {
				read++
			}
		}
		if read == 0 || (carried == 0) != again {
			t.Errorf("again %v: told %d times of reading and %d times of carrying out", again, read, carried)
		}
		check(t, s.do(t.Context(), func() {
			if n := len(s.node().Game().Entries()); n != actions {
				t.Errorf("%d actions", n)
			}
			s.room.KeepSnapshot()
		}))
		s.cancel()
		s.wg.Wait()
	}
}

// A game that is closed while it is opened does not stay open.
func TestHubClosedWhileOpening(t *testing.T) {
	secret, id, items := longGame(t, 40)
	clock := &slowClock{now: time.Unix(0, 0)}
	var hub *Hub
	c := clock.config(&disk.Memory{}, &disk.Memory{})
	closed := false
	c.rest = func(time.Duration) {
		if !closed {
			closed = true
			hub.mu.Lock()
			hub.isClosed = true
			hub.mu.Unlock()
		}
	}
	hub, err := OpenHub(t.Context(), c)
	check(t, err)
	check(t, hub.addGame(t.Context(), journal.Room{Secret: secret, Game: id, Title: "Long"}, items, nil))
	if _, err := hub.Open(t.Context(), secret.Keys().ID); err != ErrClosed || !closed {
		t.Errorf("opened: %v", err)
	}
	if len(hub.sessions) > 0 {
		t.Error("a session is open in a closed hub")
	}
}

// A moment of the past is carried out in turns, between which the game goes on.
func TestPastIsCarriedOutInTurns(t *testing.T) {
	const actions = 200
	secret, id, items := longGame(t, actions)
	clock := &slowClock{now: time.Unix(0, 0)}
	resting := func() {}
	c := clock.config(&disk.Memory{}, &disk.Memory{})
	c.rest = func(time.Duration) { resting() }
	hub, err := OpenHub(t.Context(), c)
	check(t, err)
	check(t, hub.addGame(t.Context(), journal.Room{Secret: secret, Game: id, Title: "Long"}, items, nil))
	s, err := hub.Open(t.Context(), secret.Keys().ID)
	check(t, err)
	between := 0
	resting = func() { check(t, s.do(t.Context(), func() { between++ })) }
	w, err := s.At(t.Context(), actions-50)
	check(t, err)
	if least := (actions - 50) / replayStep / int(turnTime/time.Millisecond); between < least {
		t.Errorf("the game went on %d times meanwhile, want at least %d", between, least)
	}
	check(t, s.Do(t.Context(), func(g *game.Game) {
		if want := g.At(actions - 50); w.Digest() != want.Digest() || len(w.Log()) != len(want.Log()) {
			t.Errorf("another world: %d entries in its log, want %d", len(w.Log()), len(want.Log()))
		}
	}))
	s.cancel()
	s.wg.Wait()
}

// slowTabs is a device where something happens before a program that has read the log asks for the writer's lock.
type slowTabs struct {
	tabs.Tabs
	before func()
}

func (s slowTabs) TryLock(ctx context.Context, name string) (func(), bool, error) {
	s.before()
	return s.Tabs.TryLock(ctx, name)
}

// What the writer before has done between the reading of the log and the taking of its lock is read, and not
// written over.
func TestNewWriterReadsWhatTheOldOneLeft(t *testing.T) {
	d := newDevice(t, "Ana")
	room := d.found("")
	first := d.session(room)
	act(t, first, "one")
	c := d.config()
	var second ledger.ActionID
	c.Tabs = slowTabs{d.tabs, func() {
		second = act(t, first, "two")
		first.Close()
	}}
	hub, err := OpenHub(t.Context(), c)
	check(t, err)
	s, err := hub.Open(t.Context(), room)
	check(t, err)
	if !s.Net().Writer || !holds(s, second) {
		t.Errorf("writer %v, holds the other's last action %v", s.Net().Writer, holds(s, second))
	}
	third := act(t, s, "three")
	s.Close()
	d.restart()
	s = d.session(room)
	if !holds(s, second) || !holds(s, third) {
		t.Error("an action is not in the log any more")
	}
}
