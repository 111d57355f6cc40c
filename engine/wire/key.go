package wire

import (
	"bytes"

	"filippo.io/edwards25519"
)

// ValidKey reports whether key is a public key that signatures may be judged by:
// a canonically encoded point of prime order. Keys of small or mixed order, under
// which Ed25519 libraries differ, are not.
func ValidKey(key [32]byte) bool {
	p, err := new(edwards25519.Point).SetBytes(key[:])
	if err != nil || !bytes.Equal(p.Bytes(), key[:]) {
		return false
	}
	identity := edwards25519.NewIdentityPoint()
	if p.Equal(identity) == 1 {
		return false
	}
	// l*p = (l-1)*p + p, because l itself is zero as a scalar.
	q := new(edwards25519.Point).ScalarMult(minusOne(), p)
	return q.Add(q, p).Equal(identity) == 1
}

func minusOne() *edwards25519.Scalar {
	one := make([]byte, 32)
	one[0] = 1
	s, err := edwards25519.NewScalar().SetCanonicalBytes(one)
	if err != nil {
		panic(err) // one is canonical
	}
	return s.Negate(s)
}
