package ledger

import (
	"slices"
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

// Where two orders part is known from the first seals that differ; later ones tell that it was before. What a
// notary signed twice does not matter any more when another goes on (12.13).
func TestLastSealOfBothOrders(t *testing.T) {
	o := newOrphaned(t, 1)
	r := o.people[0].replica
	want := func(what string, number uint64, sure bool) {
		t.Helper()
		if n, s := r.Undisputed(); n != number || s != sure {
			t.Errorf("%s: seal %d, sure %v; want %d, %v", what, n, s, number, sure)
		}
	}
	want("no proof", o.base.Number, true)
	liar := *o.notary
	var others []wire.SignedSeal
	for i := range int64(20) {
		o.table.seal()
		others = append(others, must(liar.Seal(o.now+1+i, nil)))
	}
	want("no proof yet", o.base.Number+20, true)
	for _, back := range []int{20, 19, 3} {
		wantCode(t, r.AddSeal(others[back-1].Bytes), CodeNotaryFork)
		want("of later seals", o.base.Number+uint64(back)-2, false)
	}
	for _, s := range others[3:] {
		wantCode(t, r.AddSeal(s.Bytes), CodeNotaryFork)
	}
	wantCode(t, r.AddSeal(others[0].Bytes), CodeNotaryFork)
	want("of the first that differ", o.base.Number, true)
	if proofs := r.NotaryForks(); len(proofs) != maxNotaryForks || proofs[0].Number != o.base.Number+1 {
		t.Errorf("%d proofs, the first of seal %d", len(proofs), proofs[0].Number)
	}

	// Somebody who holds less than either order.
	short := NewReplica(o.keys)
	for _, env := range o.all {
		short.AddEnvelope(env)
	}
	for _, s := range o.seals[:o.base.Number] {
		if err := short.AddSeal(s.Bytes); err != nil {
			t.Fatal(err)
		}
	}
	whole := r
	r = short
	for i, sure := range []bool{false, true} { // of seals that are to come, and of the next
		proof := NotaryProof{Notary: o.notary.Key(), Number: others[1-i].Number, First: o.seals[int(o.base.Number)+1-i].Bytes, Second: others[1-i].Bytes}
		if err := r.AddNotaryProof(proof); err != nil {
			t.Fatal(err)
		}
		want("of seals to come", o.base.Number, sure)
	}

	r = whole
	m := o.motion(9, o.base, 1)
	e := o.assent(0, m)
	o.publish(e)
	p, _ := r.ProofOf(m)
	first := must(o.heirs[9].Seal(o.now, p.Envelopes))
	if err := r.AddSeal(first.Bytes); err != nil {
		t.Fatal(err)
	}
	want("another notary", first.Number, true)
	again := *o.heirs[9]
	one, other := must(o.heirs[9].Seal(o.now, nil)), must(again.Seal(o.now+1, nil))
	if err := r.AddSeal(one.Bytes); err != nil {
		t.Fatal(err)
	}
	wantCode(t, r.AddSeal(other.Bytes), CodeNotaryFork)
	want("of the other notary", first.Number, true)
	if proofs := r.NotaryForks(); proofs[0].Notary != o.heirs[9].Key() {
		t.Error("the proof against the notary in force is not the first")
	}
}

// A notary that has been replaced turns out to have signed another order before: who follows that can be fetched from the last seal that
// both orders have, once it is known, by a motion with it as its base (12.12).
func TestWhoWasLeftBehind(t *testing.T) {
	o := newOrphaned(t, 3)
	liar := *o.notary
	var others []wire.SignedSeal
	for i := range int64(3) {
		o.table.seal()
		others = append(others, must(liar.Seal(o.now+1+i, nil)))
	}
	cheated := o.people[2].replica
	for _, s := range others {
		_ = cheated.AddSeal(s.Bytes)
	}
	left := NewReplica(o.keys) // who has followed the other order
	left.SetElectorate(everybody(left))
	give := func(r *Replica) {
		for _, env := range o.all {
			must(r.AddEnvelope(env))
		}
	}
	give(left)
	for _, s := range append(slices.Clone(o.seals[:o.base.Number]), others...) {
		if err := left.AddSeal(s.Bytes); err != nil {
			t.Fatal(err)
		}
	}
	later := o.seals[len(o.seals)-1]
	signed := o.assents(o.motion(9, later, 1))
	o.goOn(9, signed...)
	r := o.people[0].replica
	want := func(what string, numbers ...uint64) {
		t.Helper()
		if got := r.Left(); !slices.Equal(got, numbers) {
			t.Errorf("%s: it left others behind at seals %v; want %v", what, got, numbers)
		}
		if n, sure := r.Undisputed(); n != r.Seals() || !sure {
			t.Errorf("%s: the order of the notary in force is disputed from seal %d on", what, n)
		}
	}
	want("no proof")
	wantCode(t, r.AddSeal(others[2].Bytes), CodeNotaryFork)
	want("it is not known where they part")
	wantCode(t, r.AddSeal(others[0].Bytes), CodeNotaryFork)
	want("it is known", o.base.Number)

	back := o.goOn(10, append(signed, o.assents(o.motion(10, o.base, 1))...)...)
	give(left)
	if err := left.AddSeal(back.Bytes); err != nil {
		t.Fatal(err)
	}
	for i, r := range []*Replica{r, cheated, left} {
		if mine, _ := r.Seal(back.Number); mine.Hash != back.Hash || len(r.Successions()) != 1 {
			t.Errorf("replica %d does not follow where the orders part", i)
		}
	}
	want("they are fetched")
}

// Who goes back to a notary that has signed two orders goes back to the one that they had (6.6).
func TestBackToTheSameOrder(t *testing.T) {
	for i := range int64(4) { // whichever of the two seals has the smaller hash
		o := newOrphaned(t, 1)
		m := o.motion(9, o.base, 1)
		a := o.assent(0, m)
		liar := *o.notary
		one, other := must(o.notary.Seal(o.now+i, nil)), must(liar.Seal(o.now, nil))
		first := must(o.heirs[9].Seal(o.now, []wire.EnvelopeHash{wire.HashEnvelope(a.Envelope())}))
		r := o.fresh()
		must(r.AddEnvelope(a.Envelope()))
		for _, s := range []wire.SignedSeal{one, first} {
			if err := r.AddSeal(s.Bytes); err != nil {
				t.Fatal(err)
			}
		}
		if len(r.Successions()) != 1 {
			t.Fatal("the new notary is not followed")
		}
		_ = r.AddSeal(other.Bytes)
		for _, follows := range []bool{false, true, false} {
			r.Decide(first.Hash, follows)
			want := one
			if follows {
				want = first
			}
			if mine, _ := r.Seal(one.Number); mine.Hash != want.Hash {
				t.Fatalf("%d changes of notary; back in the former order: %v", len(r.Successions()), mine.Hash == one.Hash)
			}
		}
	}
}
