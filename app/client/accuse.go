package client

import (
	"peernomic/engine/ledger"
	"peernomic/engine/wire"
)

// This file is about a notary that has signed two chains. Who sees both holds the proof, and
// everybody else must hear of it from them: the relay will not tell. A proof travels as one
// message with both seals, and is in the log.

// accusation names a proof.
type accusation struct {
	notary wire.NotaryKey
	number uint64
}

// accusation names the proof that says most: the earliest number that the notary in force used twice.
func (s *Session) accusation() (a accusation, proof ledger.NotaryProof) {
	if proofs := s.game.Replica().NotaryForks(); len(proofs) > 0 {
		proof = proofs[0]
		a = accusation{proof.Notary, proof.Number}
	}
	return a, proof
}

// TwoOrders reports whether the notary in force is known to have signed two orders of a game.
func TwoOrders(r *ledger.Replica) bool {
	proofs := r.NotaryForks()
	key, _ := r.Notary()
	return len(proofs) > 0 && proofs[0].Notary == key
}

// accuse keeps the proof that this device has come to hold, if it says more than the last, and tells its peers.
func (s *Session) accuse() {
	a, proof := s.accusation()
	if a == s.accused || s.release == nil {
		return
	}
	b, err := wire.Encode(proof)
	if err != nil {
		s.storage = err
		return
	}
	s.accused, s.changed = a, true
	s.fresh = append(s.fresh, logItem{Kind: itemNotaryProof, Bytes: b})
	for _, p := range s.peers {
		s.tellProof(p)
	}
}

// tellProof shows a peer the proof, if there is one: again and again until the peer has a
// chain of seals, because before that it cannot judge it.
func (s *Session) tellProof(p *peer) {
	a, proof := s.accusation()
	if a == p.warned {
		return
	}
	if p.have != nil && p.have.Seals > 0 {
		p.warned = a
	}
	p.send(wire.Seals{Seals: [][]byte{proof.First, proof.Second}})
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
	known, _ := s.accusation()
	if known.notary == p.Notary && known.number <= p.Number || !s.game.Replica().Settled() {
		return nil
	}
	return s.game.Replica().AddNotaryProof(p)
}

// restoreProof takes in a proof of the log.
func (s *Session) restoreProof(b []byte) {
	var p ledger.NotaryProof
	if wire.Decode(b, &p) == nil && s.game.Replica().AddNotaryProof(p) == nil {
		s.accused, _ = s.accusation()
	}
}

// fromSuspect looks for the proof in what a relay sends whose chain is not ours.
func (s *Session) fromSuspect(m wire.Message) {
	seals, ok := m.(wire.Seals)
	if !ok {
		return
	}
	for _, b := range seals.Seals {
		_ = s.game.ReceiveSeal(b) // refused, and remembered if it is the proof
	}
	if !s.lookBack() {
		s.hangUp()
	}
}

// probe asks a relay whose seals do not follow ours for its seal with the number of our
// newest: if that is another one, the two are the proof.
func (s *Session) probe(err error) {
	switch ledger.CodeOf(err) {
	case ledger.CodeSealPrev:
		if s.relay.backTo == 0 && s.accused == (accusation{}) {
			s.askBack(s.game.Replica().Seals())
		}
	case ledger.CodeNotaryFork:
		s.lookBack()
	}
}

// lookBack asks the relay for ever earlier seals of its order, until they show where it left ours: only
// from there on can all go on together. It reports whether an answer is due.
func (s *Session) lookBack() bool {
	from, ok := s.beforeParting()
	if ok && (s.relay.backTo == 0 || from < s.relay.backTo) {
		s.askBack(from)
	}
	return ok
}

// askBack asks the relay for its seals from a number on.
func (s *Session) askBack(from uint64) {
	s.relay.backTo = from
	s.toRelay(wire.Want{FromSeal: from, Feeds: []wire.FeedPosition{}})
}

// beforeParting returns the seal from which to ask whoever has another order than ours, if it is not known where
// the two part: it is known if the two seals of the earliest proof follow the same one.
func (s *Session) beforeParting() (from uint64, ok bool) {
	number := s.game.Replica().Seals()
	if proofs := s.game.Replica().NotaryForks(); len(proofs) > 0 {
		first, err := wire.ParseSeal(proofs[0].First)
		second, otherErr := wire.ParseSeal(proofs[0].Second)
		if err == nil && otherErr == nil && first.Prev == second.Prev {
			return 0, false
		}
		number = proofs[0].Number - 1
	}
	return number + 1 - min(number, answerSeals), true
}
