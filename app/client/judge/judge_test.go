package judge

import (
	"testing"

	"peernomic/engine/wire"
	"peernomic/engine/wire/wiretest"
)

func vectors(t testing.TB) (all []wiretest.Vector, claims []wire.Claim) {
	t.Helper()
	all, err := wiretest.Signatures()
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range all {
		claims = append(claims, v.Claim)
	}
	return all, claims
}

// Clause 1.5 of engine/ledger/SPEC.md: the edge cases have one verdict on every platform.
func TestSignatureVectors(t *testing.T) {
	all, claims := vectors(t)
	// More than one batch, so that none is lost between them.
	for len(claims) <= 2*batch {
		all, claims = append(all, all...), append(claims, claims...)
	}
	verdicts, err := New().All(t.Context(), claims)
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range all {
		if verdicts[i] != v.Good {
			t.Errorf("%s: %v", v.Name, verdicts[i])
		}
	}
}

// BenchmarkJudge reports the time of one signature.
func BenchmarkJudge(b *testing.B) {
	all, _ := vectors(b)
	claims := make([]wire.Claim, 1000)
	for i := range claims {
		claims[i] = all[i%4].Claim // good ones
	}
	j := New()
	for b.Loop() {
		if _, err := j.All(b.Context(), claims); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(claims)), "ns/signature")
}
