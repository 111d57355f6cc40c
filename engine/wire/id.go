package wire

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
)

// RoomID names a room: the Ed25519 public key of the room's signing key.
type RoomID [32]byte

// GameID names a game: it is the id of the genesis (engine/ledger/SPEC.md, section 4). The
// zero value stands for a game that is not founded yet.
type GameID [32]byte

// NotaryKey is the Ed25519 public key that signs a room's seals.
type NotaryKey [32]byte

// EnvelopeHash names an envelope by its bytes, see [HashEnvelope].
type EnvelopeHash [32]byte

// SealHash names a seal by its payload, see [Seal.Hash].
type SealHash [32]byte

// PeerID names one connection to a relay. It is random, chosen by the client
// for each connection, and means nothing beyond it.
type PeerID [16]byte

// Link is one link of an entropy chain: hashing link n gives link n-1, and link 0,
// the anchor, is published before any other.
type Link [32]byte

// Parent returns the link before l in its chain.
func (l Link) Parent() Link {
	return Link(Digest("peernomic/link/v1", l[:]))
}

func (id RoomID) String() string      { return hex.EncodeToString(id[:]) }
func (id GameID) String() string      { return hex.EncodeToString(id[:]) }
func (k NotaryKey) String() string    { return hex.EncodeToString(k[:]) }
func (h EnvelopeHash) String() string { return hex.EncodeToString(h[:]) }
func (h SealHash) String() string     { return hex.EncodeToString(h[:]) }
func (p PeerID) String() string       { return hex.EncodeToString(p[:]) }
func (l Link) String() string         { return hex.EncodeToString(l[:]) }

// ParseRoomID is the inverse of [RoomID.String].
func ParseRoomID(s string) (RoomID, error) {
	var id RoomID
	b, err := hex.DecodeString(s)
	if err != nil || len(b) != len(id) {
		return id, fmt.Errorf("room id must be %d hex digits", 2*len(id))
	}
	return RoomID(b), nil
}

// Digest hashes data in its own domain: SHA-256 of the label, a zero byte, and the
// parts in order. Labels name the kind of thing and its version, so that a hash of
// one kind can never be taken for another. Parts that vary in length come last or
// are prefixed by their length.
func Digest(label string, parts ...[]byte) [32]byte {
	h := sha256.New()
	h.Write([]byte(label))
	h.Write([]byte{0})
	for _, p := range parts {
		h.Write(p)
	}
	return [32]byte(h.Sum(nil))
}
