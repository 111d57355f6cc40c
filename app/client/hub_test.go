//go:build !js

package client

import (
	"context"
	"errors"
	"testing"

	"peernomic/app/client/disk"
	"peernomic/engine/ledger"
)

func TestIdentityIsKept(t *testing.T) {
	d := newDevice(t, "Ana")
	first := d.open().Identity().Key()
	if again := d.restart().Identity().Key(); again != first {
		t.Error("another identity after a restart")
	}
	d.hub.Close()
	d.games, d.identity = &disk.Memory{}, d.identity.Reopen()
	if again := d.open().Identity().Key(); again != first {
		t.Error("clearing the games took the identity along")
	}
}

func TestRestoredIdentityGetsANewDevice(t *testing.T) {
	one, two := newDevice(t, "Ana"), newDevice(t, "Ana")
	one.open()
	two.open()
	before := two.hub.device.Key()
	if err := two.hub.SetIdentity(t.Context(), one.hub.Identity()); err != nil {
		t.Fatal(err)
	}
	two.restart()
	if two.hub.Identity().Key() != one.hub.Identity().Key() {
		t.Error("the identity was not taken over")
	}
	if key := two.hub.device.Key(); key == before || key == one.hub.device.Key() {
		t.Error("the device key was kept or copied")
	}
	two.session(two.found(""))
	three := newDevice(t, "Cy")
	if err := two.hub.SetIdentity(t.Context(), three.open().Identity()); !errors.Is(err, ErrHasGames) {
		t.Errorf("replaced an identity that plays: %v", err)
	}
}

// Two devices of one person play one game.
func TestSecondDeviceOfOnePerson(t *testing.T) {
	r, ana, a, _, b := pair(t)
	_ = r
	phone := newDevice(t, "Ana")
	if err := phone.open().SetIdentity(t.Context(), ana.hub.Identity()); err != nil {
		t.Fatal(err)
	}
	p := phone.join(a.Invite())
	agree(t, 3, a, b, p)
	act(t, p, "from the phone")
	act(t, a, "from the desk")
	agree(t, 5, a, b, p)
}

func TestPracticeNeedsNobody(t *testing.T) {
	ana := newDevice(t, "Ana")
	a := ana.session(ana.found(""))
	act(t, a, "one")
	act(t, a, "two")
	agree(t, 3, a)
	if n := a.Net(); n.Relay != RelayNone || n.Unsent != 0 || !n.Synced {
		t.Errorf("status %+v", n)
	}
	ana.restart()
	a = ana.session(a.Room())
	act(t, a, "three")
	agree(t, 4, a)
	file, err := a.Export(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := ledger.ReadArchive(file); err != nil {
		t.Error(err)
	}
}

func TestGamesAreListedAndForgotten(t *testing.T) {
	ana := newDevice(t, "Ana")
	first, second := ana.found(""), ana.found("")
	if err := ana.hub.Viewed(t.Context(), first); err != nil {
		t.Fatal(err)
	}
	games, err := ana.hub.Games(t.Context())
	if err != nil || len(games) != 2 || games[0].Room != first || games[0].Title != "A game" || !games[0].Practice {
		t.Fatalf("got %+v, %v", games, err)
	}
	ana.session(second)
	if err := ana.hub.Leave(t.Context(), second); err != nil {
		t.Fatal(err)
	}
	if games, err = ana.hub.Games(t.Context()); err != nil || len(games) != 1 {
		t.Errorf("after leaving: %+v, %v", games, err)
	}
	if _, err := ana.hub.Open(t.Context(), second); !errors.Is(err, ErrNoGame) {
		t.Errorf("opened a game that was left: %v", err)
	}
	left := 0
	if err := ana.games.Scan(t.Context(), "", "\x7f", func(key string, _ []byte) error {
		if len(key) > 64 && key[len(key)-64:] == second.String() {
			left++
		}
		return nil
	}); err != nil || left > 0 {
		t.Errorf("%d values left of it, %v", left, err)
	}
}

func TestPeekingTellsNobody(t *testing.T) {
	r := startRelay(t)
	ana, bo := newDevice(t, "Ana"), newDevice(t, "Bo")
	a := ana.session(ana.found(r.url()))
	bo.open()
	s, joined, err := bo.hub.Peek(t.Context(), a.Invite())
	if err != nil || joined {
		t.Fatal(joined, err)
	}
	agree(t, 1, a, s)
	if games, err := bo.hub.Games(t.Context()); err != nil || len(games) != 0 {
		t.Errorf("shows among the games: %+v, %v", games, err)
	}
	b := bo.join(a.Invite())
	agree(t, 2, a, b)
	until(t, "it shows", func() bool {
		games, err := bo.hub.Games(context.Background())
		return err == nil && len(games) == 1 && games[0].Title == "A game"
	})
	if _, joined, err := bo.hub.Peek(t.Context(), a.Invite()); err != nil || !joined {
		t.Error("not joined", err)
	}
}

func TestArchiveMovesAGame(t *testing.T) {
	_, ana, a, _, b := pair(t)
	act(t, b, "one")
	agree(t, 3, a, b)
	file, err := a.Export(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	cy := newDevice(t, "Cy")
	room, err := cy.open().Import(t.Context(), file, "")
	if err != nil {
		t.Fatal(err)
	}
	c := cy.session(room)
	agree(t, 3, a, c)
	again, err := c.Export(t.Context())
	if err != nil || string(again) != string(file) {
		t.Errorf("exported again, the game is another file (%d and %d bytes), %v", len(file), len(again), err)
	}
	act(t, b, "two")
	agree(t, 4, a, b)
	if file, err = a.Export(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := cy.hub.Import(t.Context(), file, ""); err != nil {
		t.Fatal(err)
	}
	agree(t, 4, a, c)
	if _, err := ana.hub.Import(t.Context(), file[:len(file)-1], ""); err == nil {
		t.Error("imported a damaged file")
	}
}

func TestDraftsAndSettings(t *testing.T) {
	ana := newDevice(t, "Ana")
	a := ana.session(ana.found(""))
	if err := a.SaveDraft(t.Context(), "propose/ä", "text"); err != nil {
		t.Fatal(err)
	}
	if err := ana.hub.SetSetting(t.Context(), "name", "Ana"); err != nil {
		t.Fatal(err)
	}
	ana.restart()
	a = ana.session(a.Room())
	if got, err := a.Draft(t.Context(), "propose/ä"); err != nil || got != "text" {
		t.Errorf("draft %q, %v", got, err)
	}
	if got, err := ana.hub.Setting(t.Context(), "name"); err != nil || got != "Ana" {
		t.Errorf("setting %q, %v", got, err)
	}
	if err := a.SaveDraft(t.Context(), "propose/ä", ""); err != nil {
		t.Fatal(err)
	}
	if got, err := a.Draft(t.Context(), "propose/ä"); err != nil || got != "" {
		t.Errorf("removed draft %q, %v", got, err)
	}
}

func TestInvites(t *testing.T) {
	secret, game := ledger.RoomSecret{1}, ledger.GameID{2}
	text := ledger.InviteText(secret, game)
	for link, want := range map[string]string{
		"https://play.example/#/join/" + text:      "wss://play.example/relay",
		" http://127.0.0.1:8080/#/join/" + text:    "ws://127.0.0.1:8080/relay",
		"https://play.example/g/x?y#/join/" + text: "wss://play.example/relay",
		"https://play.example:444/#/join/" + text:  "wss://play.example:444/relay",
	} {
		got, err := ParseInvite(link)
		if err != nil || got.Secret != secret || got.Game != game || got.Relay != want {
			t.Errorf("%s: got %+v, %v", link, got, err)
			continue
		}
		if again, err := ParseInvite(got.String()); err != nil || again != got {
			t.Errorf("%s: printed as %s, %v", link, got, err)
		}
	}
	for _, link := range []string{
		"", "hello", "https://play.example/", "https://play.example/#/join/", "https://play.example/#/join/abc",
		"https://play.example/#/join/" + secret.String(), "https://play.example/#/join/" + secret.String() + ".", "https://play.example/#/join/" + text + ".",
		"#/join/" + text, "ftp://play.example/#/join/" + text, "https://play.example/join/" + text,
	} {
		if got, err := ParseInvite(link); !errors.Is(err, ErrInvite) {
			t.Errorf("%q: got %+v, %v", link, got, err)
		}
	}
}
