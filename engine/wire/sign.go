package wire

import (
	"crypto/ed25519"
	"errors"
	"fmt"
)

// Errors of [OpenSigned], in the order in which they are checked.
var (
	ErrNotSigned    = errors.New("not a COSE_Sign1 message in canonical form")
	ErrBadKey       = errors.New("signing key is not a valid public key")
	ErrBadSignature = errors.New("signature does not match")
)

// Signed is the content of a COSE_Sign1 message (RFC 9052, section 4.2) whose
// signature is good.
type Signed struct {
	Key     [32]byte // Ed25519 public key, the protected header's kid
	Payload []byte
}

type protectedHeader struct {
	Alg int64  `cbor:"1,keyasint"`
	Kid []byte `cbor:"4,keyasint"`
}

type sign1 struct {
	_           struct{} `cbor:",toarray"`
	Protected   []byte
	Unprotected struct{}
	Payload     []byte
	Signature   []byte
}

type sigStructure struct {
	_         struct{} `cbor:",toarray"`
	Context   string
	Protected []byte
	AAD       []byte
	Payload   []byte
}

const (
	algEdDSA = -8 // RFC 9053, section 2.2
	tagSign1 = 0xd2
)

// Sign makes a COSE_Sign1 message (tagged, EdDSA, kid = public key). The label is
// the external additional data: a signature under one label never counts under
// another.
func Sign(key ed25519.PrivateKey, label string, payload []byte) ([]byte, error) {
	protected, err := Encode(protectedHeader{Alg: algEdDSA, Kid: key.Public().(ed25519.PublicKey)})
	if err != nil {
		return nil, err
	}
	toSign, err := Encode(sigStructure{Context: "Signature1", Protected: protected, AAD: []byte(label), Payload: payload})
	if err != nil {
		return nil, err
	}
	body, err := Encode(sign1{Protected: protected, Payload: payload, Signature: ed25519.Sign(key, toSign)})
	if err != nil {
		return nil, err
	}
	return append([]byte{tagSign1}, body...), nil
}

// ParseSigned takes a COSE_Sign1 message apart without judging its signature.
// It fails with [ErrNotSigned].
func ParseSigned(data []byte) (Signed, error) {
	m, h, err := parseSign1(data)
	if err != nil {
		return Signed{}, err
	}
	return Signed{Key: [32]byte(h.Kid), Payload: m.Payload}, nil
}

// OpenSigned takes a COSE_Sign1 message apart and judges its signature under the
// label. It fails with [ErrNotSigned], [ErrBadKey] or [ErrBadSignature], the first
// that applies.
func OpenSigned(label string, data []byte) (Signed, error) {
	return openSigned(label, data, ValidKey)
}

func openSigned(label string, data []byte, valid func([32]byte) bool) (Signed, error) {
	m, h, err := parseSign1(data)
	if err != nil {
		return Signed{}, err
	}
	if !valid([32]byte(h.Kid)) {
		return Signed{}, ErrBadKey
	}
	c, err := m.claim(h, label)
	if err != nil {
		return Signed{}, err
	}
	if !wellFormed(c.Signature) || !c.Adds() {
		return Signed{}, ErrBadSignature
	}
	return Signed{Key: [32]byte(h.Kid), Payload: m.Payload}, nil
}

func parseSign1(data []byte) (sign1, protectedHeader, error) {
	var m sign1
	var h protectedHeader
	if len(data) == 0 || data[0] != tagSign1 {
		return m, h, ErrNotSigned
	}
	if err := Decode(data[1:], &m); err != nil {
		return m, h, fmt.Errorf("%w: %w", ErrNotSigned, err)
	}
	if err := Decode(m.Protected, &h); err != nil {
		return m, h, fmt.Errorf("%w: header: %w", ErrNotSigned, err)
	}
	if h.Alg != algEdDSA || len(h.Kid) != ed25519.PublicKeySize || len(m.Signature) != ed25519.SignatureSize {
		return m, h, ErrNotSigned
	}
	return m, h, nil
}
