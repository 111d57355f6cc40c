package sync

import (
	"peernomic/engine/ledger"
	"peernomic/engine/wire"
)

// This file is about a notary that has signed two chains. Whoever sees both holds the proof, and everybody else must
// hear of it from them: the relay will not tell. A proof travels as one message with both seals, and is in the log.

// accusation names a proof.
type accusation struct {
	notary wire.NotaryKey
	number uint64
}

// proof is what a node has told of what the notary did.
type proof struct {
	named accusation // the proof that is in the log, or in fresh
}

// accusation names the proof that says most: the earliest number that the notary used twice.
func (n *Node) accusation() (a accusation, proof ledger.NotaryProof) {
	if proofs := n.game.Replica().NotaryForks(); len(proofs) > 0 {
		proof = proofs[0]
		a = accusation{proof.Notary, proof.Number}
	}
	return a, proof
}

// accuse keeps the proof that this device has come to hold, if it says more than the last, and tells its peers.
func (n *Node) accuse() {
	a, proof := n.accusation()
	if a == n.proof.named || !n.writes {
		return
	}
	b, err := wire.Encode(proof)
	if err != nil {
		n.storage = err
		return
	}
	n.proof.named, n.changed = a, true
	n.fresh = append(n.fresh, Item{Kind: KindNotaryProof, Bytes: b})
	for _, p := range n.inOrder() {
		n.tellProof(p)
	}
}

// tellProof shows a peer the proof, if there is one: again and again until the peer has a chain of seals, because
// before that it cannot judge it.
func (n *Node) tellProof(p *peer) {
	a, proof := n.accusation()
	if a == p.warned {
		return
	}
	if p.have != nil && p.have.Seals > 0 {
		p.warned = a
	}
	n.send(p.link, wire.Seals{Seals: [][]byte{proof.First, proof.Second}})
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

// receiveProof takes in a proof that a peer shows. As long as it is not known who the notary is, it cannot be
// judged; it is shown again.
func (n *Node) receiveProof(p ledger.NotaryProof) error {
	known, _ := n.accusation()
	if _, ok := n.game.Replica().Genesis(); known.notary == p.Notary && known.number <= p.Number || !ok {
		return nil
	}
	return n.game.Replica().AddNotaryProof(p)
}

// restoreProof takes in a proof of the log.
func (n *Node) restoreProof(b []byte) {
	var p ledger.NotaryProof
	if wire.Decode(b, &p) == nil && n.game.Replica().AddNotaryProof(p) == nil {
		n.proof.named, _ = n.accusation()
	}
}

// fromSuspect looks for the proof in what a relay sends whose chain is not ours.
func (n *Node) fromSuspect(m wire.Message) {
	seals, ok := m.(wire.Seals)
	if !ok {
		return
	}
	for _, b := range seals.Seals {
		_ = n.game.ReceiveSeal(b) // refused, and remembered if it is the proof
	}
	if !n.lookBack() {
		n.hangUpRelay()
	}
}

// probe asks a relay whose seals do not follow ours for its seal with the number of our newest: if that is another
// one, the two are the proof.
func (n *Node) probe(err error) {
	switch ledger.CodeOf(err) {
	case ledger.CodeSealPrev:
		if n.relay.backTo == 0 && n.proof.named == (accusation{}) {
			n.askBack(n.game.Replica().Seals())
		}
	case ledger.CodeNotaryFork:
		n.lookBack()
	}
}

// lookBack asks the relay for ever earlier seals of its order, until they show where it left ours. It reports whether
// an answer is due.
func (n *Node) lookBack() bool {
	from, ok := n.beforeParting()
	if ok && (n.relay.backTo == 0 || from < n.relay.backTo) {
		n.askBack(from)
	}
	return ok
}

// askBack asks the relay for its seals from a number on.
func (n *Node) askBack(from uint64) {
	n.relay.backTo = from
	n.toRelay(wire.Want{FromSeal: from, Feeds: []wire.FeedPosition{}})
}

// beforeParting returns the seal from which to ask a device or relay that has another order than ours, if it is not
// known where the two part: it is known if the two seals of the earliest proof follow the same one.
func (n *Node) beforeParting() (from uint64, unsure bool) {
	number := n.game.Replica().Seals()
	if proofs := n.game.Replica().NotaryForks(); len(proofs) > 0 {
		first, err := wire.ParseSeal(proofs[0].First)
		second, otherErr := wire.ParseSeal(proofs[0].Second)
		if err == nil && otherErr == nil && first.Prev == second.Prev {
			return 0, false
		}
		number = proofs[0].Number - 1
	}
	return number + 1 - min(number, answerSeals), true
}
