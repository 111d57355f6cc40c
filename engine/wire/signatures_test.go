package wire_test

import (
	"bytes"
	"crypto/ed25519"
	"encoding/json"
	"flag"
	"os"
	"testing"

	"peernomic/engine/wire"
	"peernomic/engine/wire/wiretest"
)

var rewrite = flag.Bool("rewrite", false, "write wiretest/signatures.json anew; read the difference with care")

// Clause 1.5 of engine/ledger/SPEC.md: every edge case has one verdict, here in Go, natively and
// in WebAssembly. The browser's cryptography is held to the same vectors in app/client/judge.
func TestSignatureVectors(t *testing.T) {
	want, err := json.MarshalIndent(wire.MakeSignatures(), "", " ")
	if err != nil {
		t.Fatal(err)
	}
	want = append(want, '\n')
	if *rewrite {
		if err := os.WriteFile("wiretest/signatures.json", want, 0o644); err != nil {
			t.Fatal(err)
		}
		t.Skip("written; run again without -rewrite")
	}
	if !bytes.Equal(wiretest.File, want) {
		t.Error("wiretest/signatures.json is not what the code makes")
	}
	vectors, err := wiretest.Signatures()
	if err != nil {
		t.Fatal(err)
	}
	lenient, standard := 0, 0
	for _, v := range vectors {
		c := v.Claim
		if wire.ValidKey(c.Key) != v.Valid || c.Formed() != v.Formed || c.Sound() != (v.Valid && v.Formed) || c.Holds() != v.Good {
			t.Errorf("%s: valid %v, formed %v, holds %v; want %v, %v, %v", v.Name, wire.ValidKey(c.Key), c.Formed(), c.Holds(), v.Valid, v.Formed, v.Good)
		}
		if !v.Good && v.Cofactor {
			lenient++
		}
		if !v.Good && len(c.Signature) == 64 && ed25519.Verify(c.Key[:], c.Message, c.Signature) {
			standard++
		}
	}
	// The vectors are worth nothing if no library could go wrong on them.
	if lenient < 20 || standard < 10 {
		t.Errorf("%d bad signatures pass with the cofactor, and %d in the standard library: the edge is not covered", lenient, standard)
	}
}
