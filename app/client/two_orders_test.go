//go:build !js

package client

import (
	"os"
	"strings"
	"testing"

	"peernomic/engine/game"
	"peernomic/engine/ledger"
	"peernomic/engine/wire"
)

// keepDisk returns what puts a relay's disk back as it is now.
func (r *relayServer) keepDisk() (restore func()) {
	r.t.Helper()
	r.stop()
	copied := r.t.TempDir()
	if err := os.CopyFS(copied, os.DirFS(r.folder)); err != nil {
		r.t.Fatal(err)
	}
	r.start()
	return func() {
		r.t.Helper()
		r.stop()
		r.folder = copied
		r.start()
	}
}

// away closes a device without that its session sees anything more.
func (d *device) away() {
	d.identity, d.games = d.identity.Reopen(), d.games.Reopen()
	d.hub.Close()
}

func departure(t *testing.T, s *Session) Departure {
	t.Helper()
	var d Departure
	var err error
	if doErr := s.Do(t.Context(), func(g *game.Game) { d, err = DepartureOf(g) }); doErr != nil || err != nil {
		t.Fatal(doErr, err)
	}
	return d
}

// A relay was set up again from an old copy of its disk, and sealed another order for those who had been away. The
// players of both let another relay go on from the last seal that they share, and nothing that anybody did is lost.
func TestTwoOrdersComeTogether(t *testing.T) {
	old, next := startRelay(t), startRelay(t)
	devices, sessions := fourPlayers(t, old)
	ana, bo, cy, di := devices[0], devices[1], devices[2], devices[3]
	a, b, c, d := sessions[0], sessions[1], sessions[2], sessions[3]
	join := func(s *Session) ledger.ActionID {
		t.Helper()
		id, err := s.Act(t.Context(), "Join", nil)
		if err != nil {
			t.Fatal(err)
		}
		return id
	}
	common := departure(t, a)
	if common.TwoOrders || common.Again != 0 {
		t.Fatalf("two orders before there are: %+v", common)
	}
	cy.away()
	di.away()
	restore := old.keepDisk()
	until(t, "the relay is back", func() bool { return a.Net().Relay == RelayConnected && b.Net().Relay == RelayConnected })
	var done []ledger.ActionID
	for i, s := range []*Session{a, b, a} {
		done = append(done, join(s))
		agree(t, 8+i, a, b)
	}
	restore()
	cy.open()
	di.open()
	c, d = cy.session(a.Room()), di.session(a.Room())
	for i, s := range []*Session{c, d, c} {
		done = append(done, join(s))
		agree(t, 8+i, c, d)
	}

	for _, s := range []*Session{a, b} {
		s.Reconnect()
		until(t, "it is seen where the relay's two orders part", func() bool { return departure(t, s).Base.Hash == common.Base.Hash })
	}
	hand(t, a, cy)
	hand(t, b, di)
	for _, s := range []*Session{a, b, c, d} {
		if got := departure(t, s); got.Base.Hash != common.Base.Hash || got.Again != 3 || !got.TwoOrders || got.TooMuch {
			t.Fatalf("another relay would go on from seal %d, %+v; want %d", got.Base.Number, got, common.Base.Number)
		}
	}

	told := func(s *Session) bool { return strings.Contains(s.Net().Problem, "two different orders") }
	until(t, "everybody is told", func() bool { return told(a) && told(b) && told(c) && told(d) })
	id, err := a.MoveTo(t.Context(), next.url(), "It tells everybody something else.")
	if err != nil {
		t.Fatal(err)
	}
	carryRound(t, id, ana, a, []*device{bo, cy}, []*Session{b, c})
	until(t, "Ana plays at the next relay", func() bool { return a.Net().Relay == RelayConnected && a.Net().Synced })
	for _, d := range []*device{bo, cy, di} {
		hand(t, a, d)
	}
	if err := d.Decide(t.Context(), pendingOf(t, d).First, true); err != nil { // who has not signed
		t.Fatal(err)
	}
	agree(t, 7+len(done)+3, a, b, c, d)
	for i, s := range []*Session{a, b, c, d} {
		for _, id := range done {
			if !holds(s, id) {
				t.Errorf("device %d has lost what was sealed in one of the orders", i)
			}
		}
		if m := motionOf(t, s); m.Status != game.MotionDone || departure(t, s).TwoOrders || told(s) {
			t.Errorf("device %d: the motion is %s; %s", i, m.Status, s.Net().Problem)
		}
	}
}

// More than the first seal of another relay can name has come since the two orders part: it would go on from the newest
// seal of one of them, and the person is told.
func TestTooMuchSinceTwoOrdersPart(t *testing.T) {
	ana := player(t, "Ana")
	room, err := ana.open().Found(t.Context(), Founding{Title: "A game", Name: "Ana", Ruleset: []ledger.Document{{Path: "1-core/01-join.md", Text: joinRule}}})
	if err != nil {
		t.Fatal(err)
	}
	s := ana.session(room)
	agree(t, 1, s)
	notary, err := ana.hub.device.PracticeNotary(room)
	if err != nil {
		t.Fatal(err)
	}
	body, err := game.EncodeAct("Join", nil)
	if err != nil {
		t.Fatal(err)
	}
	acts := func(n int) {
		doErr := s.do(t.Context(), func() {
			for range n {
				if _, err = s.writeNow(ledger.KindAct, body); err != nil {
					return
				}
			}
		})
		if doErr != nil || err != nil {
			t.Fatal(doErr, err)
		}
	}
	acts(1)
	agree(t, 2, s)
	if err := s.do(t.Context(), func() {
		first, _ := s.machine.Replica().Seal(1)
		if err = notary.Resume(first); err != nil {
			return
		}
		var other wire.SignedSeal
		if other, err = notary.Seal(first.Time, []wire.EnvelopeHash{}); err == nil {
			_, _ = s.receiveSeal(other.Bytes) // refused: it is the proof
		}
	}); err != nil {
		t.Fatal(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	if d := departure(t, s); !d.TwoOrders || d.TooMuch || d.Base.Number != 1 || d.Again != 1 {
		t.Errorf("with little since: %+v", d)
	}
	acts(wire.MaxSealEnvelopes)
	agree(t, 2+wire.MaxSealEnvelopes, s)
	if d := departure(t, s); !d.TwoOrders || !d.TooMuch || d.Base.Number == 1 || d.Again != 0 {
		t.Errorf("with much since: %+v", d)
	}
}
