package ledger

import (
	"slices"
	"testing"

	"peernomic/engine/wire"
)

// Clauses 3.5, 6.5, 7.6 and 7.8: what is refused, void or sealed by somebody else is summed up, and
// nothing else is.
func TestFindings(t *testing.T) {
	tab := newTable(2)
	r := tab.people[0].replica
	if found := r.Findings(); len(found) != 0 {
		t.Fatalf("an honest game has findings: %v", found)
	}
	one, two := tab.act(1, "one"), tab.act(1, "two") // a fork
	late := must(tab.people[0].pen.Write(tab.people[0].replica.Position(tab.people[0].pen.Device().Key()), KindAct, nil, tab.now+2*MaxClaimAhead))
	noise := slices.Clone(one.Envelope())
	noise[len(noise)-1] ^= 1
	s := must(tab.notary.Seal(tab.now+1, []wire.EnvelopeHash{
		wire.HashEnvelope(one.Envelope()), wire.HashEnvelope(two.Envelope()), wire.HashEnvelope(late.Envelope()), wire.HashEnvelope(noise)}))
	for range 2 { // the same again is nothing new
		for _, b := range [][]byte{one.Envelope(), two.Envelope(), late.Envelope(), noise} {
			_, _ = r.AddEnvelope(b) // the verdict is what is tested below
		}
	}
	if err := r.AddSeal(s.Bytes); err != nil {
		t.Fatal(err)
	}
	var codes []Code
	for _, f := range r.Findings() {
		codes = append(codes, f.Code)
		if f.Count != 1 || f.Text == "" {
			t.Errorf("finding %+v", f)
		}
	}
	if want := []Code{CodeClaimed, CodeDecrypt, CodeFork}; !slices.Equal(codes, want) {
		t.Errorf("found %v, want %v", codes, want)
	}
}
