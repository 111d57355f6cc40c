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
	if s.accused || s.release == nil {
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

// tellProof shows a peer the proof, if there is one.
func (s *Session) tellProof(p *peer) {
	if proofs := s.machine.Replica().NotaryForks(); len(proofs) > 0 {
		p.send(wire.Seals{Seals: [][]byte{proofs[0].First, proofs[0].Second}})
	}
}

// receiveProof takes in a proof that a peer shows. Anything else is no proof.
func (s *Session) receiveProof(m wire.Seals) {
	if len(m.Seals) != 2 || s.accused {
		return
	}
	first, err := wire.ParseSeal(m.Seals[0])
	if err != nil {
		return
	}
	p := ledger.NotaryProof{Notary: first.Notary, Number: first.Number, First: m.Seals[0], Second: m.Seals[1]}
	_ = s.machine.Replica().AddNotaryProof(p) // judged there
}

// restoreProof takes in a proof of the log.
func (s *Session) restoreProof(b []byte) {
	var p ledger.NotaryProof
	if wire.Decode(b, &p) == nil && s.machine.Replica().AddNotaryProof(p) == nil {
		s.accused = true
	}
}
