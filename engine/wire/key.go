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

// KeyCache judges signatures, of seals like [OpenSeal], and remembers which keys are
// valid, because judging a key costs as much as judging a signature. The verdicts are the
// same. The zero value is ready to use; it is not safe for concurrent use.
type KeyCache struct {
	valid map[[32]byte]bool
}

func (c *KeyCache) judge(key [32]byte) bool {
	if c.valid[key] {
		return true
	}
	if !ValidKey(key) {
		return false
	}
	if c.valid == nil || len(c.valid) >= maxKeys {
		c.valid = map[[32]byte]bool{}
	}
	c.valid[key] = true
	return true
}

// maxKeys is how many keys a cache remembers before it starts over.
const maxKeys = 4096

// OpenSigned takes a COSE_Sign1 message apart and judges its signature under the
// label. It fails with [ErrNotSigned], [ErrBadKey] or [ErrBadSignature], the first
// that applies.
func (c *KeyCache) OpenSigned(label string, data []byte) (Signed, error) {
	return openSigned(label, data, c.judge)
}

// OpenSeal is [OpenSeal] with what the cache remembers.
func (c *KeyCache) OpenSeal(b []byte) (SignedSeal, error) { return openSeal(b, c.judge) }
