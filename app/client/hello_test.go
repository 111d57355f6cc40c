//go:build !js

package client

import (
	"context"
	"errors"
	"testing"

	"peernomic/app/client/direct"
	"peernomic/engine/ledger"
	"peernomic/engine/wire"
)

// stranger links to a session as a member that calls itself by another's device key.
func stranger(t *testing.T, s *Session, claims ledger.DeviceKey) direct.Link {
	t.Helper()
	end, far := pipeLinks()
	go s.servePeer(s.ctx, direct.Member{Instance: direct.Instance{9}, Card: claims[:]}, end)
	t.Cleanup(func() { far.Close() })
	return far
}

func TestStrangersDigestDoesNotStopPlay(t *testing.T) {
	_, _, a, _, b := pair(t)
	far := stranger(t, a, b.Device())
	var lie wire.Have
	a.do(t.Context(), func() { lie = a.node().Have() })
	lie.Digest[0] ^= 1
	if err := far.Send(t.Context(), frame(t, lie)); err != nil {
		t.Fatal(err)
	}
	lookedAt(t, far)
	if d := a.Net().Diverged; d != nil {
		t.Errorf("stopped by a stranger: %+v", d)
	}
	act(t, a, "goes on")
}

// lookedAt waits until all that was sent over a link is dealt with: the answer to a want comes after that.
func lookedAt(t *testing.T, far direct.Link) {
	t.Helper()
	if err := far.Send(t.Context(), frame(t, wire.Want{FromSeal: 1 << 60, Feeds: []wire.FeedPosition{}})); err != nil {
		t.Fatal(err)
	}
	for haves := 0; haves < 2; {
		f, err := far.Receive(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if m, _ := wire.DecodeMessage(f); m != nil {
			if _, ok := m.(wire.Have); ok {
				haves++
			}
		}
	}
}

// Only a device of the game is believed to hold what this one did.
func TestStrangersWordIsNotBelieved(t *testing.T) {
	r, _, a, _, b := pair(t)
	r.stop()
	until(t, "the loss is noticed", func() bool { return a.Net().Relay != RelayConnected })
	act(t, a, "nobody else holds this")
	far := stranger(t, a, b.Device())
	var have wire.Have
	var ack wire.Ack
	a.do(t.Context(), func() {
		have = a.node().Have()
		ack.Hashes = a.node().Game().Replica().Unsealed()
	})
	for _, lie := range []wire.Message{have, ack} {
		if err := far.Send(t.Context(), frame(t, lie)); err != nil {
			t.Fatal(err)
		}
	}
	lookedAt(t, far)
	if n := a.Net(); n.Unsent != 1 || n.Synced || len(ack.Hashes) != 1 {
		t.Errorf("%d unsent, synced %v, of %d", n.Unsent, n.Synced, len(ack.Hashes))
	}
}

func TestFalseProofEndsTheLink(t *testing.T) {
	_, _, a, _, b := pair(t)
	far := stranger(t, a, b.Device())
	hello := wire.Hello{Protocol: wire.Protocol, Room: a.Room(), Peer: wire.PeerID{9}, Proof: make([]byte, 32)}
	if err := far.Send(t.Context(), frame(t, hello)); err != nil {
		t.Fatal(err)
	}
	until(t, "the link is ended", func() bool {
		_, err := far.Receive(t.Context())
		return errors.Is(err, direct.ErrClosed)
	})
}

// What a member shows to one cannot be shown to another, nor back to where it came from.
func TestProofIsForOneListener(t *testing.T) {
	_, _, a, _, b := pair(t)
	far := stranger(t, a, b.Device())
	for {
		f, err := far.Receive(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		m, err := wire.DecodeMessage(f)
		if err != nil {
			t.Fatal(err)
		}
		if hello, ok := m.(wire.Hello); ok {
			if err := far.Send(t.Context(), frame(t, hello)); err != nil {
				t.Fatal(err)
			}
			break
		}
	}
	until(t, "the link is ended", func() bool {
		_, err := far.Receive(t.Context())
		return errors.Is(err, direct.ErrClosed)
	})
}

func TestMembersRecogniseEachOther(t *testing.T) {
	_, _, a, _, b := linked(t)
	for _, s := range []*Session{a, b} {
		until(t, "the peer is proven", func() bool { n := s.Net(); return len(n.Peers) == 1 && n.Peers[0].Proven })
	}
	if got := a.Net().Peers[0].Device; got != b.Device() {
		t.Errorf("the peer is %s", got)
	}
}

func TestPlayOnAfterADivergence(t *testing.T) {
	_, _, a, _, _ := linked(t)
	until(t, "the peer is proven", func() bool { n := a.Net(); return len(n.Peers) == 1 && n.Peers[0].Proven })
	a.do(context.Background(), func() {
		for link := range a.links.open {
			lie := a.node().Have()
			lie.Digest[0] ^= 1
			a.node().FromPeer(link, lie, a.config.time())
		}
	})
	if _, err := a.writeBody(t.Context(), ledger.KindAct, []byte("x")); !errors.Is(err, ErrDiverged) {
		t.Fatalf("got %v", err)
	}
	if err := a.PlayOn(t.Context()); err != nil {
		t.Fatal(err)
	}
	act(t, a, "on")
}

// A link can be there before the enrolment of the device at its other end.
func TestGreetingWaitsForTheEnrolment(t *testing.T) {
	_, _, a, bo, b := pair(t)
	late := newSilentSession(t, copyOf(t, bo.identity), a) // Bo's device, that has lost all
	end, far := pipeLinks()
	key := func(s *Session) []byte { k := s.Device(); return k[:] }
	go a.servePeer(a.ctx, direct.Member{Instance: late.links.instance, Card: key(b)}, end)
	go late.servePeer(late.ctx, direct.Member{Instance: a.links.instance, Card: key(a)}, far)
	until(t, "Ana is recognised", func() bool {
		proven := false
		late.do(context.Background(), func() {
			for link := range late.links.open {
				proven = late.node().Proven(link)
			}
		})
		return proven
	})
}
