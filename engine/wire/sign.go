package wire

import (
	"crypto/ed25519"
	"errors"
)

// Errors of [KeyCache.OpenSigned], in the order in which they are checked.
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

// sign1 is a COSE_Sign1 message taken apart; its parts share memory with it.
type sign1 struct {
	key       [32]byte
	protected []byte // the header in its one form: the algorithm EdDSA (RFC 9053, section 2.2) and the key
	payload   []byte
	signature []byte
}

// What every message begins with: the tag, an array of four, and the protected header up to the key, which
// is a map {1: -8, 4: key} of 38 bytes.
const (
	signBegins   = "\xd2\x84\x58\x26" + headerBegins
	headerBegins = "\xa2\x01\x27\x04\x58\x20"
	headerSize   = len(headerBegins) + ed25519.PublicKeySize
)

// Sign makes a COSE_Sign1 message (tagged, EdDSA, kid = public key). The label is
// the external additional data: a signature under one label never counts under
// another. It fails with [ErrBadKey] for bytes that are no private key.
func Sign(key ed25519.PrivateKey, label string, payload []byte) ([]byte, error) {
	if len(key) != ed25519.PrivateKeySize {
		return nil, ErrBadKey
	}
	public := key.Public().(ed25519.PublicKey)
	b := append([]byte(signBegins), public...)
	m := sign1{protected: b[len(b)-headerSize:], payload: payload}
	signature := ed25519.Sign(key, m.message(label))
	b = append(b, unprotected)
	return appendBytes(appendBytes(b, payload), signature), nil
}

// unprotected is the header that is not signed: an empty map.
const unprotected = 0xa0

// message returns the Sig_structure that a signature is of (RFC 9052, section 4.4).
func (m sign1) message(label string) []byte {
	b := make([]byte, 0, 32+headerSize+len(label)+len(m.payload))
	b = append(b, "\x84\x6aSignature1"...)
	b = appendBytes(b, m.protected)
	b = appendBytes(b, []byte(label))
	return appendBytes(b, m.payload)
}

// ParseSigned takes a COSE_Sign1 message apart without judging its signature.
// It fails with [ErrNotSigned].
func ParseSigned(data []byte) (Signed, error) {
	m, err := parseSign1(data)
	return Signed{Key: m.key, Payload: m.payload}, err
}

// openSigned is [KeyCache.OpenSigned]; valid is what judges keys.
func openSigned(label string, data []byte, valid func([32]byte) bool) (Signed, error) {
	m, err := parseSign1(data)
	if err != nil {
		return Signed{}, err
	}
	if !valid(m.key) {
		return Signed{}, ErrBadKey
	}
	if c := m.claim(label); !c.Formed() || !c.Adds() {
		return Signed{}, ErrBadSignature
	}
	return Signed{Key: m.key, Payload: m.payload}, nil
}

func parseSign1(b []byte) (sign1, error) {
	end := len(signBegins) + ed25519.PublicKeySize
	if len(b) <= end || string(b[:len(signBegins)]) != signBegins || b[end] != unprotected {
		return sign1{}, ErrNotSigned
	}
	m := sign1{key: [32]byte(b[len(signBegins):end]), protected: b[end-headerSize : end]}
	r := NewReader(b[end+1:])
	m.payload, m.signature = r.Bytes(), r.Bytes()
	if r.End() != nil || len(m.signature) != ed25519.SignatureSize {
		return sign1{}, ErrNotSigned
	}
	return m, nil
}
