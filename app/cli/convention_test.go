package cli

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"peernomic/app/client"
	"peernomic/app/client/disk"
	"peernomic/engine/game"
	"peernomic/engine/ledger"
	"peernomic/engine/wire"
	"peernomic/signal"
)

// A member without a browser calls a convention, signs, withdraws, and the game is changed outside
// its rules once the only player has signed.
func TestPeerHoldsConvention(t *testing.T) {
	relay, err := signal.NewServer(signal.Config{Data: filepath.Join(t.TempDir(), "relay"), Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(relay.Handler())
	t.Cleanup(func() { server.Close(); relay.Close(context.Background()) })
	hub, err := client.OpenHub(t.Context(), client.Config{Identity: &disk.Memory{}, Games: &disk.Memory{}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { hub.Close() })
	room, err := hub.Found(t.Context(), client.Founding{Title: "A game", Name: "Kim", Relay: server.URL, Ruleset: []ledger.Document{{
		Path: "1-core/01-all.md", Text: "# All\n\n```starlark\nvariable(\"stuck\", flag(), default=True)\n```\n"}}})
	if err != nil {
		t.Fatal(err)
	}
	session, err := hub.Open(t.Context(), room)
	if err != nil {
		t.Fatal(err)
	}
	p := &member{session: session}
	tell := func(text string) (answer, error) {
		t.Helper()
		l, err := parseLine(text)
		if err != nil {
			t.Fatal(err)
		}
		return p.carryOut(t.Context(), l)
	}
	for end := time.Now().Add(20 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		if s, err := p.look(t.Context()); err == nil && s.Seals > 0 {
			break
		} else if time.Now().After(end) {
			t.Fatal("the game was not sealed")
		}
	}
	called, err := tell(`convene repair why="it is stuck" amendments=[{"op":"set","table":"game","row":1,"column":"stuck","value":false}]`)
	if err != nil {
		t.Fatal(err)
	}
	list, err := tell("motions")
	if err != nil || len(list.Motions) != 1 {
		t.Fatalf("%+v, %v", list, err)
	}
	if m := list.Motions[0]; m.ID != called.Motion || m.Kind != "repair" || m.Why != "it is stuck" || m.Status != "done" {
		t.Errorf("the convention: %+v", m)
	}
	if _, err := json.Marshal(list); err != nil || list.People["Kim"] == "" {
		t.Errorf("the list cannot be shown: %+v, %v", list, err)
	}
	seat, err := tell("convene seat from=" + list.People["Kim"] + " to=" + list.People["Kim"])
	if err == nil {
		if got, _ := tell("motions"); got.Motions[1].Status != "failed" {
			t.Errorf("a seat was given to who has it: %+v, %+v", seat, got.Motions)
		}
	}
	if _, err := tell("withdraw " + called.Motion); err != nil {
		t.Errorf("a ballot on what is over: %v", err) // it is signed, and does not count
	}
	for _, bad := range []string{"convene", "convene dance", "convene repair", "convene seat from=x to=y", "sign nothing", "sign " + hexOf(7)} {
		if _, err := tell(bad); err == nil {
			t.Errorf("%q was done", bad)
		}
	}
}

func hexOf(b byte) string { return ledger.MotionID{b}.String() }

// Three members without a browser move their game to another relay: one calls the convention, two more sign, and
// all play on there when the old relay is gone.
func TestPeersMoveToAnotherRelay(t *testing.T) {
	start := func() (*httptest.Server, func()) {
		relay, err := signal.NewServer(signal.Config{Data: filepath.Join(t.TempDir(), "relay"), Log: slog.New(slog.DiscardHandler)})
		if err != nil {
			t.Fatal(err)
		}
		server := httptest.NewServer(relay.Handler())
		stop := sync.OnceFunc(func() { server.CloseClientConnections(); relay.Close(context.Background()); server.Close() })
		t.Cleanup(stop)
		return server, stop
	}
	old, stopOld := start()
	next, _ := start()
	until := func(what string, holds func() bool) {
		t.Helper()
		for end := time.Now().Add(40 * time.Second); !holds(); time.Sleep(20 * time.Millisecond) {
			if time.Now().After(end) {
				t.Fatalf("waited in vain: %s", what)
			}
		}
	}
	tell := func(p *member, text string) answer {
		t.Helper()
		l, err := parseLine(text)
		if err != nil {
			t.Fatal(err)
		}
		a, err := p.carryOut(t.Context(), l)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		return a
	}
	var members []*member
	join := func(enter func(*client.Hub) (wire.RoomID, error)) {
		t.Helper()
		hub, err := client.OpenHub(t.Context(), client.Config{Identity: &disk.Memory{}, Games: &disk.Memory{}})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { hub.Close() })
		room, err := enter(hub)
		if err != nil {
			t.Fatal(err)
		}
		session, err := hub.Open(t.Context(), room)
		if err != nil {
			t.Fatal(err)
		}
		members = append(members, &member{session: session})
		until("somebody is in the game", func() bool { return session.Me() != 0 })
	}
	join(func(h *client.Hub) (wire.RoomID, error) {
		return h.Found(t.Context(), client.Founding{Title: "A game", Name: "Kim", Relay: old.URL, Ruleset: []ledger.Document{{
			Path: "1-core/01-all.md", Text: "# All\n\n```starlark\ndef join(me):\n    me.standing = \"player\"\naction(\"Join\", run=join, who=\"anyone\")\n```\n"}}})
	})
	for _, name := range []string{"Ana", "Bo"} {
		join(func(h *client.Hub) (wire.RoomID, error) {
			return h.Join(t.Context(), members[0].session.Invite(), name)
		})
		tell(members[len(members)-1], "act Join")
	}
	seals := func(p *member) uint64 {
		s, err := p.look(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return s.Seals
	}
	alike := func() bool {
		for _, p := range members {
			if seals(p) != seals(members[0]) || !p.session.Net().Synced {
				return false
			}
		}
		return true
	}
	until("all have joined", func() bool {
		placed := 0
		if err := members[0].session.Do(t.Context(), func(g *game.Game) { placed = len(g.Replica().Placed()) }); err != nil {
			t.Fatal(err)
		}
		return placed == 5 && alike() // which may take fewer seals
	})
	called := tell(members[0], "convene relay url="+next.URL)
	for _, p := range members[1:] {
		until("the convention is known", func() bool { return len(tell(p, "motions").Motions) == 1 })
		tell(p, "sign "+called.Motion)
	}
	for _, p := range members {
		until("all are at the new relay", func() bool {
			return strings.HasSuffix(p.session.Relay(), strings.TrimPrefix(next.URL, "http")+"/relay") && p.session.Net().Relay == client.RelayConnected
		})
	}
	stopOld()
	before := seals(members[0])
	tell(members[2], "act Join")
	until("play goes on", func() bool { return seals(members[0]) > before && alike() })
	for _, p := range members {
		if m := tell(p, "motions").Motions; len(m) != 1 || m[0].Status != "done" || m[0].Kind != "notary" && m[0].Kind != "relay" {
			t.Errorf("the convention: %+v", m)
		}
	}
}
