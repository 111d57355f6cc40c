package ledger

import (
	"crypto/ed25519"
	"crypto/sha512"
	"slices"

	"filippo.io/edwards25519"

	"peernomic/engine/wire"
)

// resign signs an action's payload once more, with another nonce than RFC 8032's: what a device
// could do that wants two signatures of one payload.
func resign(v Verified, dev *Device) Verified {
	b := slices.Clone(v.bytes)
	payload := must(wire.ParseSigned(b)).Payload
	protected := b[4:42] // after the tag, the array and the byte string's head
	toSign := must(wire.Encode([]any{"Signature1", protected, []byte(ActionLabel), payload}))

	h := sha512.Sum512(dev.sign.Seed())
	s := must(edwards25519.NewScalar().SetBytesWithClamping(h[:32]))
	random := sha512.Sum512([]byte("another nonce"))
	r := must(edwards25519.NewScalar().SetUniformBytes(random[:]))
	point := new(edwards25519.Point).ScalarBaseMult(r).Bytes()
	k := sha512.New()
	k.Write(point)
	k.Write(dev.sign.Public().(ed25519.PublicKey))
	k.Write(toSign)
	challenge := must(edwards25519.NewScalar().SetUniformBytes(k.Sum(nil)))
	sum := edwards25519.NewScalar().MultiplyAdd(challenge, s, r)
	copy(b[len(b)-64:], point)
	copy(b[len(b)-32:], sum.Bytes())
	return must(must(Parse(b)).Verify())
}
