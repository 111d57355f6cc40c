package ledger

import (
	"bytes"
	"crypto/ecdh"
	"crypto/ed25519"
	"strings"
	"unicode/utf8"

	"peernomic/engine/wire"
)

// EnrolmentLabel is the label under which identities prove enrolments.
const EnrolmentLabel = "peernomic/enrolment/v1"

// Enrolment gives a device to a person. It is the body of the device's first action. The identity
// signs the room, the device and the keys that the device publishes. It does not sign the game's id,
// which nobody knows before the genesis is made.
type Enrolment struct {
	_        struct{} `cbor:",toarray"`
	Identity IdentityKey
	Box      [32]byte  // the device's X25519 public key
	Anchor   wire.Link // link 0 of the device's entropy chain in this room
	Name     string    // what the person wants to be called
	Proof    []byte    // Ed25519 by the identity
}

func (p *Pen) enrolment(id *Identity, name string) (Enrolment, error) {
	e := Enrolment{
		Identity: id.Key(),
		Box:      [32]byte(p.dev.box.PublicKey().Bytes()),
		Anchor:   p.chain.Anchor(),
		Name:     name,
	}
	e.Proof = ed25519.Sign(id.sign, e.proved(p.keys.ID, p.dev.Key()))
	if err := e.Check(p.keys.ID, p.dev.Key()); err != nil {
		return Enrolment{}, err
	}
	return e, nil
}

func (e Enrolment) proved(room wire.RoomID, dev DeviceKey) []byte {
	d := wire.Digest(EnrolmentLabel, room[:], dev[:], e.Box[:], e.Anchor[:])
	return d[:]
}

// DecodeEnrolment reads the body of an enrolment and does not check its proof. A replica has
// checked those of its own actions.
func DecodeEnrolment(body []byte) (Enrolment, error) {
	var e Enrolment
	if err := wire.Decode(body, &e); err != nil {
		return Enrolment{}, refuseFor(CodeEnrol, "not an enrolment in canonical form", err)
	}
	return e, nil
}

// Check checks an enrolment of a device in a room, its proof included. The error is a [*Refusal].
func (e Enrolment) Check(room wire.RoomID, dev DeviceKey) error {
	switch {
	case !validText(e.Name, MaxName):
		return refuse(CodeEnrol, "the name is empty, too long, or has spaces around it or control characters in it")
	case !validBox(e.Box):
		return refuse(CodeEnrol, "the device's X25519 key is not valid")
	case !wire.ValidKey(e.Identity):
		return refuse(CodeEnrol, "the identity is not a valid public key")
	case !(wire.Claim{Key: e.Identity, Message: e.proved(room, dev), Signature: e.Proof}).Holds():
		return refuse(CodeEnrol, "the identity did not sign this enrolment")
	}
	return nil
}

// validBox reports whether key is a canonical encoding (less than 2^255-19) of a point of large
// order, with which a shared secret can be made.
func validBox(key [32]byte) bool {
	limit := [32]byte{0x7f}
	for i := 1; i < 31; i++ {
		limit[i] = 0xff
	}
	limit[31] = 0xed
	var big [32]byte
	for i, b := range key {
		big[31-i] = b
	}
	if bytes.Compare(big[:], limit[:]) >= 0 {
		return false
	}
	pub, err := ecdh.X25519().NewPublicKey(key[:])
	if err != nil {
		return false
	}
	probe, err := ecdh.X25519().NewPrivateKey(append(make([]byte, 31), 0x40))
	if err != nil {
		return false
	}
	_, err = probe.ECDH(pub) // fails for points of small order
	return err == nil
}

// validText reports whether s is a line of text as people's names and titles are: 1 to limit
// bytes of UTF-8, no space at either end, no control character (U+0000 to U+001F, U+007F to
// U+009F) and neither U+2028 nor U+2029.
func validText(s string, limit int) bool {
	if s == "" || len(s) > limit || !utf8.ValidString(s) || strings.Trim(s, " ") != s {
		return false
	}
	for _, r := range s {
		if r < 0x20 || r >= 0x7f && r <= 0x9f || r == 0x2028 || r == 0x2029 {
			return false
		}
	}
	return true
}
