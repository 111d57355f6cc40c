package ledger

import (
	"testing"

	"peernomic/engine/wire"
)

// A proof against the notary that somebody else shows counts like one's own, and only if it
// is one (SPEC.md, 6.6).
func TestNotaryProofOfSomebodyElse(t *testing.T) {
	tb := newTable(1)
	r := tb.people[0].replica
	liar := *tb.notary
	other, err := liar.Seal(tb.now+5, nil)
	if err != nil {
		t.Fatal(err)
	}
	mine := tb.seal()
	proof := NotaryProof{Notary: tb.notary.Key(), Number: mine.Number, First: other.Bytes, Second: mine.Bytes}

	same := proof
	same.First = mine.Bytes
	wantCode(t, r.AddNotaryProof(same), CodeNotaryFork)
	stranger := notary(tb.keys, 9)
	a, b := *stranger, *stranger
	first, second := must(a.Seal(tb.now, nil)), must(b.Seal(tb.now+1, nil))
	wantCode(t, r.AddNotaryProof(NotaryProof{Notary: stranger.Key(), Number: 1, First: first.Bytes, Second: second.Bytes}), CodeNotary)
	wantCode(t, NewReplica(tb.keys).AddNotaryProof(proof), CodeGenesis)
	if len(r.NotaryForks()) != 0 {
		t.Fatal("what is no proof was taken for one")
	}

	before := order(r.Placed())
	if err := r.AddNotaryProof(proof); err != nil {
		t.Fatal(err)
	}
	proofs := r.NotaryForks()
	if len(proofs) != 1 || proofs[0].Check() != nil || wire.HashEnvelope(proofs[0].First) != wire.HashEnvelope(mine.Bytes) {
		t.Errorf("shows %d proofs, or not the seal that it goes by first", len(proofs))
	}
	if after := order(r.Placed()); len(after) != len(before) {
		t.Error("a proof changed the order")
	}
}

// A notary that has signed two orders: whoever follows the one follows a successor from the last seal
// that both have, and not from a seal that only the other has, whatever they are given of it (12.8).
func TestTwoOrdersGoOnFromTheSealThatBothHave(t *testing.T) {
	for _, shared := range []bool{true, false} {
		o := newOrphaned(t, 3)
		said := o.act(0, "in one order")
		o.publish(said)
		liar := *o.notary
		one := must(o.notary.Seal(o.now+1000, []wire.EnvelopeHash{wire.HashEnvelope(said.Envelope())}))
		other := must(liar.Seal(o.now+1000, nil))
		for i, p := range o.people {
			s := one
			if i == 2 {
				s = other
			}
			if err := p.replica.AddSeal(s.Bytes); err != nil {
				t.Fatal(err)
			}
		}
		cheated := o.people[2].replica
		wantCode(t, cheated.AddSeal(one.Bytes), CodeNotaryFork)
		if len(cheated.NotaryForks()) == 0 {
			t.Error("the two orders are not shown")
		}
		base := one
		if shared {
			base = o.base
		}
		m := o.motion(9, base, 1)
		assents := []Entry{said}
		for i := range 3 {
			e := o.assent(i, m)
			o.publish(e)
			assents = append(assents, e)
		}
		o.goOn(9, assents...)
		for i, p := range o.people {
			if follows := len(p.replica.Successions()) == 1; follows != (shared || i < 2) {
				t.Errorf("base in both orders %v: person %d follows the new notary %v", shared, i, follows)
			}
		}
	}
}
