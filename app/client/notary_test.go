//go:build !js

package client

import (
	"context"
	node "peernomic/app/client/sync"
	"testing"

	"peernomic/app/client/direct"
	"peernomic/app/client/disk"
	"peernomic/engine/ledger"
	"peernomic/engine/wire"
)

// A notary that shows two players two different orders is found out as soon as they
// are linked.
func TestTwoFacedNotaryIsFoundOut(t *testing.T) {
	ana := newDevice(t, "Ana")
	a := ana.session(ana.found("")) // Ana's device is the notary, so she can cheat
	agree(t, 1, a)
	b := newSilentSession(t, &disk.Memory{}, a)
	end, far := pipeLinks()
	serve := func(s *Session, as byte, link direct.Link) {
		go s.servePeer(s.ctx, direct.Member{Instance: direct.Instance{as}}, link)
	}
	serve(a, 7, end)
	serve(b, 8, far)
	agree(t, 1, a, b)
	end.Close()
	until(t, "the link is gone", func() bool {
		gone := false
		b.do(context.Background(), func() { gone = len(b.links.open) == 0 })
		return gone
	})

	// Two second seals, one for each.
	for i, s := range []*Session{a, b} {
		notary, err := ana.hub.device.PracticeNotary(a.Room())
		if err != nil {
			t.Fatal(err)
		}
		s.do(t.Context(), func() {
			notary.Found(s.room.Record().Game)
			first, _ := s.node().Game().Replica().Seal(1)
			if err := notary.Resume(first); err != nil {
				t.Error(err)
				return
			}
			seal, err := notary.Seal(first.Time+int64(i)+1, []wire.EnvelopeHash{})
			if err != nil {
				t.Error(err)
				return
			}
			s.node().Receive([]node.Item{{Kind: node.KindSeal, Bytes: seal.Bytes}}, s.config.time())
		})
	}
	end, far = pipeLinks()
	serve(a, 7, end)
	serve(b, 8, far)
	for _, s := range []*Session{a, b} {
		until(t, "the proof is there", func() bool {
			var proofs []ledger.NotaryProof
			s.do(context.Background(), func() { proofs = s.node().Game().Replica().NotaryForks() })
			return len(proofs) == 1 && proofs[0].Check() == nil && s.Net().Problem != ""
		})
	}
}
