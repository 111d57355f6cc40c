package wire

import (
	"crypto/ed25519"

	"filippo.io/edwards25519"
)

// Claim is a signature with what it is of, before anybody has judged it.
//
// Libraries differ in which Ed25519 signatures they accept, so the verdict is made in two
// steps: [Claim.Sound] refuses, in our own code, all that they differ about, but for one
// thing; what is left is plain arithmetic, which [Claim.Holds] does with the standard
// library, and a browser may do with its own once it has shown that it does it without the
// cofactor (engine/ledger/SPEC.md, clause 1.5).
type Claim struct {
	Key       [32]byte
	Message   []byte
	Signature []byte
}

// Sound reports whether the key is valid and the signature well-formed: whether it may be
// good at all.
func (c Claim) Sound() bool { return ValidKey(c.Key) && c.Formed() }

// Formed reports whether the signature is well-formed.
func (c Claim) Formed() bool { return wellFormed(c.Signature) }

// Holds reports whether the signature is good.
func (c Claim) Holds() bool { return c.Sound() && c.Adds() }

// Adds does the arithmetic alone: it reports whether a sound claim is good.
func (c Claim) Adds() bool { return ed25519.Verify(c.Key[:], c.Message, c.Signature) }

// wellFormed reports whether a signature has the one form that all libraries read alike: S is
// less than the group's order, and y of R less than the field's and not 1, which is the
// neutral element's.
func wellFormed(signature []byte) bool {
	if len(signature) != ed25519.SignatureSize {
		return false
	}
	if _, err := edwards25519.NewScalar().SetCanonicalBytes(signature[32:]); err != nil {
		return false
	}
	y := [32]byte(signature[:32])
	y[31] &= 0x7f
	if y == [32]byte{1} {
		return false
	}
	least := y[31] == 0x7f // whether y is at least 2^255 - 19
	for _, b := range y[1:31] {
		least = least && b == 0xff
	}
	return !least || y[0] < 0xed
}

func (m sign1) claim(label string) Claim {
	return Claim{Key: m.key, Message: m.message(label), Signature: m.signature}
}
