//go:build !js

package client

import (
	"context"
	"slices"
	"testing"
	"time"

	"peernomic/app/client/disk"
	"peernomic/engine/game"
	"peernomic/engine/rules"
	"peernomic/engine/wire"
)

// keeper is a device that keeps snapshots, with a game of so many acts, one of them perhaps signed badly.
func keeper(t *testing.T, acts, bad int) (*device, planted) {
	t.Helper()
	d := newPlayer(t, "Ana")
	d.network, d.program = nil, "this"
	return d, plant(t, d, acts, bad)
}

// snapshotOf is what a program that judged nothing would keep of the first so many items.
func (p planted) snapshotOf(t *testing.T, items int) []byte {
	t.Helper()
	g := game.New(p.secret.Keys())
	for _, item := range p.items[:items] {
		if item.Kind == itemSeal {
			check(t, g.RestoreSeal(item.Bytes))
		} else {
			_, err := g.Restore(item.Bytes)
			check(t, err)
		}
	}
	g.Advance(0)
	b, err := g.Snapshot()
	check(t, err)
	return b
}

func (d *device) keep(p planted, program string, state []byte) {
	d.t.Helper()
	check(d.t, d.hub.store.put(d.t.Context(), d.games, keySnapshot+p.secret.Keys().ID.String(), snapshotRecord{Version: snapshotVersion, Program: program, State: state, Sum: sumOf(state)}))
}

// kept is the record of the snapshot on the disk.
func (d *device) kept(p planted) (r snapshotRecord, ok bool) {
	d.t.Helper()
	ok, err := d.hub.store.get(d.t.Context(), d.games, keySnapshot+p.secret.Keys().ID.String(), &r)
	check(d.t, err)
	return r, ok
}

// began tells with how many actions a session began from its snapshot, and whether it is checked.
func began(t *testing.T, s *Session) (placed int, replayed bool) {
	t.Helper()
	check(t, s.do(t.Context(), func() { placed, replayed = s.snapshots.placed, s.isReplayed() }))
	return placed, replayed
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

func untilReplayed(t *testing.T, s *Session) {
	t.Helper()
	until(t, "the snapshot is checked", func() bool { n := s.Net(); return n.Checking == nil && n.Replaying == nil })
}

// The first start keeps a snapshot, the second goes on from it and checks it, the third only goes on from
// it, another program does not.
func TestGameGoesOnFromItsSnapshot(t *testing.T) {
	d, p := keeper(t, 100, 0)
	room := p.secret.Keys().ID
	want := p.judgedFirst(t)
	s := d.session(room)
	untilReplayed(t, s)
	if placed, _ := began(t, s); placed != 0 {
		t.Fatalf("the first start began with %d actions", placed)
	}
	s.Close()
	record, ok := d.kept(p)
	if !ok {
		t.Fatal("the end of the session made no snapshot")
	}

	d.restart()
	s = d.session(room)
	check(t, s.do(t.Context(), func() {
		if s.snapshots.placed != 101 || s.isReplayed() {
			t.Errorf("the second start began with %d actions, checked %v", s.snapshots.placed, s.isReplayed())
		}
		if have := s.whatWeHave(); have.Digest != ([32]byte{}) {
			t.Error("a digest is told before the snapshot is checked")
		}
	}))
	shows(t, s, want)
	untilReplayed(t, s)
	shows(t, s, want)
	check(t, s.do(t.Context(), func() {
		s.settle()
		if have := s.whatWeHave(); have.Digest == ([32]byte{}) {
			t.Error("no digest is told after the snapshot was checked")
		}
	}))
	s.Close()
	if again, _ := d.kept(p); !slices.Equal(again.State, record.State) {
		t.Error("a snapshot was made though nothing had happened")
	}

	d.restart()
	s = d.session(room)
	if placed, replayed := began(t, s); placed != 101 || !replayed {
		t.Errorf("the third start began with %d actions, checked %v", placed, replayed)
	}
	shows(t, s, want)

	d.program = "another"
	d.restart()
	s = d.session(room)
	if placed, _ := began(t, s); placed != 0 {
		t.Errorf("another program began with %d actions", placed)
	}
	shows(t, s, want)
	untilReplayed(t, s)
	s.Close()
	if again, _ := d.kept(p); again.Program != "another" {
		t.Errorf("the snapshot is %q's", again.Program)
	}
}

// While a game is played a snapshot is made now and then.
func TestSnapshotIsMadeWhilePlaying(t *testing.T) {
	d, p := keeper(t, 70, 0)
	s := d.session(p.secret.Keys().ID)
	untilReplayed(t, s)
	check(t, s.do(t.Context(), s.snapshotOverdue))
	if _, ok := d.kept(p); ok {
		t.Error("a snapshot was made right after the start")
	}
	check(t, s.do(t.Context(), func() {
		s.snapshots.made = s.snapshots.made.Add(-snapshotPause)
		s.snapshotOverdue()
	}))
	if _, ok := d.kept(p); !ok {
		t.Error("no snapshot was made")
	}
}

// What comes after the snapshot is carried out, and what stands in its place that is none is passed
// over.
func TestDamagedAndOldSnapshots(t *testing.T) {
	d, p := keeper(t, 100, 0)
	room := p.secret.Keys().ID
	want := p.judgedFirst(t)
	good := p.snapshotOf(t, 2*60)
	for name, c := range map[string]struct {
		state []byte
		began int
	}{
		"old":       {good, 60},
		"cut off":   {good[:len(good)-100], 0},
		"nothing":   {nil, 0},
		"scrambled": {append([]byte{0}, good...), 0},
	} {
		d.keep(p, "this", c.state)
		s := d.session(room)
		if placed, _ := began(t, s); placed != c.began {
			t.Errorf("%s: began with %d actions, want %d", name, placed, c.began)
		}
		untilReplayed(t, s)
		shows(t, s, want)
		if s.Net().SnapshotWrong {
			t.Errorf("%s: told of as wrong", name)
		}
		d.restart()
	}
	d.keep(p, "this", good)
	raw, _, err := d.games.Get(t.Context(), keySnapshot+room.String())
	check(t, err)
	raw[len(raw)/2] ^= 1
	for name, b := range map[string][]byte{"a bit that the disk lost": raw, "no record at all": []byte("x")} {
		check(t, d.games.Write(t.Context(), disk.Put(keySnapshot+room.String(), b)))
		s := d.session(room)
		if placed, _ := began(t, s); placed != 0 {
			t.Errorf("%s: began with %d actions", name, placed)
		}
		shows(t, s, want)
		d.restart()
	}
}

// A snapshot that lies is shown at first, and then it is found out, told of, thrown away, and the game
// is what the log gives.
func TestWrongSnapshotIsFoundOut(t *testing.T) {
	d, p := keeper(t, 100, 0)
	room := p.secret.Keys().ID
	want := p.judgedFirst(t)
	d.keep(p, "this", p.lie(t))
	s := d.session(room)
	if placed, _ := began(t, s); placed != 60 {
		t.Fatalf("began with %d actions", placed)
	}
	until(t, "the lie is found out", func() bool { return s.Net().SnapshotWrong })
	shows(t, s, want)
	if _, ok := d.kept(p); ok {
		t.Error("the wrong snapshot is still there")
	}
	s.Close()
	d.restart()
	s = d.session(room)
	untilReplayed(t, s)
	shows(t, s, want)
}

// lie is a snapshot of another game under the same rules that fits this one's order in all but what came
// of it: one action is somebody else's.
func (p planted) lie(t *testing.T) []byte {
	t.Helper()
	honest := p.snapshotOf(t, 2*60)
	var parts []any
	check(t, wire.Decode(honest, &parts))
	w, err := rules.DecodeWorld(parts[7].([]byte))
	check(t, err)
	if out := w.Force([]any{map[string]any{"op": "set", "table": "players", "row": int64(1), "column": "gold", "value": int64(9999)}}, 0); out.Refused != nil {
		t.Fatal(out.Refused)
	}
	digest := w.Digest()
	parts[6] = digest[:]
	parts[7], err = w.Encode()
	check(t, err)
	b, err := wire.Encode(parts)
	check(t, err)
	return b
}

// A bad signature deep in a feed is found though the game is shown from a snapshot that was made with
// it.
func TestBadSignatureUnderASnapshotIsFound(t *testing.T) {
	d, p := keeper(t, 600, 400)
	room := p.secret.Keys().ID
	want := p.judgedFirst(t)
	state := p.snapshotOf(t, len(p.items))
	d.keep(p, "this", state)
	hash := sumOf(state)
	check(t, d.hub.store.put(t.Context(), d.games, keyReplayed+room.String(), hash))
	hold := make(chan struct{})
	judge := d.hub.config.judge
	d.hub.config.judge = func(ctx context.Context, claims []wire.Claim) ([]bool, error) {
		<-hold
		return judge(ctx, claims)
	}
	s := d.session(room)
	if placed, replayed := began(t, s); placed != 601 || !replayed {
		t.Fatalf("began with %d actions, checked %v", placed, replayed)
	}
	close(hold)
	until(t, "the bad signature is found", func() bool { n := s.Net(); return n.Checking == nil && n.BadSignatures == 1 })
	shows(t, s, want)
	s.Close()
	if again, ok := d.kept(p); !ok || slices.Equal(again.State, state) {
		t.Error("the snapshot with the bad signature is still there")
	}
	d.restart()
	s = d.session(room)
	untilReplayed(t, s)
	shows(t, s, want)
}

// A device goes on playing from its snapshot while that is checked.
func TestPlayGoesOnWhileTheSnapshotIsChecked(t *testing.T) {
	d, p := keeper(t, 100, 0)
	room := p.secret.Keys().ID
	d.keep(p, "this", p.snapshotOf(t, 2*60))
	check(t, d.hub.store.putRoom(t.Context(), roomRecord{Secret: p.secret, Title: "Planted", Name: "Ana"}))
	slow := make(chan struct{})
	d.hub.config.later = func(wait time.Duration, f func()) {
		time.AfterFunc(wait, func() { <-slow; f() })
	}
	s := d.session(room)
	until(t, "all is judged", func() bool { return s.Net().Checking == nil && s.Me() != 0 })
	if _, err := s.Act(t.Context(), "Dig", nil); err != nil {
		t.Fatal(err)
	}
	check(t, s.do(t.Context(), func() {
		if have := s.whatWeHave(); s.isReplayed() || have.Digest != ([32]byte{}) {
			t.Errorf("checked already: %v, or a digest is told: %x", s.isReplayed(), have.Digest)
		}
	}))
	close(slow)
	untilReplayed(t, s)
	if s.Net().SnapshotWrong {
		t.Error("the snapshot is told of as wrong")
	}
	check(t, s.Do(t.Context(), func(g *game.Game) {
		if n := len(g.Entries()); n != 103 {
			t.Errorf("%d entries, want 101, an enrolment and an act", n)
		}
	}))
}
