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
	stranger := tb.another(9)
	a, b := *stranger, *stranger
	first, second := must(a.Seal(tb.now, nil)), must(b.Seal(tb.now+1, nil))
	wantCode(t, r.AddNotaryProof(NotaryProof{Notary: stranger.Key(), Number: 1, First: first.Bytes, Second: second.Bytes}), CodeNotary)
	wantCode(t, NewReplica(tb.keys, tb.game).AddNotaryProof(proof), CodeGenesis)
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

// Where two orders part is known from the first seals that differ; later ones tell that it was before.
func TestLastSealOfBothOrders(t *testing.T) {
	o := newTable(1)
	base := o.seals[0].Number
	r := o.people[0].replica
	want := func(what string, number uint64, sure bool) {
		t.Helper()
		if n, s := r.Undisputed(); n != number || s != sure {
			t.Errorf("%s: seal %d, sure %v; want %d, %v", what, n, s, number, sure)
		}
	}
	want("no proof", base, true)
	liar := *o.notary
	var others []wire.SignedSeal
	for i := range int64(20) {
		o.seal()
		others = append(others, must(liar.Seal(o.now+1+i, nil)))
	}
	want("no proof yet", base+20, true)
	for _, back := range []int{20, 19, 3} {
		wantCode(t, r.AddSeal(others[back-1].Bytes), CodeNotaryFork)
		want("of later seals", base+uint64(back)-2, false)
	}
	for _, s := range others[3:] {
		wantCode(t, r.AddSeal(s.Bytes), CodeNotaryFork)
	}
	wantCode(t, r.AddSeal(others[0].Bytes), CodeNotaryFork)
	want("of the first that differ", base, true)
	if proofs := r.NotaryForks(); len(proofs) != maxNotaryForks || proofs[0].Number != base+1 {
		t.Errorf("%d proofs, the first of seal %d", len(proofs), proofs[0].Number)
	}

	// Somebody who holds less than either order.
	short := NewReplica(o.keys, o.game)
	for _, env := range o.all {
		short.AddEnvelope(env)
	}
	for _, s := range o.seals[:base] {
		if err := short.AddSeal(s.Bytes); err != nil {
			t.Fatal(err)
		}
	}
	r = short
	for i, sure := range []bool{false, true} { // of seals that are to come, and of the next
		proof := NotaryProof{Notary: o.notary.Key(), Number: others[1-i].Number, First: o.seals[int(base)+1-i].Bytes, Second: others[1-i].Bytes}
		if err := r.AddNotaryProof(proof); err != nil {
			t.Fatal(err)
		}
		want("of seals to come", base, sure)
	}
}
