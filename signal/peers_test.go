package signal

import (
	"bytes"
	"slices"
	"testing"

	"peernomic/engine/wire"
	"peernomic/signal/refusal"
)

func TestPresence(t *testing.T) {
	r := startRelay(t, Config{Limits: quick}, 0)
	a := r.join(1)
	if len(a.welcome.Peers) != 0 {
		t.Errorf("the first member is not alone: %v", a.welcome.Peers)
	}
	r.join(2) // another room
	b := r.join(1)
	if !slices.Equal(b.welcome.Peers, []wire.PeerID{a.c.Peer()}) {
		t.Errorf("second member: got %v, want the first", b.welcome.Peers)
	}
	if got := want[wire.Presence](a); !slices.Equal(got.Peers, []wire.PeerID{b.c.Peer()}) {
		t.Errorf("after the second came: got %v", got.Peers)
	}
	c := r.join(1)
	if len(c.welcome.Peers) != 2 {
		t.Errorf("third member: got %v, want two", c.welcome.Peers)
	}
	for _, m := range []*member{a, b} {
		if got := want[wire.Presence](m); len(got.Peers) != 2 || !slices.Contains(got.Peers, c.c.Peer()) || slices.Contains(got.Peers, m.c.Peer()) {
			t.Errorf("after the third came: got %v", got.Peers)
		}
	}
	b.c.Close()
	if got := want[wire.Presence](a); !slices.Equal(got.Peers, []wire.PeerID{c.c.Peer()}) {
		t.Errorf("after the second left: got %v", got.Peers)
	}
}

func TestSignals(t *testing.T) {
	limits := quick
	limits.SignalRate, limits.SignalBurst = 1e-9, 5
	r := startRelay(t, Config{Limits: limits}, 0)
	a, b, stranger := r.join(1), r.join(1), r.join(2)
	reason := func(want_ refusal.Code) {
		t.Helper()
		if got := want[wire.Refusal](a); got.Code != string(want_) {
			t.Errorf("got %+v, want %q", got, want_)
		}
	}
	data := bytes.Repeat([]byte{7}, wire.MaxSignal)
	a.send(wire.Signal{Peer: b.c.Peer(), Data: data})
	if got := want[wire.Signal](b); got.Peer != a.c.Peer() || !bytes.Equal(got.Data, data) {
		t.Errorf("got a signal of %d bytes from %s", len(got.Data), got.Peer)
	}
	a.send(wire.Signal{Peer: b.c.Peer(), Data: append(data, 0)})
	reason(refusal.SignalSize)
	a.send(wire.Signal{Peer: stranger.c.Peer(), Data: data})
	reason(refusal.NoPeer)
	a.send(wire.Signal{Peer: a.c.Peer(), Data: data})
	reason(refusal.NoPeer)
	a.send(wire.Signal{Peer: b.c.Peer(), Data: []byte{1}})
	a.send(wire.Signal{Peer: b.c.Peer(), Data: []byte{2}})
	a.send(wire.Signal{Peer: b.c.Peer(), Data: []byte{3}})
	reason(refusal.SignalRate)
	for _, w := range []byte{1, 2} {
		if got := want[wire.Signal](b); !bytes.Equal(got.Data, []byte{w}) {
			t.Errorf("got signal %v, want %d", got.Data, w)
		}
	}
	b.send(wire.Ping{}) // and the third does not come
	if m, ok := b.receive().(wire.Pong); !ok {
		t.Errorf("got %+v, want a pong", m)
	}
	if head := r.join(1).welcome.Seals; head != 0 {
		t.Error("a signal was stored")
	}
}
