package game

import (
	"encoding/base64"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"peernomic/engine/ledger"
)

// announce makes a device announce a move; it is sent, not sealed.
func (tb *table) announce(device int, m ledger.Move) {
	tb.t.Helper()
	body, err := m.Encode()
	must(tb.t, err)
	pen := tb.pens[device]
	e, err := pen.Write(tb.full.Replica().Position(pen.Device().Key()), ledger.KindMove, body, tb.now)
	must(tb.t, err)
	tb.send(e)
	tb.full.Advance(tb.now)
}

// Clauses 13.4 and 13.5: an announcement is shown with whom it leaves out, changes nothing, and
// can be opened by those whom it invites, and by nobody else.
func TestMoves(t *testing.T) {
	tb := newLockTable(t, 4)
	seal := tb.full.Replica().Seals()
	hash, _ := tb.full.Replica().Seal(seal)
	invite := ledger.Invite{Relay: "wss://relay.example", Secret: ledger.RoomSecret{7}, Game: ledger.GameID{8}}
	invitations, err := tb.full.Invite(invite, []int64{2, 3}, rand.NewChaCha8([32]byte{1}))
	must(t, err)
	before := digestOf(tb.full)
	m := ledger.Move{Game: invite.Game, Seal: seal, SealHash: hash.Hash, Why: "The relay is slow.\nVery.", Invitations: invitations}
	tb.announce(0, m)
	for _, tentative := range []bool{true, false} {
		moves := tb.full.Moves()
		if len(moves) != 1 || moves[0].By != 1 || moves[0].Tentative != tentative || !slices.Equal(moves[0].Uninvited, []int64{4}) || moves[0].Why != m.Why {
			t.Fatalf("moves %+v", moves)
		}
		for device, invited := range []bool{false, true, true, false} {
			got, err := moves[0].Open(tb.game, tb.pens[device].Device())
			if invited && (err != nil || got != invite) || !invited && !errors.Is(err, ledger.ErrNotInvited) {
				t.Errorf("device %d opens %+v, %v", device, got, err)
			}
			if got, err := moves[0].Open(ledger.GameID{1}, tb.pens[device].Device()); !errors.Is(err, ledger.ErrNotInvited) {
				t.Errorf("in another game, device %d opens %+v, %v", device, got, err)
			}
		}
		tb.seal()
	}
	w := tb.full.World()
	if digestOf(tb.full) != before {
		t.Errorf("the announcement changed the world: %v", w.Log())
	}

	// By somebody who is no player, or in no good form, it is not shown.
	stranger := newTableOf(t, 5, []ledger.Document{{Path: "ruleset.md", Text: "# Test\n\nA test."}}) // for its keys
	e, err := stranger.pens[4].Enrol(stranger.ids[4], "Sam", tb.game, nil, tb.now)
	must(t, err)
	tb.send(e)
	tb.pens = append(tb.pens, stranger.pens[4])
	tb.announce(4, m)
	pen := tb.pens[0]
	e, err = pen.Write(tb.full.Replica().Position(pen.Device().Key()), ledger.KindMove, []byte("away"), tb.now)
	must(t, err)
	tb.send(e)
	tb.seal()
	if got := len(tb.full.Moves()); got != 1 {
		t.Errorf("%d moves are shown", got)
	}
	// Two moves are two choices.
	m.Game[0]++
	tb.announce(3, m)
	if got := tb.full.Moves(); len(got) != 2 || got[1].By != 4 {
		t.Errorf("%d moves are shown", len(got))
	}
	// Nobody makes the others look at rooms without end.
	for range 2 * maxMoves {
		m.Game[0]++
		tb.announce(3, m)
	}
	tb.announce(2, m)
	if got := tb.full.Moves(); len(got) != 1+maxMoves+1 || got[maxMoves+1].By != 3 {
		t.Errorf("%d moves are shown", len(got))
	}
}

// A long announcement goes on in parts, and a forked device's second one does not count.
func TestMoveInParts(t *testing.T) {
	tb := newLockTable(t, 2)
	m := ledger.Move{Game: ledger.GameID{8}, Seal: 1, Invitations: make([]ledger.Invitation, 200)}
	for i := range m.Invitations {
		m.Invitations[i].Sealed = make([]byte, 100)
	}
	tb.announce(0, m)
	tb.seal()
	if got := tb.full.Moves(); len(got) != 1 || len(got[0].Invitations) != 200 || !slices.Equal(got[0].Uninvited, []int64{2}) {
		t.Errorf("moves %+v", got)
	}
}

// What a person did after the seal, and what of it counts.
func TestLeftBehind(t *testing.T) {
	tb := newTable(t, 2)
	seal := tb.full.Replica().Seals()
	tb.act(1, "Dig")
	tb.seal()
	tb.act(1, "No such thing")
	tb.act(0, "Wind")
	tb.act(1, "Dig")
	tb.seal()
	tb.act(1, "Dig") // tentative: its dice fall later
	tb.act(1, "No such thing")
	tb.full.Advance(tb.now)
	names := func(person int64, seal uint64) (out []string) {
		for _, e := range tb.full.LeftBehind(person, seal) {
			out = append(out, e.Outcome.Action)
		}
		return out
	}
	if got := names(2, seal); !slices.Equal(got, []string{"Dig", "Dig", "Dig"}) {
		t.Errorf("after seal %d: %v", seal, got)
	}
	if got := names(2, seal+1); !slices.Equal(got, []string{"Dig", "Dig"}) {
		t.Errorf("after seal %d: %v", seal+1, got)
	}
	if got := names(1, seal); !slices.Equal(got, []string{"Wind"}) {
		t.Errorf("of the other: %v", got)
	}
}

// What a long action does, which goes on in parts, can be done again.
func TestActOfALongAction(t *testing.T) {
	tb := newLockTable(t, 1)
	long := make([]byte, 20<<10)
	_, _ = rand.NewChaCha8([32]byte{2}).Read(long)
	text := base64.StdEncoding.EncodeToString(long)
	tb.actWith(0, "Write", map[string]any{"text": text})
	tb.seal()
	entries := tb.full.Entries()
	e := entries[len(entries)-1]
	if a, _ := tb.full.Replica().Action(e.Action); len(a.Action().Parts) == 0 {
		t.Fatal("it fits into one envelope")
	}
	if act, ok := tb.full.ActOf(e.Action); !ok || act.Name != "Write" || act.Args["text"] != text {
		t.Errorf("it is %v, %s", ok, act.Name)
	}
	if _, ok := tb.full.ActOf(entries[0].Action); ok {
		t.Error("the genesis can be done again")
	}
}
