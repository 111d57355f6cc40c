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

	"peernomic/app/client"
	"peernomic/engine/game"
	"peernomic/engine/ledger"
	"peernomic/engine/wire"
	"peernomic/signal"
)

func startRelay(t *testing.T) (server *httptest.Server, stop func()) {
	t.Helper()
	relay, err := signal.NewServer(signal.Config{Data: filepath.Join(t.TempDir(), "relay"), Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	server = httptest.NewServer(relay.Handler())
	stop = sync.OnceFunc(func() { server.CloseClientConnections(); relay.Close(context.Background()); server.Close() })
	t.Cleanup(stop)
	return server, stop
}

// A member without a browser calls a convention, signs, withdraws, and the game is changed outside
// its rules once the only player has signed.
func TestPeerHoldsConvention(t *testing.T) {
	server, _ := startRelay(t)
	p := enter(t, found(t, server.URL, "variable(\"stuck\", flag(), default=True)\n"))
	tell := func(text string) (answer, error) { t.Helper(); return tell(t, p, text) }
	waitFor(t, "the game is sealed", func() bool { s, err := p.look(t.Context()); return err == nil && s.Seals > 0 })
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
	if seat, err := tell("convene seat from=" + list.People["Kim"] + " to=" + list.People["Kim"]); err == nil {
		t.Errorf("a seat is to be given to who has it: %+v", seat)
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
	old, stopOld := startRelay(t)
	next, _ := startRelay(t)
	tell := func(p *member, text string) answer {
		t.Helper()
		a, err := tell(t, p, text)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		return a
	}
	members := []*member{enter(t, found(t, old.URL, "def join(me):\n    me.standing = \"player\"\naction(\"Join\", run=join, who=\"anyone\")\n"))}
	for _, name := range []string{"Ana", "Bo"} {
		p := enter(t, func(h *client.Hub) (wire.RoomID, error) {
			return h.Join(t.Context(), members[0].session.Invite(), name)
		})
		members = append(members, p)
		tell(p, "act Join")
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
	waitFor(t, "all have joined", func() bool {
		placed := 0
		if err := members[0].session.Do(t.Context(), func(g *game.Game) { placed = len(g.Replica().Placed()) }); err != nil {
			t.Fatal(err)
		}
		return placed == 5 && alike() // which may take fewer seals
	})
	if list := tell(members[0], "motions").Departures; len(list) != 0 {
		t.Errorf("there is a choice where there is none: %+v", list)
	}
	elsewhere := map[string]any{"url": next.URL, "from": "7"}
	if _, err := members[0].convene(t.Context(), "relay", elsewhere); err == nil || !strings.Contains(err.Error(), "from there") {
		t.Error("another relay goes on from a seal that was not offered")
	}
	called := tell(members[0], "convene relay from=newest url="+next.URL)
	for _, p := range members[1:] {
		waitFor(t, "the convention is known", func() bool { return len(tell(p, "motions").Motions) == 1 })
		tell(p, "sign "+called.Motion)
	}
	for _, p := range members {
		waitFor(t, "all are at the new relay", func() bool {
			return strings.HasSuffix(p.session.Relay(), strings.TrimPrefix(next.URL, "http")+"/relay") && p.session.Net().Relay == client.RelayConnected
		})
	}
	for _, word := range []string{"stay", "follow"} {
		l, err := parseLine(word + " " + hexOf(7))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := members[2].carryOut(t.Context(), l); err == nil {
			t.Errorf("%q is done of a convention that nobody has called", word)
		}
	}
	follows := func(p *member) string { return tell(p, "motions").Motions[0].Follows }
	for _, word := range []string{"stay", "follow"} {
		tell(members[2], word+" "+called.Motion)
		waitFor(t, word+" is done", func() bool {
			return follows(members[2]) == map[string]string{"stay": "refused", "follow": "followed"}[word]
		})
	}
	waitFor(t, "they are at the new relay again", func() bool { return members[2].session.Relay() == members[0].session.Relay() && alike() })
	stopOld()
	before := seals(members[0])
	tell(members[2], "act Join")
	waitFor(t, "play goes on", func() bool { return seals(members[0]) > before && alike() })
	for _, p := range members {
		if m := tell(p, "motions").Motions; len(m) != 1 || m[0].Status != "done" || m[0].Kind != "relay" {
			t.Errorf("the convention: %+v", m)
		}
	}
}
