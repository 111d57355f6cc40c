package sync

import (
	"encoding/hex"

	"peernomic/engine/wire"
)

// This file compares states with other devices, by digests.

// maxDigests is how many of the newest digests are kept for comparing.
const maxDigests = 1024

// states is what a node knows of the states that devices see.
type states struct {
	digests     map[uint64][32]byte // after each seal, as far as there was one to see
	order       []uint64            // of those, oldest first
	diverged    *Divergence
	ignored     map[Instance]bool // their digests no longer stop play
	heldByPeers uint64            // number of the newest own action that a peer holds
}

func (s *states) put(seal uint64, digest [32]byte) {
	if s.digests == nil {
		s.digests = map[uint64][32]byte{}
	}
	if _, ok := s.digests[seal]; ok {
		return
	}
	s.digests[seal] = digest
	s.order = append(s.order, seal)
	if len(s.order) > maxDigests {
		delete(s.digests, s.order[0])
		s.order = s.order[1:]
	}
}

// Divergence says that another device, after the same seal, sees another state.
type Divergence struct {
	Seal   uint64
	Mine   [32]byte
	Theirs [32]byte
	Peer   string // the other device's instance, hex
}

// compare holds a peer's digest against ours at the same seal.
func (n *Node) compare(p *peer) {
	if p.have == nil || p.have.Seals == 0 || n.states.diverged != nil {
		return
	}
	seal, ok := n.game.Replica().Seal(p.have.Seals)
	if !ok {
		return // it is ahead; compareAll comes back to it
	}
	if seal.Hash != p.have.SealHash {
		// The notary has signed two chains, or the peer lies. Its seal is the proof.
		back, unsure := n.beforeParting()
		if p.compared != p.have.SealHash || unsure && back < p.backTo {
			p.compared, p.backTo = p.have.SealHash, min(p.have.Seals, n.game.Replica().OrderedSeals()+1)
			if unsure {
				p.backTo = min(p.backTo, back)
			}
			n.send(p.link, wire.Want{FromSeal: p.backTo, Feeds: []wire.FeedPosition{}})
		}
		return
	}
	mine, ok := n.states.digests[p.have.Seals]
	// Only a device that is in the game is believed: else whoever has the link could
	// stop play.
	if ok && mine != p.have.Digest && p.have.Digest != ([32]byte{}) && p.proven && !n.states.ignored[p.instance] {
		n.states.diverged = &Divergence{Seal: seal.Number, Mine: mine, Theirs: p.have.Digest, Peer: hex.EncodeToString(p.instance[:])}
	}
}

func (n *Node) compareAll() {
	for _, p := range n.inOrder() {
		n.compare(p)
	}
}

// PlayOn ends the stop that a [Divergence] is, when the person has looked at both states and decided. The other
// device is not compared with again.
func (n *Node) PlayOn() {
	for _, p := range n.peers {
		if d := n.states.diverged; d != nil && hex.EncodeToString(p.instance[:]) == d.Peer {
			n.states.ignored[p.instance] = true
		}
	}
	n.states.diverged = nil
}
