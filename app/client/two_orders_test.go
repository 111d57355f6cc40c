//go:build !js

package client

import (
	"errors"
	"fmt"
	"os"
	"slices"
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

// departures returns from where another relay could go on.
func departures(t *testing.T, s *Session) []Departure {
	t.Helper()
	var list []Departure
	var err error
	if doErr := s.Do(t.Context(), func(g *game.Game) { list, err = Departures(g) }); doErr != nil || err != nil {
		t.Fatal(doErr, err)
	}
	return list
}

// playAt waits until sessions play at a relay.
func playAt(t *testing.T, relay *relayServer, sessions ...*Session) {
	t.Helper()
	until(t, "they play at the other relay", func() bool {
		return !slices.ContainsFunc(sessions, func(s *Session) bool {
			return s.Relay() != "ws://"+relay.addr+"/relay" || s.Net().Relay != RelayConnected || !s.Net().Synced
		})
	})
}

// twoOrders is a game of four players whose relay was set up again from an old copy of its disk: the first of them have followed one
// order, and those who had been away another.
type twoOrders struct {
	devices  [4]*device
	sessions [4]*Session
	common   Departure // the last seal that both have
	done     []ledger.ActionID
}

// newTwoOrders has some players be away from the first order; between runs before there is another.
func newTwoOrders(t *testing.T, old *relayServer, away int, between func(*twoOrders)) *twoOrders {
	t.Helper()
	o := &twoOrders{}
	o.devices, o.sessions = fourPlayers(t, old)
	list := departures(t, o.sessions[0])
	if o.common = list[0]; len(list) != 1 || o.common.Name != FromNewest || o.common.Again != 0 {
		t.Fatalf("two orders before there are: %+v", list)
	}
	here := len(o.sessions) - away
	for _, d := range o.devices[here:] {
		d.away()
	}
	restore := old.keepDisk()
	play := func(sessions []*Session) {
		t.Helper()
		until(t, "they are at the relay", func() bool {
			return !slices.ContainsFunc(sessions, func(s *Session) bool { return s.Net().Relay != RelayConnected })
		})
		for i, s := range append(slices.Clone(sessions), sessions[0]) {
			id, err := s.Act(t.Context(), "Join", nil)
			if err != nil {
				t.Fatal(err)
			}
			o.done = append(o.done, id)
			agree(t, 8+i, sessions...)
		}
	}
	play(o.sessions[:here])
	between(o)
	restore()
	for i, d := range o.devices[here:] {
		d.open()
		o.sessions[here+i] = d.session(o.sessions[0].Room())
	}
	play(o.sessions[here:])
	return o
}

// lackNothing reports on every device what was sealed in one of the orders and is not there.
func (o *twoOrders) lackNothing(t *testing.T) {
	t.Helper()
	for i, s := range o.sessions {
		for _, id := range o.done {
			if !holds(s, id) {
				t.Errorf("device %d has lost what was sealed in one of the orders", i)
			}
		}
	}
}

// A relay was set up again from an old copy of its disk, and sealed another order for those who had been away. The
// players of both let another relay go on from the last seal that they share, and nothing that anybody did is lost.
func TestTwoOrdersComeTogether(t *testing.T) {
	old, next := startRelay(t), startRelay(t)
	o := newTwoOrders(t, old, 2, func(*twoOrders) {})
	ana, bo, cy, di := o.devices[0], o.devices[1], o.devices[2], o.devices[3]
	a, b, c, d := o.sessions[0], o.sessions[1], o.sessions[2], o.sessions[3]
	common := o.common
	for _, s := range []*Session{a, b} {
		s.Reconnect()
		until(t, "it is seen where the relay's two orders part", func() bool { return departures(t, s)[0].Base.Hash == common.Base.Hash })
	}
	hand(t, a, cy)
	hand(t, b, di)
	for _, s := range []*Session{a, b, c, d} {
		list := departures(t, s)
		if got := list[0]; got.Base.Hash != common.Base.Hash || got.Again != 3 || got.TooMuch {
			t.Fatalf("another relay would go on from seal %d, %+v; want %d", got.Base.Number, got, common.Base.Number)
		}
		if newest := list[len(list)-1]; len(list) != 2 || newest.Name != FromNewest || newest.Base.Number != common.Base.Number+3 || newest.Again != 0 {
			t.Fatalf("one can choose %+v", list)
		}
	}

	told := func(s *Session) bool { return strings.Contains(s.Net().Problem, "two different orders") }
	until(t, "everybody is told", func() bool { return told(a) && told(b) && told(c) && told(d) })
	id, err := a.MoveTo(t.Context(), next.url(), "It tells everybody something else.", "")
	if err != nil {
		t.Fatal(err)
	}
	carryRound(t, id, ana, a, []*device{bo, cy}, []*Session{b, c})
	playAt(t, next, a)
	for _, d := range []*device{bo, cy, di} {
		hand(t, a, d)
	}
	if err := d.Decide(t.Context(), pendingOf(t, d).First, true); err != nil { // who has not signed
		t.Fatal(err)
	}
	agree(t, 7+len(o.done)+3, a, b, c, d)
	o.lackNothing(t)
	for i, s := range []*Session{a, b, c, d} {
		if m := motionOf(t, s); m.Status != game.MotionDone || len(departures(t, s)) != 1 || told(s) {
			t.Errorf("device %d: the motion is %s; %s", i, m.Status, s.Net().Problem)
		}
	}
}

// Whoever calls for another relay can go on from the newest seal instead. Who has followed the other order is left behind then, as they
// are if the other order is found only afterwards; and a convention that goes back to where the orders part fetches them.
func TestWhoWasLeftBehindIsFetched(t *testing.T) {
	for _, known := range []bool{true, false} {
		t.Run(fmt.Sprintf("known=%v", known), func(t *testing.T) {
			old, next, third := startRelay(t), startRelay(t), startRelay(t)
			move := func(o *twoOrders, name string) {
				t.Helper()
				a, b, c := o.sessions[0], o.sessions[1], o.sessions[2]
				id, err := a.MoveTo(t.Context(), next.url(), "", name)
				if err != nil {
					t.Fatal(err)
				}
				carryRound(t, id, o.devices[0], a, o.devices[1:3], []*Session{b, c})
				playAt(t, next, a)
				hand(t, a, o.devices[1])
				hand(t, a, o.devices[2])
				playAt(t, next, b, c)
				agree(t, 7+len(o.done)+3, a, b, c)
			}
			o := newTwoOrders(t, old, 1, func(o *twoOrders) {
				if !known {
					move(o, "")
				}
			})
			ana, di := o.devices[0], o.devices[3]
			a, b, c, d := o.sessions[0], o.sessions[1], o.sessions[2], o.sessions[3]
			hand(t, d, ana)
			if known {
				hand(t, d, o.devices[1])
				hand(t, d, o.devices[2])
				if list := departures(t, a); len(list) != 2 || list[0].Base.Hash != o.common.Base.Hash || list[0].Again != 4 {
					t.Fatalf("one can choose %+v", list)
				}
				move(o, FromNewest)
			}
			hand(t, a, di)
			if err := d.Do(t.Context(), func(g *game.Game) {
				if r := g.Replica(); len(r.Pending()) != 0 || len(r.Successions()) != 0 {
					t.Error("Di can go along from a seal that her order does not have")
				}
			}); err != nil {
				t.Fatal(err)
			}

			list := departures(t, a)
			if len(list) != 2 || list[0].Name != FromNewest || list[1].Base.Hash != o.common.Base.Hash || list[1].Again < 4+3 {
				t.Fatalf("one can choose %+v", list)
			}
			id, err := a.MoveTo(t.Context(), third.url(), "Di is not here.", list[1].Name)
			if err != nil {
				t.Fatal(err)
			}
			for _, s := range []*Session{b, c} {
				until(t, "the convention is known", func() bool { return s.Ballot(t.Context(), id, ledger.VerbAssent) == nil })
			}
			playAt(t, third, a, b, c)
			hand(t, a, di)
			if p := pendingOf(t, d); p.Loses < 2 || len(p.Assents) != 3 || p.Active != 4 {
				t.Errorf("Di is asked about %+v", p)
			} else if err := d.Decide(t.Context(), p.First, true); err != nil {
				t.Fatal(err)
			}
			agree(t, 7+len(o.done)+3+3, a, b, c, d)
			o.lackNothing(t)
			for i, s := range o.sessions {
				if list := departures(t, s); len(list) != 1 {
					t.Errorf("device %d: one can choose %+v", i, list)
				}
			}
		})
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
	if list := departures(t, s); len(list) != 2 || list[0].TooMuch || list[0].Base.Number != 1 || list[0].Again != 1 {
		t.Errorf("with little since: %+v", list)
	}
	acts(wire.MaxSealEnvelopes)
	agree(t, 2+wire.MaxSealEnvelopes, s)
	list := departures(t, s)
	if len(list) != 2 || list[0].Name != FromNewest || list[0].Again != 0 || !list[1].TooMuch || list[1].Base.Number != 1 {
		t.Fatalf("with much since: %+v", list)
	}
	for _, name := range []string{list[1].Name, "7"} {
		if _, err := s.MoveTo(t.Context(), "ws://nowhere.example/relay", "", name); !errors.Is(err, errDeparture) {
			t.Errorf("from %s: %v", name, err)
		}
	}
}
