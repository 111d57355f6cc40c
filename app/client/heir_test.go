//go:build !js

package client

import (
	"context"
	"errors"
	"strings"
	"testing"

	"peernomic/engine/game"
	"peernomic/engine/ledger"
	"peernomic/engine/wire"
)

// joinRule lets everybody be a player at once.
const joinRule = "# Join\n\nCome in.\n\n```starlark\n" + `
def join(me):
    me.standing = "player"
action("Join", run=join, who="anyone")
` + "```\n"

// player is a device that plays a real game.
func player(t *testing.T, name string) *device {
	d := newDevice(t, name)
	d.machine, d.tryOut = nil, nil
	return d
}

// twoPlayers is a game of two players on a relay, who both hold all of it.
func twoPlayers(t *testing.T, relay *relayServer) (ana, bo *device, a, b *Session) {
	t.Helper()
	ana, bo = player(t, "Ana"), player(t, "Bo")
	room, err := ana.open().Found(t.Context(), Founding{Title: "A game", Name: "Ana", Relay: relay.url(),
		Ruleset: []ledger.Document{{Path: "1-core/01-join.md", Text: joinRule}}})
	if err != nil {
		t.Fatal(err)
	}
	a = ana.session(room)
	agree(t, 1, a)
	b = bo.join(a.Invite())
	agree(t, 2, a, b)
	if _, err := b.Act(t.Context(), "Join", nil); err != nil {
		t.Fatal(err)
	}
	agree(t, 3, a, b)
	return ana, bo, a, b
}

// fourPlayers is a game of four players on a relay, who hold all of it: Ana, Bo, Cy and Di.
func fourPlayers(t *testing.T, relay *relayServer) (devices [4]*device, sessions [4]*Session) {
	t.Helper()
	ana, bo, a, b := twoPlayers(t, relay)
	cy, di := player(t, "Cy"), player(t, "Di")
	c, d := cy.join(a.Invite()), di.join(a.Invite())
	agree(t, 5, a, b, c, d)
	for _, s := range []*Session{c, d} {
		if _, err := s.Act(t.Context(), "Join", nil); err != nil {
			t.Fatal(err)
		}
	}
	agree(t, 7, a, b, c, d)
	return [4]*device{ana, bo, cy, di}, [4]*Session{a, b, c, d}
}

// carryRound has some sign a motion of the first one's, as files carry it to each and back.
func carryRound(t *testing.T, id ledger.MotionID, first *device, from *Session, devices []*device, sessions []*Session) {
	t.Helper()
	for i, s := range sessions {
		hand(t, from, devices[i])
		if err := s.Ballot(t.Context(), id, ledger.VerbAssent); err != nil {
			t.Fatal(err)
		}
		hand(t, s, first)
	}
}

// hand gives all that one device holds to another, as a file.
func hand(t *testing.T, from *Session, to *device) {
	t.Helper()
	file, err := from.Export(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := to.hub.Import(t.Context(), file, ""); err != nil {
		t.Fatal(err)
	}
}

// motionOf returns the one motion that a session knows.
func motionOf(t *testing.T, s *Session) game.Motion {
	t.Helper()
	var out []game.Motion
	if err := s.Do(t.Context(), func(g *game.Game) { out = g.Motions() }); err != nil {
		t.Fatal(err)
	}
	if len(out) != 1 {
		t.Fatalf("%d motions, want 1", len(out))
	}
	return out[0]
}

// A relay dies; its players sign for another one, whichever way the signatures travel, and the
// game goes on from the last seal. Who was away finds it by the new invite.
func TestAnotherRelayGoesOn(t *testing.T) {
	old, next := startRelay(t), startRelay(t)
	ana, bo, a, b := twoPlayers(t, old)
	away := player(t, "Cy").join(a.Invite())
	agree(t, 4, a, b, away)
	old.stop()
	until(t, "the relay is gone", func() bool {
		return a.Net().Relay != RelayConnected && b.Net().Relay != RelayConnected && away.Net().Relay != RelayConnected
	})
	sealed, _ := placed(a)
	late, err := b.Act(t.Context(), "Join", nil) // while there is no relay
	if err != nil {
		t.Fatal(err)
	}
	id, err := a.MoveTo(t.Context(), next.url(), "The relay is gone.", "")
	if err != nil {
		t.Fatal(err)
	}
	if m := motionOf(t, a); len(m.Assents) != 1 || m.Needed() != 2 {
		t.Fatalf("%d assents, %d needed", len(m.Assents), m.Needed())
	}
	hand(t, a, bo)
	if err := b.Ballot(t.Context(), id, ledger.VerbAssent); err != nil {
		t.Fatal(err)
	}
	hand(t, b, ana)
	playAt(t, next, a, b)
	agree(t, sealed+3, a, b) // both assents, and what was done meanwhile
	if !holds(a, late) {
		t.Error("what was done without a relay is lost")
	}
	if m := motionOf(t, a); m.Status != game.MotionDone {
		t.Errorf("the motion is %s", m.Status)
	}
	if _, err := a.Act(t.Context(), "Join", nil); err != nil {
		t.Fatal(err)
	}
	agree(t, sealed+4, a, b)

	// Who comes back with the new invite, and who comes for the first time, find the game.
	if _, err := away.hub.Join(t.Context(), a.Invite(), "Cy"); err != nil {
		t.Fatal(err)
	}
	agree(t, sealed+4, a, b, away)
	newcomer := player(t, "Di").join(b.Invite())
	agree(t, sealed+5, a, b, away, newcomer)
	for s, can := range map[*Session]bool{a: true, b: true, away: false, newcomer: false} {
		var choices []Crossing
		check(t, s.do(t.Context(), func() { choices = s.Choices(s.machine.Replica()) }))
		if got := len(choices) == 1 && choices[0].State == CrossingFollowed; got != can {
			t.Errorf("the device %s can go back: %v", s.Device(), got)
		}
	}

	// The relay stays what it is after a restart.
	ana.restart()
	a = ana.session(a.Room())
	playAt(t, next, a)
}

// The old relay comes back after the change, and does not get the game back; what only it sealed is
// sealed again by the new one.
func TestOldRelayComesBack(t *testing.T) {
	old, next := startRelay(t), startRelay(t)
	ana, bo, a, _ := twoPlayers(t, old)
	sealed, _ := placed(a)
	bo.identity, bo.games = bo.identity.Reopen(), bo.games.Reopen()
	bo.hub.Close() // Bo does not see the rest at the old relay
	only, err := a.Act(t.Context(), "Join", nil)
	if err != nil {
		t.Fatal(err)
	}
	agree(t, sealed+1, a)
	old.stop()
	bo.open()
	b := bo.session(a.Room())
	until(t, "the relay is gone", func() bool { return a.Net().Relay != RelayConnected })
	id, err := b.MoveTo(t.Context(), next.url(), "", "")
	if err != nil {
		t.Fatal(err)
	}
	hand(t, b, ana)
	if m := motionOf(t, a); m.Base != uint64(sealed) {
		t.Fatalf("the base is %d, want %d", m.Base, sealed)
	}
	old.start()
	until(t, "the old relay is back", func() bool { return a.Net().Relay == RelayConnected })
	if err := a.Ballot(t.Context(), id, ledger.VerbAssent); err != nil {
		t.Fatal(err)
	}
	hand(t, a, bo)
	agree(t, sealed+3, a, b)
	if !holds(b, only) {
		t.Error("what only the old relay had sealed is lost")
	}
	until(t, "a seal of the old relay is overruled", func() (overruled bool) {
		a.do(context.Background(), func() { overruled = len(a.machine.Replica().Overruled()) > 0 })
		return overruled
	})
	for _, s := range []*Session{a, b} {
		playAt(t, next, s)
		if s.Net().Diverged != nil {
			t.Errorf("diverged: %v", s.Net().Diverged)
		}
	}
}

// A relay that does not know the game is no new relay: it is listened to, and gets nothing.
func TestStrangerGetsNothing(t *testing.T) {
	old, other := startRelay(t), startRelay(t)
	_, _, a, _ := twoPlayers(t, old)
	sealed, _ := placed(a)
	old.stop()
	until(t, "the relay is gone", func() bool { return a.Net().Relay != RelayConnected })
	conn, w, err := a.config.Dial(t.Context(), mustURL(t, other.url()), a.keys.Sign, true)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if err := a.tryRelay(t.Context(), mustURL(t, other.url())); err != nil {
		t.Fatal(err)
	}
	until(t, "the stranger is known for one", func() bool { return a.Net().Relay == RelayRefused && a.Net().Problem != "" })
	if _, err := a.Act(t.Context(), "Join", nil); err != nil {
		t.Fatal(err)
	}
	if n, _ := placed(a); n != sealed || w.Seals != 0 {
		t.Errorf("%d actions in place, want %d", n, sealed)
	}
	if a.Net().Synced || a.Net().Unsent != 1 {
		t.Errorf("unsent %d, synced %v", a.Net().Unsent, a.Net().Synced)
	}
}

func mustURL(t *testing.T, address string) string {
	t.Helper()
	url, err := RelayURL(address)
	if err != nil {
		t.Fatal(err)
	}
	return url
}

// begun lets a session try to make the new relay of its one open motion go on, or hear that it does.
func begun(t *testing.T, s *Session, url string) error {
	t.Helper()
	var p ledger.Proof
	if err := s.Do(t.Context(), func(g *game.Game) { p, _ = g.Replica().ProofOf(g.Motions()[0].Motion) }); err != nil {
		t.Fatal(err)
	}
	return s.beginHeir(mustURL(t, url), p)
}

// A relay that was given more of the history than up to the seal from which it is to go on never will:
// the game stays where it is, and everybody is told.
func TestRelayWithMoreHistoryDoesNotGoOn(t *testing.T) {
	old, next := startRelay(t), startRelay(t)
	_, _, a, b := twoPlayers(t, old)
	id, err := a.MoveTo(t.Context(), next.url(), "", "")
	if err != nil {
		t.Fatal(err)
	}
	agree(t, 4, a, b)
	if _, err := b.prepareHeir(t.Context(), mustURL(t, next.url()), 4); err != nil { // for a later base
		t.Fatal(err)
	}
	if err := b.Ballot(t.Context(), id, ledger.VerbAssent); err != nil {
		t.Fatal(err)
	}
	agree(t, 5, a, b)
	for _, s := range []*Session{a, b} {
		if err := begun(t, s, next.url()); !errors.Is(err, errOtherHistory) {
			t.Errorf("the relay goes on: %v", err)
		}
		until(t, "the player is told", func() bool { return strings.Contains(s.Net().Problem, errOtherHistory.Error()) })
	}
	if _, err := a.Act(t.Context(), "Join", nil); err != nil {
		t.Fatal(err)
	}
	agree(t, 6, a, b)
	if a.Net().Relay != RelayConnected || b.Net().Relay != RelayConnected {
		t.Error("the old relay was left")
	}
}

// A relay whom somebody with the invite made go on without a proof is not the game's.
func TestRelayThatBeganWithoutProof(t *testing.T) {
	old, next := startRelay(t), startRelay(t)
	_, _, a, b := twoPlayers(t, old)
	id, err := a.MoveTo(t.Context(), next.url(), "", "")
	if err != nil {
		t.Fatal(err)
	}
	agree(t, 4, a, b)
	base := motionOf(t, a)
	conn, _, err := a.config.Dial(t.Context(), mustURL(t, next.url()), a.keys.Sign, true)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if err := conn.Send(t.Context(), wire.Continue{Base: base.BaseHash}); err != nil {
		t.Fatal(err)
	}
	until(t, "it has begun", func() bool {
		look, w, err := a.config.Dial(t.Context(), mustURL(t, next.url()), a.keys.Sign, true)
		if err != nil {
			t.Fatal(err)
		}
		look.Close()
		return w.Seals > base.Base
	})
	if err := b.Ballot(t.Context(), id, ledger.VerbAssent); err != nil {
		t.Fatal(err)
	}
	agree(t, 5, a, b)
	for _, s := range []*Session{a, b} {
		until(t, "the player is told", func() bool { return strings.Contains(s.Net().Problem, errOtherHistory.Error()) })
		if s.Net().Relay != RelayConnected {
			t.Error("the old relay was left")
		}
	}
}

// Who comes to the new relay when somebody else has made it go on hears so from it alone.
func TestRelayThatWasBegunIsHeard(t *testing.T) {
	old, next := startRelay(t), startRelay(t)
	ana, _, a, b := twoPlayers(t, old)
	id, err := a.MoveTo(t.Context(), next.url(), "", "")
	if err != nil {
		t.Fatal(err)
	}
	agree(t, 4, a, b)
	ana.identity, ana.games = ana.identity.Reopen(), ana.games.Reopen()
	ana.hub.Close()
	old.stop()
	if err := b.Ballot(t.Context(), id, ledger.VerbAssent); err != nil {
		t.Fatal(err)
	}
	playAt(t, next, b)
	ana.open()
	a = ana.session(b.Room())
	if err := begun(t, a, next.url()); err != nil {
		t.Errorf("the new relay is not heard: %v", err)
	}
	until(t, "the game goes on at the new relay", func() bool {
		var key, want wire.NotaryKey
		a.do(context.Background(), func() { key, _ = a.machine.Replica().Notary() })
		b.do(context.Background(), func() { want, _ = b.machine.Replica().Notary() })
		return key == want
	})
}

// Players who cannot reach the relay that they signed for sign for a third one. Who alone reached the second
// one meanwhile goes to the third as soon as they agree.
func TestRivalIsFollowed(t *testing.T) {
	old, second, third := startRelay(t), startRelay(t), startRelay(t)
	devices, sessions := fourPlayers(t, old)
	ana, bo, cy, di := devices[0], devices[1], devices[2], devices[3]
	a, b, c, d := sessions[0], sessions[1], sessions[2], sessions[3]
	old.stop()
	until(t, "the relay is gone", func() bool {
		return a.Net().Relay != RelayConnected && b.Net().Relay != RelayConnected && c.Net().Relay != RelayConnected && d.Net().Relay != RelayConnected
	})
	move := func(s *Session, to *relayServer) ledger.MotionID {
		id, err := s.MoveTo(t.Context(), to.url(), "", "")
		if err != nil {
			t.Fatal(err)
		}
		return id
	}
	assent := func(s *Session, id ledger.MotionID) {
		if err := s.Ballot(t.Context(), id, ledger.VerbAssent); err != nil {
			t.Fatal(err)
		}
	}
	first := move(a, second)
	second.stop()
	carryRound(t, first, ana, a, []*device{bo, cy}, []*Session{b, c})
	rival := move(b, third)
	hand(t, b, cy)
	assent(c, rival)
	hand(t, c, di)
	assent(d, rival)
	playAt(t, third, d)
	second.start()
	playAt(t, second, a)
	hand(t, d, ana)
	if err := a.Decide(t.Context(), pendingOf(t, a).First, true); err != nil { // she has signed for the second one only
		t.Fatal(err)
	}
	playAt(t, third, a)
}

// pendingOf returns the change of notary that waits for a session's person, once there is one.
func pendingOf(t *testing.T, s *Session) ledger.PendingSuccession {
	t.Helper()
	var p []ledger.PendingSuccession
	until(t, "the person is asked", func() bool {
		s.do(context.Background(), func() { p = s.machine.Replica().Pending() })
		return len(p) == 1
	})
	return p[0]
}

// askedPlayer is a game of four players of whom three play at another relay. The fourth, Di, has not signed for that, would lose the
// place of one action, and is asked.
type askedPlayer struct {
	device      *device
	session     *Session
	others      [3]*Session
	asked       ledger.PendingSuccession
	home, moved string          // invites to the old relay and to the new one
	only        ledger.ActionID // what would lose its place
}

func newAskedPlayer(t *testing.T) askedPlayer {
	t.Helper()
	old, next := startRelay(t), startRelay(t)
	devices, sessions := fourPlayers(t, old)
	ana, bo, cy, di := devices[0], devices[1], devices[2], devices[3]
	room, d := sessions[0].Room(), sessions[3]
	home := d.Invite()
	for _, away := range []*device{ana, bo, cy} {
		away.identity, away.games = away.identity.Reopen(), away.games.Reopen()
		away.hub.Close()
	}
	only, err := d.Act(t.Context(), "Join", nil)
	if err != nil {
		t.Fatal(err)
	}
	agree(t, 8, d)
	old.stop()
	for _, back := range []*device{ana, bo, cy} {
		back.open()
	}
	a, b, c := ana.session(room), bo.session(room), cy.session(room)
	id, err := a.MoveTo(t.Context(), next.url(), "", "")
	if err != nil {
		t.Fatal(err)
	}
	carryRound(t, id, ana, a, []*device{bo, cy}, []*Session{b, c})
	hand(t, a, bo)
	agree(t, 10, a, b, c)
	moved := a.Invite()
	old.start()
	until(t, "the old relay is back", func() bool { return d.Net().Relay == RelayConnected })
	hand(t, a, di)
	p := pendingOf(t, d)
	if p.ID != id || p.Loses != 1 || d.Invite() != home {
		t.Fatalf("asked %+v, at %s", p, d.Invite())
	}
	agree(t, 8, d) // and nothing else, before Di says so
	return askedPlayer{device: di, session: d, others: [3]*Session{a, b, c}, asked: p, home: home, moved: moved, only: only}
}

// at waits until a session plays at the relay of an invite.
func at(t *testing.T, s *Session, invite string) {
	t.Helper()
	until(t, "it is at "+invite, func() bool { return s.Invite() == invite && s.Net().Relay == RelayConnected && s.Net().Synced })
}

// crossing is how the person stands to the one change of notary that they have a say in.
func crossing(t *testing.T, s *Session) (state string) {
	t.Helper()
	check(t, s.do(t.Context(), func() {
		if all := Crossings(s.machine.Replica()); len(all) == 1 {
			state = all[0].State
		}
	}))
	return state
}

// Who has not signed for another relay and would lose places is asked, and goes there, or back, as they say; also
// after a start.
func TestPersonIsAsked(t *testing.T) {
	g := newAskedPlayer(t)
	d := g.session
	for _, agreed := range []bool{true, false} {
		if err := d.Decide(t.Context(), g.asked.First, agreed); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if agreed {
				at(t, d, g.moved)
				agree(t, 11, append(g.others[:], d)...)
				if !holds(g.others[0], g.only) {
					t.Error("what only the old relay had sealed is lost")
				}
			} else {
				at(t, d, g.home)
				agree(t, 11, d) // the ballots are sealed there, too
			}
			g.device.restart()
			d = g.device.session(d.Room())
		}
	}
}

// A tab that reads along asks, too. What its person decides the tab that writes carries out and keeps, and both show it.
func TestReaderDecides(t *testing.T) {
	g := newAskedPlayer(t)
	reader := g.device.tab(g.device.tabs).session(g.session.Room())
	bystander := g.device.tab(g.device.tabs).session(g.session.Room())
	if got := pendingOf(t, reader); got.First != g.asked.First || reader.Net().Writer {
		t.Fatalf("the reader asks %+v; it writes: %v", got, reader.Net().Writer)
	}
	for _, step := range []struct {
		agreed bool
		invite string
		state  string
	}{{true, g.moved, CrossingFollowed}, {false, g.home, CrossingRefused}} {
		check(t, reader.Decide(t.Context(), g.asked.First, step.agreed))
		at(t, g.session, step.invite)
		for _, s := range []*Session{g.session, reader} {
			until(t, "it is "+step.state, func() bool { return crossing(t, s) == step.state && s.Invite() == step.invite })
		}
	}
	decisions := 0
	check(t, g.session.do(t.Context(), func() {
		_, err := g.session.store.readLog(t.Context(), g.session.Room(), 0, func(item logItem, _, _ int) {
			if item.Kind == itemDecision {
				decisions++
			}
		})
		check(t, err)
	}))
	if decisions != 2 {
		t.Errorf("%d decisions are in the log, want 2", decisions)
	}
	bystander.Close()
	reader.Close()
	g.device.restart()
	if d := g.device.session(g.session.Room()); crossing(t, d) != CrossingRefused || d.Invite() != g.home {
		t.Errorf("after a start it is %q, at %s", crossing(t, d), d.Invite())
	}
}
