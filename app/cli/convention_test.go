package cli

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/http/httptest"
	"path/filepath"
	"sync"
	"testing"

	"peernomic/engine/ledger"
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
