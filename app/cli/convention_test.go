package cli

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/http/httptest"
	"path/filepath"
	"testing"
	"time"

	"peernomic/app/client"
	"peernomic/app/client/disk"
	"peernomic/engine/ledger"
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
