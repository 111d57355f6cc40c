package ledger

import (
	"bytes"
	"encoding/hex"
	"errors"
	"strings"
	"testing"

	"peernomic/engine/wire"
)

// moves makes right announcements, and everything that is wrong in one way.
func (f *forge) moves() {
	good := Move{
		Game: GameID{1}, Seal: 2, SealHash: f.tab.seals[1].Hash, Why: "The relay is\ngone.",
		Invitations: []Invitation{must(Invite{Relay: "wss://relay.example", Secret: RoomSecret{9}, Game: GameID{1}}.Seal(f.tab.game, f.guest.dev.Key(), f.guest.dev.Box().PublicKey(), source("invitation")))},
	}
	add := func(name string, want Code, body []byte) {
		f.Moves = append(f.Moves, moveVector{Clause: CodeMove.Clause(), Name: name, Body: hex.EncodeToString(body), Want: string(want)})
	}
	with := func(change func(m *Move)) []byte {
		m := good
		change(&m)
		return must(wire.Encode(m))
	}
	body := with(func(*Move) {})
	add("an announcement", "", body)
	add("an announcement that invites nobody", "", with(func(m *Move) { m.Invitations = nil }))
	add("an announcement with a byte after it", CodeMove, append(bytes.Clone(body), 0))
	add("an announcement without game", CodeMove, with(func(m *Move) { m.Game = GameID{} }))
	add("an announcement without seal", CodeMove, with(func(m *Move) { m.Seal = 0 }))
	add("an announcement with a reason of 1001 bytes", CodeMove, with(func(m *Move) { m.Why = strings.Repeat("x", MaxWhy+1) }))
	add("an announcement with 4097 invitations", CodeMove, with(func(m *Move) { m.Invitations = make([]Invitation, MaxInvitations+1) }))

	box := f.guest.dev.Box().Bytes()
	invite := must(wire.Encode(must(good.Open(f.tab.game, f.guest.dev))))
	read := func(name string, sealed, out []byte) {
		f.Readings = append(f.Readings, readingVector{Clause: "13.5", Name: name, Kind: "invitation", In: hex.EncodeToString(sealed),
			With: hex.EncodeToString(bytes.Join([][]byte{box, f.tab.game[:], good.Game[:]}, nil)), Out: hex.EncodeToString(out)})
	}
	sealed := good.Invitations[0].Sealed
	read("an invitation", sealed, invite)
	changed := bytes.Clone(sealed)
	changed[40] ^= 1
	read("a changed invitation", changed, nil)
	read("an invitation cut off", sealed[:31], nil)
	other := must(Invite{Relay: "wss://relay.example", Secret: RoomSecret{9}, Game: GameID{1}}.Seal(GameID{5}, f.guest.dev.Key(), f.guest.dev.Box().PublicKey(), source("invitation")))
	read("an invitation from another game", other.Sealed, nil)
}

// What the announcement says of another game than its invitations is not believed, and a relay's
// address is a line of text.
func TestInvitations(t *testing.T) {
	tab := newTable(2)
	dev := tab.people[1].pen.dev
	seal := func(i Invite, game GameID) (Move, error) {
		inv, err := i.Seal(tab.game, dev.Key(), dev.Box().PublicKey(), source("x"))
		return Move{Game: game, Seal: 1, Invitations: []Invitation{{Device: DeviceKey{1}}, inv}}, err
	}
	want := Invite{Relay: "wss://relay.example", Secret: RoomSecret{9}, Game: GameID{1}}
	m := must(seal(want, GameID{1}))
	if got, err := m.Open(tab.game, dev); err != nil || got != want {
		t.Errorf("opened to %+v, %v", got, err)
	}
	for name, open := range map[string]func() (Invite, error){
		"another device":     func() (Invite, error) { return m.Open(tab.game, tab.people[0].pen.dev) },
		"another old game":   func() (Invite, error) { return m.Open(GameID{2}, dev) },
		"another new game":   func() (Invite, error) { m := m; m.Game = GameID{2}; return m.Open(tab.game, dev) },
		"an invite of a lie": func() (Invite, error) { return must(seal(want, GameID{2})).Open(tab.game, dev) },
	} {
		if got, err := open(); !errors.Is(err, ErrNotInvited) {
			t.Errorf("%s: opened to %+v, %v", name, got, err)
		}
	}
	_, err := seal(Invite{Relay: "", Game: GameID{1}}, GameID{1})
	wantCode(t, err, CodeMove)
}

// FuzzDecodeMove: what parses encodes to the same bytes.
func FuzzDecodeMove(f *testing.F) {
	for _, m := range seeds(f).Moves {
		f.Add(bytesOf(f, m.Body))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		m, err := DecodeMove(b)
		if err != nil {
			wantCode(t, err, CodeMove)
			return
		}
		if again, err := m.Encode(); err != nil || !bytes.Equal(again, b) {
			t.Errorf("the announcement encodes to other bytes: %v", err)
		}
	})
}
