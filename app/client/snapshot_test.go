//go:build !js

package client

import (
	"slices"
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
	*device
	room  wire.RoomID
	keys  ledger.RoomKeys
	items []logItem
}

func newKeeper(t *testing.T, actions int) keeper {
	t.Helper()
	secret, items := longGame(t, actions)
	d := newPlayer(t, "Ana")
	d.network, d.program = nil, "this"
	d.open()
	check(t, d.hub.addGame(t.Context(), roomRecord{Secret: secret, Title: "Long"}, items, nil))
	keys := secret.Keys()
	return keeper{device: d, room: keys.ID, keys: keys, items: items}
}

// gameOf is the game that the first so many items of the log give, received from outside.
func (k keeper) gameOf(items int) *game.Game {
	k.t.Helper()
	g := game.New(k.keys)
	for _, item := range k.items[:items] {
		if item.Kind == itemSeal {
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
	check(k.t, k.hub.store.put(k.t.Context(), k.games, keySnapshot+k.room.String(), snapshotRecord{Version: snapshotVersion, Program: program, State: state, Sum: sumOf(state)}))
}

// kept is the record of the snapshot on the disk.
func (k keeper) kept() (r snapshotRecord, ok bool) {
	k.t.Helper()
	ok, err := k.hub.store.get(k.t.Context(), k.games, keySnapshot+k.room.String(), &r)
	check(k.t, err)
	return r, ok
}

// began tells with how many actions a session began from its snapshot.
func began(t *testing.T, s *Session) (placed int) {
	t.Helper()
	check(t, s.do(t.Context(), func() { placed = s.snapshots.placed }))
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
	record, ok := k.kept()
	if !ok {
		t.Fatal("the end of the session made no snapshot")
	}

	k.restart()
	s = k.session(k.room)
	if placed := began(t, s); placed != 101 {
		t.Errorf("the second start began with %d actions", placed)
	}
	shows(t, s, want)
	s.Close()
	if again, _ := k.kept(); !slices.Equal(again.State, record.State) {
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
	if again, _ := k.kept(); again.Program != "another" {
		t.Errorf("the snapshot is %q's", again.Program)
	}
}

// While a game is played a snapshot is made now and then.
func TestSnapshotIsMadeWhilePlaying(t *testing.T) {
	k := newKeeper(t, 71)
	s := k.session(k.room)
	check(t, s.do(t.Context(), s.snapshotOverdue))
	if _, ok := k.kept(); ok {
		t.Error("a snapshot was made right after the start")
	}
	check(t, s.do(t.Context(), func() {
		s.snapshots.made = s.snapshots.made.Add(-snapshotPause)
		s.snapshotOverdue()
	}))
	if _, ok := k.kept(); !ok {
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
	raw, _, err := k.games.Get(t.Context(), keySnapshot+k.room.String())
	check(t, err)
	raw[len(raw)/2] ^= 1
	for name, b := range map[string][]byte{"a bit that the disk lost": raw, "no record at all": []byte("x")} {
		check(t, k.games.Write(t.Context(), disk.Put(keySnapshot+k.room.String(), b)))
		s := k.session(k.room)
		if placed := began(t, s); placed != 0 {
			t.Errorf("%s: began with %d actions", name, placed)
		}
		shows(t, s, want)
		k.restart()
	}
}
