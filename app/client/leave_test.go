//go:build !js

package client

import (
	"context"
	"errors"
	rooms "peernomic/app/client/room"
	"strings"
	"testing"

	"peernomic/app/client/disk"
	"peernomic/engine/wire"
)

// keptOf lists what the games' disk holds of a room.
func (d *device) keptOf(room wire.RoomID) (keys []string) {
	d.t.Helper()
	err := d.games.Scan(d.t.Context(), "", "\x7f", func(key string, _ []byte) error {
		if strings.Contains(key, room.String()) {
			keys = append(keys, key)
		}
		return nil
	})
	if err != nil {
		d.t.Fatal(err)
	}
	return keys
}

// Whichever tab writes, and whichever removes the game: all of them let go of it, and nothing of it is written any more.
func TestGameIsRemovedInAllTabs(t *testing.T) {
	for _, by := range []string{"writer", "reader"} {
		t.Run(by, func(t *testing.T) {
			one := newDevice(t, "Ana")
			one.program = "tests"
			room := one.found("")
			a := one.session(room)
			two := one.tab(one.tabs)
			b := two.session(room)
			act(t, b, "by way of the other tab")
			if err := b.SaveDraft(t.Context(), "a", "half a thought"); err != nil {
				t.Fatal(err)
			}
			leaver, other, told := one, b, two
			if by == "reader" {
				leaver, other, told = two, a, one
			}
			pages, list := make(chan struct{}, 100), make(chan struct{}, 100)
			defer other.Watch(func() { pages <- struct{}{} })()
			defer told.hub.Watch(func() { list <- struct{}{} })()
			if err := leaver.hub.Leave(t.Context(), room); err != nil {
				t.Fatal(err)
			}
			if keys := one.keptOf(room); len(keys) > 0 {
				t.Errorf("kept: %v", keys)
			}
			for _, s := range []*Session{a, b} {
				if err := s.Do(t.Context(), nil); !errors.Is(err, ErrNoGame) {
					t.Errorf("a session goes on: %v", err)
				}
				if err := s.SaveDraft(t.Context(), "a", "more"); !errors.Is(err, ErrNoGame) {
					t.Errorf("kept a draft: %v", err)
				}
			}
			until(t, "the other tab's pages are told", func() bool { return len(pages) > 0 && len(list) > 0 })
			if games, err := told.hub.Games(t.Context()); err != nil || len(games) > 0 {
				t.Errorf("the other tab lists %+v, %v", games, err)
			}
			if keys := one.keptOf(room); len(keys) > 0 {
				t.Errorf("kept after all: %v", keys)
			}
		})
	}
}

// A tab that the browser has put to sleep holds the writer's lock and hears nothing. The game stays as it is.
func TestGameThatAnotherTabHoldsIsNotRemoved(t *testing.T) {
	one := newDevice(t, "Ana")
	room := one.found("")
	release, err := one.tabs.Lock(t.Context(), rooms.Lock(room))
	if err != nil {
		t.Fatal(err)
	}
	before := len(one.keptOf(room))
	ctx, cancel := context.WithTimeout(t.Context(), leaveTime/50)
	defer cancel()
	if err := one.hub.Leave(ctx, room); !errors.Is(err, ErrHeldElsewhere) {
		t.Errorf("removed: %v", err)
	}
	if after := len(one.keptOf(room)); after != before {
		t.Errorf("%d of %d values are left", after, before)
	}
	release()
	act(t, one.session(room), "the game goes on")
}

// fragile is a disk that fails at one of its writes, as if the program was killed there.
type fragile struct {
	disk.Disk
	writes int // that succeed
}

var errKilled = errors.New("killed")

func (f *fragile) Write(ctx context.Context, changes ...disk.Change) error {
	if f.writes--; f.writes < 0 {
		return errKilled
	}
	return f.Disk.Write(ctx, changes...)
}

// A program that is killed while it removes a game leaves a game that opens, or none.
func TestKilledWhileAGameIsRemoved(t *testing.T) {
	for writes := range 20 {
		one := newDevice(t, "Ana")
		room := one.found("")
		act(t, one.session(room), "one")
		one.hub.journal.Games = &fragile{Disk: one.games, writes: writes}
		err := one.hub.Leave(t.Context(), room)
		one.restart()
		games, listErr := one.hub.Games(t.Context())
		switch {
		case listErr != nil:
			t.Fatal(listErr)
		case len(games) == 1:
			agree(t, 2, one.session(room))
			act(t, one.session(room), "two")
		case len(one.keptOf(room)) > 0:
			t.Errorf("killed after %d writes, it leaves %v", writes, one.keptOf(room))
		}
		if err == nil {
			if len(games) > 0 {
				t.Error("removed, and still there")
			}
			return
		}
		if !errors.Is(err, errKilled) {
			t.Fatal(err)
		}
	}
	t.Error("the game is never removed")
}

// Who has removed a game comes back by the same invite, with the same key or with a restored one, and plays on.
func TestRemovedGameIsJoinedAnew(t *testing.T) {
	_, _, a, bo, b := pair(t)
	act(t, b, "one")
	agree(t, 3, a, b)
	link := b.Invite()
	leave := func() {
		t.Helper()
		if err := bo.hub.Leave(t.Context(), b.Room()); err != nil {
			t.Fatal(err)
		}
	}
	leave()
	b = bo.join(link)
	agree(t, 3, a, b)
	act(t, b, "the same key goes on from its last action")
	agree(t, 4, a, b)

	other := newDevice(t, "Cy")
	other.open()
	restored := other.hub.Identity()
	if err := bo.hub.SetIdentity(t.Context(), restored); !errors.Is(err, ErrHasGames) {
		t.Errorf("replaced a key that plays: %v", err)
	}
	leave()
	// Looking at the invite before the key is restored is no part in the game.
	if _, joined, err := bo.hub.Peek(t.Context(), link); err != nil || joined {
		t.Fatal(joined, err)
	}
	if err := bo.hub.SetIdentity(t.Context(), restored); err != nil {
		t.Fatal(err)
	}
	b = bo.join(link)
	agree(t, 5, a, b) // with the introduction of the restored key's new device
	act(t, b, "by the restored key")
	agree(t, 6, a, b)
}
