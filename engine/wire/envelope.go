package wire

import (
	"encoding/binary"
	"errors"
)

// EnvelopeVersion is the first byte of every envelope.
const EnvelopeVersion = 1

// EnvelopeHeader is the length of an envelope's clear header: version, room,
// key epoch, nonce.
const EnvelopeHeader = 1 + 32 + 4 + 24

// Errors of [ParseEnvelope].
var (
	ErrEnvelopeSize    = errors.New("envelope is too short or too long")
	ErrEnvelopeVersion = errors.New("unknown envelope version")
)

// Envelope is the outside of an encrypted action. The zero value is invalid;
// [ParseEnvelope] and the ledger's room keys make them.
type Envelope struct {
	Room       RoomID
	Epoch      uint32
	Nonce      [24]byte
	Ciphertext []byte // includes the 16 byte tag; shares memory with the parsed bytes
}

// ParseEnvelope reads the header of an envelope. It fails with [ErrEnvelopeSize] or
// [ErrEnvelopeVersion].
func ParseEnvelope(b []byte) (Envelope, error) {
	if len(b) < EnvelopeHeader+16 || len(b) > MaxEnvelope {
		return Envelope{}, ErrEnvelopeSize
	}
	if b[0] != EnvelopeVersion {
		return Envelope{}, ErrEnvelopeVersion
	}
	return Envelope{
		Room:       RoomID(b[1:33]),
		Epoch:      binary.BigEndian.Uint32(b[33:37]),
		Nonce:      [24]byte(b[37:61]),
		Ciphertext: b[61:],
	}, nil
}

// Bytes returns the envelope as it travels.
func (e Envelope) Bytes() []byte {
	return append(e.AAD(), e.Ciphertext...)
}

// AAD returns the header: version, room, key epoch and nonce, all of which the encryption
// authenticates.
func (e Envelope) AAD() []byte {
	return append(e.Prefix(), e.Nonce[:]...)
}

// Prefix returns the header without the nonce: what the nonce is derived from, together with
// the content.
func (e Envelope) Prefix() []byte {
	b := make([]byte, 0, EnvelopeHeader+len(e.Ciphertext))
	b = append(b, EnvelopeVersion)
	b = append(b, e.Room[:]...)
	return binary.BigEndian.AppendUint32(b, e.Epoch)
}

// HashEnvelope names an envelope by its bytes.
func HashEnvelope(b []byte) EnvelopeHash {
	return EnvelopeHash(Digest("peernomic/envelope/v1", b))
}
