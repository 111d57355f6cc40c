//go:build !js

package client

import (
	"peernomic/app/client/journal"
	node "peernomic/app/client/sync"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"peernomic/app/client/disk"
	"peernomic/engine/game"
	"peernomic/engine/ledger"
	"peernomic/engine/wire"
)

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// keeper is a device that keeps snapshots, with a long game.
type keeper struct {
	game ledger.GameID
	*device
	room  wire.RoomID
	keys  ledger.RoomKeys
	items []node.Item
}

func newKeeper(t *testing.T, actions int) keeper {
	t.Helper()
	secret, id, items := longGame(t, actions)
	d := newPlayer(t, "Ana")
	d.network, d.program = nil, "this"
	d.open()
	check(t, d.hub.addGame(t.Context(), journal.Room{Secret: secret, Game: id, Title: "Long"}, items, nil))
	keys := secret.Keys()
	return keeper{device: d, room: keys.ID, keys: keys, game: id, items: items}
}

// gameOf is the game that the first so many items of the log give, received from outside.
func (k keeper) gameOf(items int) *game.Game {
	k.t.Helper()
	g := game.New(k.keys, k.game)
	for _, item := range k.items[:items] {
		if item.Kind == node.KindSeal {
			check(k.t, g.ReceiveSeal(item.Bytes))
		} else {
			_, err := g.Receive(item.Bytes)
			check(k.t, err)
		}
	}
	g.Advance(time.Now().UnixMilli())
	return g
}

func (k keeper) keep(program string, state []byte) {
	k.t.Helper()
	check(k.t, k.hub.journal.PutSnapshot(k.t.Context(), k.room, program, state))
}

// kept is the state of a program that is on the disk; nil for none.
func (k keeper) kept(program string) []byte {
	return k.hub.journal.Snapshot(k.t.Context(), k.room, program)
}

// began tells with how many actions a session began from its snapshot.
func began(t *testing.T, s *Session) (placed int) {
	t.Helper()
	check(t, s.do(t.Context(), func() { placed = s.room.SnapshotOf() }))
	return placed
}

func shows(t *testing.T, s *Session, want *game.Game) {
	t.Helper()
	check(t, s.Do(t.Context(), func(g *game.Game) {
		seal, digest := g.Confirmed()
		wantSeal, wantDigest := want.Confirmed()
		if seal != wantSeal || digest != wantDigest || len(g.Entries()) != len(want.Entries()) {
			t.Errorf("%d actions, seal %d, digest %x; want %d, %d, %x", len(g.Entries()), seal, digest, len(want.Entries()), wantSeal, wantDigest)
		}
	}))
}

// The first start keeps a snapshot, the second goes on from it, another program does not.
func TestGameGoesOnFromItsSnapshot(t *testing.T) {
	k := newKeeper(t, 101)
	want := k.gameOf(len(k.items))
	s := k.session(k.room)
	if placed := began(t, s); placed != 0 {
		t.Fatalf("the first start began with %d actions", placed)
	}
	s.Close()
	state := k.kept("this")
	if state == nil {
		t.Fatal("the end of the session made no snapshot")
	}

	k.restart()
	s = k.session(k.room)
	if placed := began(t, s); placed != 101 {
		t.Errorf("the second start began with %d actions", placed)
	}
	shows(t, s, want)
	s.Close()
	if !slices.Equal(k.kept("this"), state) {
		t.Error("a snapshot was made though nothing had happened")
	}

	k.program = "another"
	k.restart()
	s = k.session(k.room)
	if placed := began(t, s); placed != 0 {
		t.Errorf("another program began with %d actions", placed)
	}
	shows(t, s, want)
	s.Close()
	if k.kept("another") == nil {
		t.Error("it has kept no snapshot of its own")
	}
}

// While a game is played a snapshot is made now and then.
func TestSnapshotIsMadeWhilePlaying(t *testing.T) {
	k := newKeeper(t, 71)
	var later atomic.Int64
	k.hub.config.steady = func() time.Time { return time.Now().Add(time.Duration(later.Load())) }
	s := k.session(k.room)
	check(t, s.do(t.Context(), s.room.Tick))
	if later.Load() == 0 && k.kept("this") != nil {
		t.Error("a snapshot was made right after the start")
	}
	later.Store(int64(time.Hour))
	check(t, s.do(t.Context(), s.room.Tick))
	if k.kept("this") == nil {
		t.Error("no snapshot was made")
	}
}

// What comes after the snapshot is carried out, and what stands in its place that is none is passed
// over.
func TestDamagedAndOldSnapshots(t *testing.T) {
	k := newKeeper(t, 101)
	want := k.gameOf(len(k.items))
	good, err := k.gameOf(2 * 60).Snapshot()
	check(t, err)
	for name, c := range map[string]struct {
		state []byte
		began int
	}{
		"old":       {good, 60},
		"cut off":   {good[:len(good)-100], 0},
		"nothing":   {nil, 0},
		"scrambled": {append([]byte{0}, good...), 0},
	} {
		k.keep("this", c.state)
		s := k.session(k.room)
		if placed := began(t, s); placed != c.began {
			t.Errorf("%s: began with %d actions, want %d", name, placed, c.began)
		}
		shows(t, s, want)
		k.restart()
	}
	k.keep("this", good)
	key := "snapshot/" + k.room.String()
	raw, _, err := k.games.Get(t.Context(), key)
	check(t, err)
	raw[len(raw)/2] ^= 1
	for name, b := range map[string][]byte{"a bit that the disk lost": raw, "no record at all": []byte("x")} {
		check(t, k.games.Write(t.Context(), disk.Put(key, b)))
		s := k.session(k.room)
		if placed := began(t, s); placed != 0 {
			t.Errorf("%s: began with %d actions", name, placed)
		}
		shows(t, s, want)
		k.restart()
	}
}
