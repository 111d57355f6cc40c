package game

import (
	"reflect"
	"testing"

	"peernomic/engine/ledger"
	"peernomic/engine/wire"
)

// heir makes another notary, who would go on from the newest seal, and the motion for it.
func (tb *table) heir(seed byte) (*ledger.Notary, ledger.Motion) {
	tb.t.Helper()
	n, err := ledger.NewNotary(tb.keys.ID, [32]byte{seed}, 1000)
	must(tb.t, err)
	base, _ := tb.full.Replica().Seal(tb.full.Replica().Seals())
	n.Continue(base)
	return n, tb.motion(ledger.NotaryChange{Notary: n.Key(), Anchor: n.Anchor(), Relay: "wss://other.example/relay"})
}

// Clauses 12.5, 12.8 and 12.10: the active players at the base decide on a new notary, strangers do
// not; the game goes on from the last seal and the old notary's later seals are overruled,
// their effects taken back.
func TestGameGoesOnWithAnotherNotary(t *testing.T) {
	tb := newLockTable(t, 3)
	_, game, _ := tb.full.Replica().Genesis()
	keys := newTableOf(t, 5, []ledger.Document{{Path: "ruleset.md", Text: "# Test\n\nA test."}})
	e, err := keys.pens[4].Enrol(keys.ids[4], "Sam", game, nil, tb.now)
	must(t, err)
	tb.send(e) // a stranger: Sam never joins
	tb.pens = append(tb.pens, keys.pens[4])
	tb.seal()
	heir, m := tb.heir(2)
	_, before := tb.full.Confirmed()

	var proof []wire.EnvelopeHash
	for _, device := range []int{3, 0, 1, 2} {
		if _, ok := tb.full.Successor(); ok {
			t.Fatalf("a successor before device %d assents", device)
		}
		tb.ballot(device, ledger.Ballot{Verb: ledger.VerbAssent, Motion: &m})
		tb.full.Advance(tb.now)
	}
	motion := tb.full.Motions()[0]
	if !reflect.DeepEqual(motion.Assents, []int64{1, 2, 3}) || !reflect.DeepEqual(motion.Active, []int64{1, 2, 3}) || motion.Status != MotionOpen {
		t.Fatalf("assents by %v of %v, %s", motion.Assents, motion.Active, motion.Status)
	}
	p, ok := tb.full.Successor()
	if !ok || p.Change.Relay != "wss://other.example/relay" {
		t.Fatalf("no successor: %v %+v", ok, p)
	}
	proof = p.Envelopes

	// The old notary is back, and locks the game.
	tb.act(0, "Lock")
	lock := tb.pending[len(tb.pending)-1]
	tb.seal()
	if !tb.locked() {
		t.Fatal("the old notary's seal was not carried out")
	}
	first, err := heir.Seal(tb.now, proof)
	must(t, err)
	must(t, tb.full.ReceiveSeal(first.Bytes))
	tb.full.Advance(tb.now)
	if tb.full.Replica().Seals() != first.Number || len(tb.full.Replica().Overruled()) != 1 {
		t.Fatalf("%d seals, %d overruled", tb.full.Replica().Seals(), len(tb.full.Replica().Overruled()))
	}
	if got := digestOf(tb.full); got != before {
		t.Error("what the old notary sealed after the base is still in the confirmed state")
	}
	if got := tb.full.Motions()[0]; got.Status != MotionDone {
		t.Errorf("the motion is %s", got.Status)
	}
	second, err := heir.Seal(tb.now, []wire.EnvelopeHash{lock})
	must(t, err)
	must(t, tb.full.ReceiveSeal(second.Bytes))
	tb.full.Advance(tb.now)
	if !tb.locked() {
		t.Error("the act that the successor sealed was not carried out")
	}
	entries := tb.full.Entries()
	if _, err := tb.full.Transcript(entries[len(entries)-1].Action); err != ErrLaterNotary {
		t.Errorf("a transcript of what the successor sealed: %v", err)
	}

	// Who hears of it all at once sees the same, and so does who reads the archive.
	g := New(tb.keys)
	for _, s := range append(append([][]byte{second.Bytes}, tb.seals...), first.Bytes) {
		must(t, g.ReceiveSeal(s))
	}
	for _, env := range tb.envelopes {
		_, err := g.Receive(env)
		must(t, err)
	}
	g.Advance(tb.now)
	if digestOf(g) != digestOf(tb.full) {
		t.Error("another arrival gives another digest")
	}
	file, err := ledger.WriteArchive(tb.full.Replica())
	must(t, err)
	r, err := ReadArchive(file)
	must(t, err)
	g = FromReplica(r)
	g.Advance(tb.now)
	if digestOf(g) != digestOf(tb.full) {
		t.Error("the archive gives another digest")
	}
}
