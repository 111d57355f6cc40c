package client

import (
	"context"

	"peernomic/engine/wire"
)

// maxDigests is how many of the newest digests are kept for comparing.
const maxDigests = 1024

// digestLog remembers the digest after each seal, as far as there was one to see.
// The zero value is ready.
type digestLog struct {
	digests map[uint64][32]byte
	order   []uint64
}

func (l *digestLog) put(seal uint64, digest [32]byte) {
	if l.digests == nil {
		l.digests = map[uint64][32]byte{}
	}
	if _, ok := l.digests[seal]; ok {
		return
	}
	l.digests[seal] = digest
	l.order = append(l.order, seal)
	if len(l.order) > maxDigests {
		delete(l.digests, l.order[0])
		l.order = l.order[1:]
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
func (s *Session) compare(p *peer) {
	if p.have == nil || p.have.Seals == 0 || s.diverged != nil {
		return
	}
	seal, ok := s.game.Replica().Seal(p.have.Seals)
	if !ok {
		return // it is ahead; compareAll comes back to it
	}
	if seal.Hash != p.have.SealHash {
		// The notary has signed two chains, or the peer lies. Its seal is the proof.
		back, unsure := s.beforeParting()
		if p.checked != p.have.SealHash || unsure && back < p.backTo {
			p.checked, p.backTo = p.have.SealHash, min(p.have.Seals, s.game.Replica().OrderedSeals()+1)
			if unsure {
				p.backTo = min(p.backTo, back)
			}
			p.send(wire.Want{FromSeal: p.backTo, Feeds: []wire.FeedPosition{}})
		}
		return
	}
	mine, ok := s.digests.digests[p.have.Seals]
	// Only a device that is in the game is believed: else whoever has the link could
	// stop play.
	if ok && mine != p.have.Digest && p.have.Digest != ([32]byte{}) && p.proven && !s.ignored[p.member.Instance] {
		s.diverged = &Divergence{Seal: seal.Number, Mine: mine, Theirs: p.have.Digest, Peer: hexString(p.member.Instance[:])}
	}
}

func (s *Session) compareAll() {
	for _, p := range s.peers {
		s.compare(p)
	}
}

// PlayOn ends the stop that a [Divergence] is, when the person has looked at both states
// and decided. The other device is not compared with again.
func (s *Session) PlayOn(ctx context.Context) error {
	return s.do(ctx, func() {
		for id := range s.peers {
			if s.diverged != nil && hexString(id[:]) == s.diverged.Peer {
				s.ignored[id] = true
			}
		}
		s.diverged = nil
	})
}
