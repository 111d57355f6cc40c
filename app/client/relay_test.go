//go:build !js

package client

import (
	"fmt"
	"os"
	"testing"

	"peernomic/engine/ledger"
)

// pair returns two sessions of one game over a relay, without links between them.
func pair(t *testing.T) (*relayServer, *device, *Session, *device, *Session) {
	t.Helper()
	r := startRelay(t)
	ana, bo := newDevice(t, "Ana"), newDevice(t, "Bo")
	a := ana.session(ana.found(r.url()))
	b := bo.join(a.Invite())
	agree(t, 2, a, b) // genesis and Bo's enrolment
	return r, ana, a, bo, b
}

func TestTwoDevicesConverge(t *testing.T) {
	_, _, a, _, b := pair(t)
	for i := range 10 {
		act(t, a, fmt.Sprint("a", i))
		act(t, b, fmt.Sprint("b", i))
	}
	agree(t, 22, a, b)
	for _, s := range []*Session{a, b} {
		until(t, "everything is acknowledged", func() bool { n := s.Net(); return n.Unsent == 0 && n.Synced })
		n := s.Net()
		if n.Relay != RelayConnected || !n.Writer || n.EnvelopesDirect != 0 || n.EnvelopesRelay == 0 || n.Problem != "" {
			t.Errorf("status %+v", n)
		}
	}
}

func TestOfflineActionsWaitAndArrive(t *testing.T) {
	r, _, a, bo, b := pair(t)
	r.stop()
	until(t, "the loss is noticed", func() bool { return b.Net().Relay != RelayConnected })
	for i := range 3 {
		act(t, b, fmt.Sprint("offline ", i))
	}
	if n := b.Net(); n.Unsent != 3 || n.Synced {
		t.Errorf("offline: %d unsent, synced %v", n.Unsent, n.Synced)
	}
	// The page is reloaded meanwhile.
	bo.restart()
	b = bo.session(b.Room())
	id := act(t, b, "after the reload")
	if n := b.Net(); n.Unsent != 4 {
		t.Errorf("after a restart: %d unsent", n.Unsent)
	}
	act(t, a, "meanwhile")
	r.start()
	agree(t, 7, a, b)
	if !holds(a, id) {
		t.Error("what was done offline did not arrive")
	}
	until(t, "all is sent", func() bool { return b.Net().Synced && a.Net().Synced })
}

func TestRelayRestartLosesNothing(t *testing.T) {
	r, _, a, _, b := pair(t)
	for i := range 5 {
		act(t, a, fmt.Sprint("before ", i))
		r.stop()
		r.start()
		act(t, b, fmt.Sprint("after ", i))
	}
	agree(t, 12, a, b)
}

func TestWhoComesLateGetsAll(t *testing.T) {
	_, _, a, _, b := pair(t)
	for i := range 300 {
		act(t, a, fmt.Sprint(i))
	}
	agree(t, 302, a, b)
	cy := newDevice(t, "Cy")
	c := cy.join(a.Invite())
	agree(t, 303, a, b, c)
	cy.restart()
	agree(t, 303, a, b, cy.session(a.Room()))
}

func TestStrangerCannotEnter(t *testing.T) {
	r := startRelay(t)
	ana := newDevice(t, "Ana")
	ana.session(ana.found(r.url()))
	eve := newDevice(t, "Eve")
	invite := Invite{Game: ledger.GameID{1}, Relay: "ws://" + r.addr + "/relay"}
	invite.Secret[0] = 1
	s := eve.join(invite.String())
	until(t, "the relay refuses", func() bool { return s.Net().Relay == RelayRefused })
	if n := s.Net(); n.Problem == "" || n.Synced {
		t.Errorf("status %+v", n)
	}
	if _, err := s.writeBody(t.Context(), 3, []byte("x")); err == nil {
		t.Error("a stranger acted")
	}
}

// A relay that was put back from a backup would cut the same seals a second time.
func TestRelayThatForgotIsRefused(t *testing.T) {
	r, _, a, _, b := pair(t)
	r.stop()
	backup := t.TempDir()
	if err := os.CopyFS(backup, os.DirFS(r.folder)); err != nil {
		t.Fatal(err)
	}
	r.start()
	act(t, a, "after the backup")
	agree(t, 3, a, b)
	r.stop()
	r.folder = backup
	r.start()
	for _, s := range []*Session{a, b} {
		until(t, "the relay is refused", func() bool { n := s.Net(); return n.Relay == RelayRefused && n.Problem != "" })
	}
	if n := a.Net(); n.Diverged != nil {
		t.Errorf("status %+v", n)
	}
}
