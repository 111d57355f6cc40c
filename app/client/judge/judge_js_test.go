package judge

import (
	"encoding/hex"
	"testing"

	"peernomic/engine/wire"
	"peernomic/engine/wire/wiretest"
)

// The browser passes the trial, so its own cryptography is what gave the verdicts on the vectors.
func TestBrowserIsTrusted(t *testing.T) {
	if !New().Trusted(t.Context()) {
		t.Error("the trial failed, or there is no Ed25519 in this browser")
	}
}

// The trials are vectors, and a browser that multiplies by the cofactor would fail.
func TestTrialsTellLibrariesApart(t *testing.T) {
	all, err := wiretest.Signatures()
	if err != nil {
		t.Fatal(err)
	}
	byName := map[string]wiretest.Vector{}
	for _, v := range all {
		byName[v.Name] = v
	}
	apart := 0
	for _, x := range trials {
		v, ok := byName[x.name]
		if !ok || v.Good != x.good || !v.Valid || !v.Formed || hex.EncodeToString(v.Claim.Signature) != x.signature || hex.EncodeToString(v.Claim.Key[:]) != x.key || hex.EncodeToString(v.Claim.Message) != x.message {
			t.Errorf("%s is not the vector of that name", x.name)
		}
		if v.Cofactor && !v.Plain {
			apart++
		}
	}
	if apart < 3 {
		t.Errorf("only %d trials tell libraries apart", apart)
	}
	// A browser that fails the trial is not used, and the verdicts are the same.
	j := New()
	j.tried = true
	claims, want := []wiretest.Vector{byName["a good signature"], byName["another message"]}, []bool{true, false}
	for i, v := range claims {
		got, err := j.All(t.Context(), []wire.Claim{v.Claim})
		if err != nil || got[0] != want[i] {
			t.Errorf("%s without the browser: %v, %v", v.Name, got, err)
		}
	}
}
