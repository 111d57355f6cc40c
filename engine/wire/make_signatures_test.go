package wire

import (
	"crypto/ed25519"
	"crypto/sha512"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math/big"

	"filippo.io/edwards25519"
)

// signatureVector is a claim with its one verdict. The edge cases are those of "Taming the many
// EdDSAs" (Chalkias, Garillot, Nikolaenko) and of "It's 255:19AM" (de Valence), made anew here:
// each is such that some library in use judges it unlike another.
type signatureVector struct {
	Name      string `json:"name"`
	Key       string `json:"key"`
	Message   string `json:"message"`
	Signature string `json:"signature"`
	Valid     bool   `json:"valid"`  // the key
	Formed    bool   `json:"formed"` // the signature
	Good      bool   `json:"good"`
	// Which equations hold for it, whatever is said of key and form: what libraries disagree
	// about.
	Plain    bool `json:"plain"`
	Cofactor bool `json:"cofactor"`
}

// signer is a secret scalar with its point.
type signer struct {
	secret *edwards25519.Scalar
	point  *edwards25519.Point
}

func newSigner(seed byte) signer {
	h := sha512.Sum512([]byte{seed})
	s := must(edwards25519.NewScalar().SetUniformBytes(h[:]))
	return signer{s, new(edwards25519.Point).ScalarBaseMult(s)}
}

func pointOf(encoded string) *edwards25519.Point {
	return must(new(edwards25519.Point).SetBytes(must(hex.DecodeString(encoded))))
}

func sumOf(a, b *edwards25519.Point) *edwards25519.Point { return new(edwards25519.Point).Add(a, b) }

// hashOf is k of the equation.
func hashOf(r, a, message []byte) *edwards25519.Scalar {
	h := sha512.New()
	h.Write(r)
	h.Write(a)
	h.Write(message)
	return must(edwards25519.NewScalar().SetUniformBytes(h.Sum(nil)))
}

// respond is S for a nonce, an encoding of R, a key's encoding and its secret scalar.
func respond(nonce *edwards25519.Scalar, r, key, message []byte, secret *edwards25519.Scalar) []byte {
	return edwards25519.NewScalar().MultiplyAdd(hashOf(r, key, message), secret, nonce).Bytes()
}

// equations evaluates both of them by the points as they are encoded, read leniently.
func equations(key, message, signature []byte) (plain, cofactor bool) {
	a, err := new(edwards25519.Point).SetBytes(key)
	if err != nil || len(signature) != 64 {
		return false, false
	}
	r, err := new(edwards25519.Point).SetBytes(signature[:32])
	if err != nil {
		return false, false
	}
	var wide [64]byte
	copy(wide[:], signature[32:])
	s := must(edwards25519.NewScalar().SetUniformBytes(wide[:])) // reduced
	minus := new(edwards25519.Point).Negate(a)
	left := new(edwards25519.Point).VarTimeDoubleScalarBaseMult(hashOf(signature[:32], key, message), minus, s)
	difference := new(edwards25519.Point).Subtract(left, r)
	neutral := edwards25519.NewIdentityPoint()
	return difference.Equal(neutral) == 1, difference.MultByCofactor(difference).Equal(neutral) == 1
}

// MakeSignatures makes the vectors of wiretest/signatures.json.
func MakeSignatures() []signatureVector {
	var out []signatureVector
	put := func(name string, valid, formed, good bool, key, message, signature []byte) {
		plain, cofactor := equations(key, message, signature)
		out = append(out, signatureVector{
			Name: name, Key: hex.EncodeToString(key), Message: hex.EncodeToString(message), Signature: hex.EncodeToString(signature),
			Valid: valid, Formed: formed, Good: good, Plain: plain, Cofactor: cofactor,
		})
	}
	join := func(r, s []byte) []byte { return append(append([]byte{}, r...), s...) }
	order8, order2 := smallOrder[6], smallOrder[2]
	who, nonce := newSigner(1), newSigner(2)
	key, r := who.point.Bytes(), nonce.point.Bytes()
	hello := []byte("hello")
	good := join(r, respond(nonce.secret, r, key, hello, who.secret))
	put("a good signature", true, true, true, key, hello, good)
	private := ed25519.NewKeyFromSeed(make([]byte, 32))
	put("a good one of the standard library", true, true, true, private[32:], hello, ed25519.Sign(private, hello))
	put("a good one of nothing", true, true, true, key, nil, join(r, respond(nonce.secret, r, key, nil, who.secret)))
	long := make([]byte, 1000)
	put("a good one of a long message", true, true, true, key, long, join(r, respond(nonce.secret, r, key, long, who.secret)))

	flip := func(b []byte, bit int) []byte {
		b = append([]byte{}, b...)
		b[bit/8] ^= 1 << (bit % 8)
		return b
	}
	put("another message", true, true, false, key, []byte("hellp"), good)
	put("another key", true, true, false, private[32:], hello, good)
	put("R with one bit changed", true, true, false, key, hello, flip(good, 3))
	put("R with its sign changed", true, true, false, key, hello, flip(good, 255))
	put("S with one bit changed", true, true, false, key, hello, flip(good, 260))
	put("a byte too short", true, false, false, key, hello, good[:63])
	put("a byte too long", true, false, false, key, hello, append(append([]byte{}, good...), 0))
	put("nothing but zeros", true, true, false, key, hello, make([]byte, 64)) // R is a point of order 4

	// S that is not reduced: s + L, s + 2L and so on, as far as it fits.
	order, _ := new(big.Int).SetString("7237005577332262213973186563042994240857116359379907606001950938285454250989", 10)
	little := func(n *big.Int) []byte {
		b := n.FillBytes(make([]byte, 32))
		for i := range 16 {
			b[i], b[31-i] = b[31-i], b[i]
		}
		return b
	}
	reversed := append([]byte{}, good[32:]...)
	for i := range 16 {
		reversed[i], reversed[31-i] = reversed[31-i], reversed[i]
	}
	s := new(big.Int).SetBytes(reversed)
	for _, n := range []int64{1, 2, 7, 14} {
		more := new(big.Int).Add(s, new(big.Int).Mul(order, big.NewInt(n)))
		put(fmt.Sprintf("S plus %d times the order", n), true, false, false, key, hello, join(r, little(more)))
	}

	// R of small order: a signer can make S fit.
	for _, at := range []int{0, 1, 12, 13} {
		b := must(hex.DecodeString(smallOrder[at]))
		put("R is the neutral element, as "+smallOrder[at], true, false, false, key, hello, join(b, respond(edwards25519.NewScalar(), b, key, hello, who.secret)))
	}
	for _, at := range []int{2, 4, 5, 6, 7, 8, 9} {
		b := must(hex.DecodeString(smallOrder[at]))
		put("R has small order, as "+smallOrder[at], true, true, false, key, hello, join(b, respond(edwards25519.NewScalar(), b, key, hello, who.secret)))
	}
	for _, at := range []int{10, 11} {
		b := must(hex.DecodeString(smallOrder[at]))
		put("R has small order and is not reduced, as "+smallOrder[at], true, false, false, key, hello, join(b, respond(edwards25519.NewScalar(), b, key, hello, who.secret)))
	}
	// R of mixed order: good with the cofactor only.
	for _, small := range []string{order2, smallOrder[4], order8} {
		mixed := sumOf(nonce.point, pointOf(small)).Bytes()
		put("R has mixed order, by "+small, true, true, false, key, hello, join(mixed, respond(nonce.secret, mixed, key, hello, who.secret)))
	}
	// R that is no point.
	none := make([]byte, 32)
	none[0] = 2
	put("R is no point", true, true, false, key, hello, join(none, good[32:]))

	// Keys of small order: S fits anything if k times the key is the neutral element.
	for at, encoded := range smallOrder {
		b := must(hex.DecodeString(encoded))
		message := found(func(m []byte) bool {
			plain, _ := equations(b, m, join(r, nonce.secret.Bytes()))
			return plain
		})
		put(fmt.Sprintf("the key has small order, %d", at), false, true, false, b, message, join(r, nonce.secret.Bytes()))
	}
	b := must(hex.DecodeString(order8))
	put("key and R have small order", false, true, false, b, found(func(m []byte) bool {
		plain, _ := equations(b, m, join(b, make([]byte, 32)))
		return plain
	}), join(b, make([]byte, 32)))
	// Keys of mixed order: good for all if k is a multiple of 8, else with the cofactor only.
	for _, small := range []string{order2, smallOrder[4], order8} {
		mixed := sumOf(who.point, pointOf(small)).Bytes()
		sign := func(m []byte) []byte { return join(r, respond(nonce.secret, r, mixed, m, who.secret)) }
		m := found(func(m []byte) bool {
			plain, _ := equations(mixed, m, sign(m))
			return plain
		})
		put("the key has mixed order, and both equations hold, by "+small, false, true, false, mixed, m, sign(m))
		m = found(func(m []byte) bool {
			plain, _ := equations(mixed, m, sign(m))
			return !plain
		})
		put("the key has mixed order, and only that with the cofactor holds, by "+small, false, true, false, mixed, m, sign(m))
	}
	put("the key is no point", false, true, false, none, hello, good)
	high := must(hex.DecodeString("f0ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f")) // y = p + 3
	put("the key is not reduced", false, true, false, high, hello, good)
	return out
}

// found returns the first of many messages for which something holds.
func found(holds func(m []byte) bool) []byte {
	for i := uint64(0); ; i++ {
		if m := binary.BigEndian.AppendUint64(nil, i); holds(m) {
			return m
		}
	}
}
