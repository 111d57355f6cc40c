package client

import (
	"peernomic/engine/ledger"
	"peernomic/engine/wire"
)

// This file is about a notary that has signed two chains. Who sees both holds the proof, and
// everybody else must hear of it from them: the relay will not tell. A proof travels as one
// message with both seals, and is in the log.

// accuse keeps the first proof that this device comes to hold, and tells its peers.
func (s *Session) accuse() {
	if s.accused || s.release == nil || s.checks.over != nil {
		return
	}
	proofs := s.machine.Replica().NotaryForks()
	if len(proofs) == 0 {
		return
	}
	b, err := wire.Encode(proofs[0])
	if err != nil {
		s.storage = err
		return
	}
	s.accused, s.changed = true, true
	s.fresh = append(s.fresh, logItem{Kind: itemNotaryProof, Bytes: b})
	for _, p := range s.peers {
		s.tellProof(p)
	}
}

// tellProof shows a peer the proof, if there is one: again and again until the peer has a
// chain of seals, because before that it cannot judge it.
func (s *Session) tellProof(p *peer) {
	proofs := s.machine.Replica().NotaryForks()
	if len(proofs) == 0 || p.warned {
		return
	}
	p.warned = p.have != nil && p.have.Seals > 0
	p.send(wire.Seals{Seals: [][]byte{proofs[0].First, proofs[0].Second}})
}

// proofIn returns the proof that a message is, if it is one: two seals with one number.
func proofIn(m wire.Seals) (ledger.NotaryProof, bool) {
	if len(m.Seals) != 2 {
		return ledger.NotaryProof{}, false
	}
	first, err := wire.ParseSeal(m.Seals[0])
	if err != nil {
		return ledger.NotaryProof{}, false
	}
	second, err := wire.ParseSeal(m.Seals[1])
	p := ledger.NotaryProof{Notary: first.Notary, Number: first.Number, First: m.Seals[0], Second: m.Seals[1]}
	return p, err == nil && first.Number == second.Number
}

// receiveProof takes in a proof that a peer shows. As long as it is not known who the notary
// is, it cannot be judged; it is shown again.
func (s *Session) receiveProof(p ledger.NotaryProof) error {
	if s.accused || !s.machine.Replica().Settled() {
		return nil
	}
	return s.machine.Replica().AddNotaryProof(p)
}

// restoreProof takes in a proof of the log.
func (s *Session) restoreProof(b []byte) {
	var p ledger.NotaryProof
	if wire.Decode(b, &p) == nil && s.machine.Replica().AddNotaryProof(p) == nil {
		s.accused = true
	}
}

// fromSuspect looks for the proof in what a relay sends whose chain is not ours.
func (s *Session) fromSuspect(m wire.Message) {
	seals, ok := m.(wire.Seals)
	if !ok {
		return
	}
	for _, b := range seals.Seals {
		_ = s.machine.ReceiveSeal(b) // refused, and remembered if it is the proof
	}
	s.hangUp()
}

// probe asks a relay whose seals do not follow ours for its seal with the number of our
// newest: if that is another one, the two are the proof.
func (s *Session) probe(err error) {
	if ledger.CodeOf(err) != ledger.CodeSealPrev || s.relay.probed || s.accused {
		return
	}
	s.relay.probed = true
	s.toRelay(wire.Want{FromSeal: s.machine.Replica().Seals(), Feeds: []wire.FeedPosition{}})
}
