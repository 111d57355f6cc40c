//go:build !js

package client

import (
	"crypto/rand"
	"errors"
	"slices"
	"testing"

	"peernomic/app/client/direct"
	"peernomic/app/client/journal"
	"peernomic/engine/game"
	"peernomic/engine/ledger"
	"peernomic/engine/wire"
)

// trio is a game of Ana, Bo and Cy, who are players 1 to 3, at a relay.
type trio struct {
	t        *testing.T
	relay    *relayServer
	devices  []*device
	sessions []*Session
}

func newTrio(t *testing.T) *trio {
	t.Helper()
	relay := startRelay(t)
	ana, bo, a, b := twoPlayers(t, relay)
	cy := newDevice(t, "Cy")
	c := cy.join(a.Invite())
	agree(t, 4, a, b, c)
	_, err := c.Act(t.Context(), "Join", nil)
	check(t, err)
	agree(t, 5, a, b, c)
	return &trio{t, relay, []*device{ana, bo, cy}, []*Session{a, b, c}}
}

// link links two sessions directly until the test ends.
func link(t *testing.T, a, b *Session) {
	t.Helper()
	end, far := pipeLinks()
	card := func(s *Session) []byte { k := s.Device(); return k[:] }
	go a.servePeer(a.ctx, direct.Member{Instance: b.links.instance, Card: card(b)}, end)
	go b.servePeer(b.ctx, direct.Member{Instance: a.links.instance, Card: card(a)}, far)
	t.Cleanup(func() { end.Close() })
}

func newest(t *testing.T, s *Session) (seal uint64) {
	t.Helper()
	check(t, s.Do(t.Context(), func(g *game.Game) { seal = Newest(g) }))
	return seal
}

// offer waits for an offer that a session has.
func offer(t *testing.T, d *device, s *Session, what string, is func(Offer) bool) (found Offer) {
	t.Helper()
	until(t, what, func() bool {
		all, err := d.hub.Offers(t.Context(), s)
		check(t, err)
		i := slices.IndexFunc(all, is)
		if i >= 0 {
			found = all[i]
		}
		return i >= 0
	})
	return found
}

func here(o Offer) bool { return o.Here }

func id(t *testing.T, act func() (ledger.ActionID, error)) ledger.ActionID {
	t.Helper()
	id, err := act()
	check(t, err)
	return id
}

// The relay is dead for good. Ana opens a room at another one, and Bo, who is linked to her, goes along: his seat is
// there, and what he did that did not come along he does again. Cy is left out, and can read nothing.
func TestMoveFromADeadRelay(t *testing.T) {
	g := newTrio(t)
	ana, bo, cy := g.devices[0], g.devices[1], g.devices[2]
	a, b, c := g.sessions[0], g.sessions[1], g.sessions[2]
	g.relay.stop()
	for _, s := range g.sessions {
		until(t, "the loss is noticed", func() bool { return s.Net().Relay != RelayConnected })
	}
	link(t, a, b)
	link(t, b, c)
	lost := id(t, func() (ledger.ActionID, error) { return b.Act(t.Context(), "Join", nil) })
	until(t, "Ana has heard of it", func() bool { return holds(a, lost) })
	seal := newest(t, a)
	next := startRelay(t)
	to, err := ana.hub.Move(t.Context(), a, Moving{Relay: next.url(), Seal: seal, Why: "The relay is gone.", People: []int64{1, 2}})
	check(t, err)

	o := offer(t, bo, b, "Bo sees the new room", here)
	if o.By != a.Me() || o.Why != "The relay is gone." || o.Seal != seal || !slices.Equal(o.Uninvited, []int64{3}) || o.Wrong != nil || o.Choice != journal.Undecided {
		t.Errorf("Bo is offered %+v", o)
	}
	if len(o.Came) != 1 || len(o.Seats) != 3 || len(o.Left) != 1 || o.Left[0].Action != lost {
		t.Errorf("%d of %d have gone, and %d actions stay behind", len(o.Came), len(o.Seats), len(o.Left))
	}
	before, err := bo.hub.Games(t.Context())
	check(t, err)
	if len(before) != 1 || before[0].Room != b.Room() {
		t.Errorf("before he goes along, Bo has %+v", before)
	}
	if there := bo.session(to); there.Me() != b.Me() || func() int { n, _ := placed(there); return n }() != 1 {
		t.Error("Bo was taken along unasked")
	}
	check(t, bo.hub.GoAlong(t.Context(), b, to))
	there := bo.session(to)
	agree(t, 2, ana.session(to), there)
	if there.Me() != b.Me() {
		t.Errorf("Bo is player %d there, and %d here", there.Me(), b.Me())
	}
	check(t, bo.hub.Again(t.Context(), b, to, lost, true))
	agree(t, 3, ana.session(to), there)
	if o := offer(t, bo, b, "the offer is there", here); len(o.Left) != 0 || len(o.Came) != 2 || o.Choice != journal.GoesAlong {
		t.Errorf("after he went along, Bo is offered %+v", o)
	}
	after, err := bo.hub.Games(t.Context())
	check(t, err)
	if len(after) != 1 || after[0].Room != to || !slices.Equal(after[0].Earlier, []wire.RoomID{b.Room()}) {
		t.Errorf("after he went along, Bo has %+v", after)
	}

	o = offer(t, cy, c, "Cy hears of the move", func(o Offer) bool { return o.By != 0 })
	if o.Room != (wire.RoomID{}) || o.Here || !slices.Equal(o.Uninvited, []int64{3}) {
		t.Errorf("Cy is offered %+v", o)
	}
	var envelopes [][]byte
	check(t, there.do(t.Context(), func() {
		for _, item := range contents(there.node().Game().Replica()) {
			envelopes = append(envelopes, item.Bytes)
		}
	}))
	for _, e := range envelopes {
		if _, err := c.keys.Open(e); err == nil {
			t.Error("Cy can read something of the new room")
		}
	}

	// The file has both chapters, in order, and whoever imports it has them behind one game.
	file, err := there.Export(t.Context())
	check(t, err)
	chapters, err := ReadGame(t.Context(), file, nil)
	check(t, err)
	if len(chapters) != 2 || chapters[0].Replica().Game() != b.gameID || chapters[1].Replica().Game() != there.gameID {
		t.Errorf("%d chapters", len(chapters))
	}
	di := newDevice(t, "Di")
	di.open()
	imported, err := di.hub.Import(t.Context(), file, "")
	check(t, err)
	if games, err := di.hub.Games(t.Context()); err != nil || len(games) != 1 || games[0].Room != imported || len(games[0].Earlier) != 1 {
		t.Errorf("imported as %+v, %v", games, err)
	}
	check(t, bo.hub.Leave(t.Context(), to))
	if rooms, err := bo.hub.journal.Rooms(t.Context()); err != nil || len(rooms) != 0 {
		t.Errorf("after it was removed %d rooms are left, %v", len(rooms), err)
	}
}

// Two players move the game at once: everybody else has two choices with their counts, and takes one.
func TestRivalMoves(t *testing.T) {
	g := newTrio(t)
	ana, bo, cy := g.devices[0], g.devices[1], g.devices[2]
	a, b, c := g.sessions[0], g.sessions[1], g.sessions[2]
	all := []int64{1, 2, 3}
	first, err := ana.hub.Move(t.Context(), a, Moving{Relay: g.relay.url(), Seal: newest(t, a), Why: "Mine.", People: all})
	check(t, err)
	second, err := bo.hub.Move(t.Context(), b, Moving{Relay: g.relay.url(), Seal: newest(t, b), Why: "No, mine.", People: all})
	check(t, err)
	var offers []Offer
	until(t, "Cy sees both", func() bool {
		offers, err = cy.hub.Offers(t.Context(), c)
		check(t, err)
		return len(offers) == 2 && offers[0].Here && offers[1].Here
	})
	for _, o := range offers {
		if o.Wrong != nil || len(o.Came) != 1 || len(o.Seats) != 3 {
			t.Errorf("Cy is offered %+v", o)
		}
	}
	check(t, cy.hub.Stay(t.Context(), first))
	check(t, cy.hub.GoAlong(t.Context(), c, second))
	there := cy.session(second)
	agree(t, 2, bo.session(second), there)
	if n, _ := placed(ana.session(first)); n != 1 {
		t.Errorf("%d actions in the room that Cy does not go to", n)
	}
	offers, err = cy.hub.Offers(t.Context(), c)
	check(t, err)
	if offers[0].Choice != journal.Stays || offers[1].Choice != journal.GoesAlong {
		t.Errorf("Cy has decided %v and %v", offers[0].Choice, offers[1].Choice)
	}
	// Nobody's place was taken back, and the old room goes on for those who stay.
	act(t, a, "still here")
	until(t, "the old room goes on", func() bool { n, _ := placed(b); return n == 8 })
}

// A device that was away hears of the move when it comes back to the old room.
func TestLatecomerIsLedToTheNewRoom(t *testing.T) {
	g := newTrio(t)
	ana, cy := g.devices[0], g.devices[2]
	a, c := g.sessions[0], g.sessions[2]
	c.Close()
	to, err := ana.hub.Move(t.Context(), a, Moving{Relay: g.relay.url(), Seal: newest(t, a), Why: "While Cy is away.", People: []int64{1, 2, 3}})
	check(t, err)
	act(t, a, "after the move")
	there := ana.session(to)
	until(t, "the announcement is at the relay", func() bool { return a.Net().Synced })
	cy.restart()
	c = cy.session(g.sessions[0].Room())
	o := offer(t, cy, c, "Cy is led to the new room", here)
	if o.Wrong != nil || o.Room != to {
		t.Errorf("Cy is offered %+v", o)
	}
	check(t, cy.hub.GoAlong(t.Context(), c, to))
	agree(t, 2, there, cy.session(to))
	cy.restart()
	if games, err := cy.hub.Games(t.Context()); err != nil || len(games) != 1 || games[0].Room != to {
		t.Errorf("after a restart Cy has %+v, %v", games, err)
	}
}

// A link to a new room that is opened where the chapter before is held asks first.
func TestLinkToANewRoomAsksFirst(t *testing.T) {
	g := newTrio(t)
	ana, cy := g.devices[0], g.devices[2]
	a, c := g.sessions[0], g.sessions[2]
	to, err := ana.hub.Fork(t.Context(), a, newest(t, a), "The same game", g.relay.url()) // nobody is told
	check(t, err)
	link := ana.session(to).Invite()
	there := cy.join(link)
	until(t, "its beginning is there, with Cy's seat", func() bool { n, _ := placed(there); return n == 1 && there.Me() == 3 })
	o := offer(t, cy, c, "the room is offered", here)
	if o.By != 0 || o.Room != to || o.Wrong != nil {
		t.Errorf("Cy is offered %+v", o)
	}
	check(t, there.Do(t.Context(), func(g *game.Game) {
		if seq, _, _ := g.Replica().Feed(there.Device()); seq != 0 {
			t.Error("Cy was enrolled unasked")
		}
	}))
	check(t, cy.hub.GoAlong(t.Context(), c, to))
	agree(t, 2, ana.session(to), there)
}

// A room whose game is not the old one as it was is shown as that, and nobody can go along.
func TestWrongSeamIsRefused(t *testing.T) {
	g := newTrio(t)
	ana, cy := g.devices[0], g.devices[2]
	a, c := g.sessions[0], g.sessions[2]
	genesis, err := a.goingOn(t.Context(), newest(t, a)-1)
	check(t, err)
	check(t, a.Do(t.Context(), func(g *game.Game) { // the world of one seal, said to be that of the next
		last, _ := g.Replica().Seal(Newest(g))
		genesis.Continues.Seal, genesis.Continues.SealHash = last.Number, last.Hash
	}))
	to, err := ana.hub.found(t.Context(), genesis, "Ana", g.relay.url())
	check(t, err)
	check(t, ana.hub.Announce(t.Context(), a, to, "", []int64{3}))
	o := offer(t, cy, c, "the room is offered", here)
	var wrong *game.SeamError
	if !errors.As(o.Wrong, &wrong) {
		t.Errorf("the seam is %v", o.Wrong)
	}
	if err := cy.hub.GoAlong(t.Context(), c, to); !errors.Is(err, ErrSeamBroken) {
		t.Errorf("went along: %v", err)
	}
}

// A player announces rooms of other games that this device has, and the old room itself. None is taken for a room in
// which this game goes on.
func TestAnnouncedRoomOfAnotherGame(t *testing.T) {
	g := newTrio(t)
	ana, bo := g.devices[0], g.devices[1]
	a, b := g.sessions[0], g.sessions[1]
	first, err := ana.hub.Found(t.Context(), Founding{Title: "Another game", Name: "Ana", Relay: g.relay.url(),
		Ruleset: []ledger.Document{{Path: "1-core/01-join.md", Text: joinRule}}})
	check(t, err)
	other := ana.session(first)
	agree(t, 1, other)
	bos := bo.join(other.Invite())
	agree(t, 2, other, bos)
	to, err := ana.hub.Move(t.Context(), other, Moving{Relay: g.relay.url(), Seal: newest(t, other), Why: "Here.", People: []int64{1, 2}})
	check(t, err)
	offer(t, bo, bos, "the other game goes on", func(o Offer) bool { return o.Here && o.Wrong == nil })

	announce := func(room wire.RoomID) ledger.GameID {
		record, err := ana.hub.journal.Room(t.Context(), room)
		check(t, err)
		_, err = a.write(t.Context(), ledger.KindMove, func(g *game.Game) ([]byte, error) {
			invite := ledger.Invite{Relay: record.Relay, Secret: record.Secret, Game: record.Game}
			invitations, err := g.Invite(invite, []int64{1, 2, 3}, rand.Reader)
			check(t, err)
			return ledger.Move{Game: record.Game, Seal: 1, Why: "Elsewhere.", Invitations: invitations}.Encode()
		})
		check(t, err)
		return record.Game
	}
	for _, room := range []wire.RoomID{to, first, a.Room()} {
		announced := announce(room)
		o := offer(t, bo, b, "the announcement is there", func(o Offer) bool { return o.Game == announced })
		if o.Room != (wire.RoomID{}) {
			t.Errorf("%v is offered: %+v", room, o)
		}
		if err := bo.hub.GoAlong(t.Context(), b, room); err == nil {
			t.Errorf("Bo goes along to %v", room)
		}
	}
}

// Whom the first announcement forgot is invited by a second one.
func TestAnnouncedAgain(t *testing.T) {
	g := newTrio(t)
	ana, cy := g.devices[0], g.devices[2]
	a, c := g.sessions[0], g.sessions[2]
	to, err := ana.hub.Move(t.Context(), a, Moving{Relay: g.relay.url(), Seal: newest(t, a), People: []int64{1, 2}})
	check(t, err)
	offer(t, cy, c, "Cy is left out", func(o Offer) bool { return slices.Equal(o.Uninvited, []int64{3}) })
	check(t, ana.hub.Announce(t.Context(), a, to, "", []int64{3}))
	o := offer(t, cy, c, "Cy is invited", here)
	if o.Room != to || o.Wrong != nil || len(o.Uninvited) != 0 {
		t.Errorf("Cy is offered %+v", o)
	}
}
