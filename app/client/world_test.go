//go:build !js

package client

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"testing"
	"time"

	"peernomic/app/client/direct"
	"peernomic/app/client/disk"
	"peernomic/app/client/tabs"
	"peernomic/engine/game"
	"peernomic/engine/ledger"
	"peernomic/engine/wire"
	"peernomic/signal"
)

// deadline is for what never comes; nothing is expected to take that long.
const deadline = 2 * time.Minute

// until waits for a condition.
func until(t *testing.T, what string, holds func() bool) {
	t.Helper()
	end := time.Now().Add(deadline)
	for !holds() {
		if time.Now().After(end) {
			t.Fatalf("waited in vain: %s", what)
		}
		time.Sleep(5 * time.Millisecond)
	}
}

// relayServer is a real relay that can be stopped and started again.
type relayServer struct {
	t      *testing.T
	folder string
	addr   string
	relay  *signal.Server
	http   *http.Server
	room   uint64 // how many bytes a room keeps; 0 for the default
}

func startRelay(t *testing.T) *relayServer {
	t.Helper()
	r := &relayServer{t: t, folder: t.TempDir(), addr: "127.0.0.1:0"}
	r.start()
	t.Cleanup(r.stop)
	return r
}

func (r *relayServer) start() {
	r.t.Helper()
	var err error
	r.relay, err = signal.NewServer(signal.Config{
		Data:   r.folder,
		Log:    slog.New(slog.DiscardHandler),
		Limits: signal.Limits{AttemptBurst: 10_000, ConnectionsPerAddress: 1000, RoomsPerDay: 1000, RoomBytes: r.room},
	})
	if err != nil {
		r.t.Fatal(err)
	}
	var listener net.Listener
	until(r.t, "the port is free", func() bool { // somebody else may have it while the relay is stopped
		listener, err = net.Listen("tcp", r.addr)
		return err == nil
	})
	r.addr = listener.Addr().String()
	r.http = &http.Server{Handler: r.relay.Handler()}
	go r.http.Serve(listener)
}

func (r *relayServer) stop() {
	if r.http == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), deadline)
	defer cancel()
	if err := errors.Join(r.http.Close(), r.relay.Close(ctx)); err != nil {
		r.t.Error(err)
	}
	r.http = nil
}

func (r *relayServer) url() string { return "http://" + r.addr }

// device is one device of a test, that can crash and come back.
type device struct {
	t        *testing.T
	name     string
	identity *disk.Memory
	games    *disk.Memory
	tabs     tabs.Tabs
	network  direct.Network
	wrong    func(*game.Game) (uint64, [32]byte) // another state than the rules give; nil for that
	now      func() time.Time
	program  string
	hub      *Hub
}

func newDevice(t *testing.T, name string) *device {
	t.Helper()
	return &device{
		t: t, name: name,
		identity: &disk.Memory{}, games: &disk.Memory{}, tabs: &tabs.Local{},
	}
}

// tab opens the program once more on the same disks, as another tab of the browser does.
func (d *device) tab(of tabs.Tabs) *device {
	d.t.Helper()
	second := &device{t: d.t, name: d.name, identity: d.identity, games: d.games, tabs: of, wrong: d.wrong}
	second.open()
	return second
}

func (d *device) config() Config {
	return Config{Identity: d.identity, Games: d.games, Tabs: d.tabs, Network: d.network, Now: d.now, confirmed: d.wrong, Program: d.program}
}

func (d *device) open() *Hub {
	d.t.Helper()
	hub, err := OpenHub(d.t.Context(), d.config())
	if err != nil {
		d.t.Fatal(err)
	}
	d.t.Cleanup(func() { hub.Close() })
	d.hub = hub
	return hub
}

func (d *device) session(room wire.RoomID) *Session {
	d.t.Helper()
	s, err := d.hub.Open(d.t.Context(), room)
	if err != nil {
		d.t.Fatal(err)
	}
	return s
}

// restart ends the program, with whatever is on the disks by then, and starts it again.
func (d *device) restart() *Hub {
	d.t.Helper()
	d.identity, d.games = d.identity.Reopen(), d.games.Reopen()
	d.hub.Close()
	return d.open()
}

func (d *device) found(relay string) wire.RoomID {
	d.t.Helper()
	d.open()
	room, err := d.hub.Found(d.t.Context(), Founding{
		Title: "A game", Name: d.name, Relay: relay,
		Ruleset: []ledger.Document{{Path: "1-core/01-one.md", Text: "# One\n\nBe kind."}},
	})
	if err != nil {
		d.t.Fatal(err)
	}
	return room
}

func (d *device) join(link string) *Session {
	d.t.Helper()
	if d.hub == nil {
		d.open()
	}
	room, err := d.hub.Join(d.t.Context(), link, d.name)
	if err != nil {
		d.t.Fatal(err)
	}
	return d.session(room)
}

// act writes an action that says something.
func act(t *testing.T, s *Session, text string) ledger.ActionID {
	t.Helper()
	id, err := s.writeBody(t.Context(), ledger.KindAct, []byte(text))
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return id
}

// holds reports whether a session has an action.
func holds(s *Session, id ledger.ActionID) bool {
	found := false
	s.do(context.Background(), func() { _, found = s.node().Game().Replica().Action(id) })
	return found
}

// placed returns the sealed actions of a session and the digest of their order.
func placed(s *Session) (count int, digest [32]byte) {
	s.do(context.Background(), func() {
		count = len(s.node().Game().Replica().Placed())
		_, digest = s.node().Confirmed()
	})
	return count, digest
}

// agree waits until all sessions have the same number of sealed actions, and the same
// order of them.
func agree(t *testing.T, count int, sessions ...*Session) {
	t.Helper()
	var last string
	end := time.Now().Add(deadline)
	for {
		same := true
		_, want := placed(sessions[0])
		last = ""
		for _, s := range sessions {
			n, digest := placed(s)
			same = same && n == count && digest == want
			last += fmt.Sprintf(" %d/%x", n, digest[:4])
		}
		if same {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("no agreement on %d actions:%s", count, last)
		}
		time.Sleep(5 * time.Millisecond)
	}
}
