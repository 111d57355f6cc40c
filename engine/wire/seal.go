package wire

import (
	"crypto/ed25519"
	"errors"
	"fmt"
	"math"
)

// SealVersion is the first field of every seal.
const SealVersion = 1

// SealLabel is the label under which notaries sign seals.
const SealLabel = "peernomic/seal/v1"

// ErrSeal reports bytes that are not a seal.
var ErrSeal = errors.New("not a seal")

// Seal is one step of a notary's chain: it gives its envelopes their place and
// their time. Game is the one game of the room, so that a seal shows what it is about by
// itself. Number 1 is the first; its Prev is zero. Times are Unix
// milliseconds and never go back along a chain. Link n is the notary's n-th
// link: hashed, it gives the link of the seal before, and seal 1's gives the
// notary's anchor.
type Seal struct {
	_         struct{} `cbor:",toarray"`
	Version   uint64
	Room      RoomID
	Game      GameID
	Number    uint64
	Prev      SealHash
	Time      int64
	Envelopes []EnvelopeHash
	Link      Link
}

// SignedSeal is a seal together with the bytes that travel.
type SignedSeal struct {
	Seal
	Notary NotaryKey
	Hash   SealHash
	Bytes  []byte
}

// SignSeal signs a seal with the notary's key.
func SignSeal(key ed25519.PrivateKey, s Seal) (SignedSeal, error) {
	s.Version = SealVersion
	if s.Envelopes == nil {
		s.Envelopes = []EnvelopeHash{}
	}
	payload, err := Encode(s)
	if err != nil {
		return SignedSeal{}, err
	}
	b, err := Sign(key, SealLabel, payload)
	if err != nil {
		return SignedSeal{}, err
	}
	return SignedSeal{
		Seal:   s,
		Notary: NotaryKey(key.Public().(ed25519.PublicKey)),
		Hash:   SealHash(Digest(SealLabel, payload)),
		Bytes:  b,
	}, nil
}

// ParseSeal reads a seal without judging its signature. It fails with [ErrSeal].
func ParseSeal(b []byte) (SignedSeal, error) {
	signed, err := ParseSigned(b)
	if err != nil {
		return SignedSeal{}, fmt.Errorf("%w: %w", ErrSeal, err)
	}
	return parseSealPayload(signed, b)
}

// OpenSeal reads a seal and judges its signature. It fails with [ErrSeal],
// [ErrBadKey] or [ErrBadSignature], in this order.
func OpenSeal(b []byte) (SignedSeal, error) { return openSeal(b, ValidKey) }

func openSeal(b []byte, valid func([32]byte) bool) (SignedSeal, error) {
	s, err := ParseSeal(b)
	if err != nil {
		return SignedSeal{}, err
	}
	if _, err := openSigned(SealLabel, b, valid); err != nil {
		return SignedSeal{}, err
	}
	return s, nil
}

func parseSealPayload(signed Signed, b []byte) (SignedSeal, error) {
	r := NewReader(signed.Payload)
	r.Array(8)
	s := Seal{Version: r.Uint(math.MaxUint64), Room: r.Hash(), Game: r.Hash(), Number: r.Uint(math.MaxUint64), Prev: r.Hash(), Time: r.Int()}
	s.Envelopes = make([]EnvelopeHash, r.List())
	for i := range s.Envelopes {
		s.Envelopes[i] = r.Hash()
	}
	s.Link = r.Hash()
	if err := r.End(); err != nil {
		return SignedSeal{}, fmt.Errorf("%w: %w", ErrSeal, err)
	}
	if s.Version != SealVersion || s.Number == 0 || s.Time < 0 || s.Time > MaxTime || len(s.Envelopes) > MaxSealEnvelopes {
		return SignedSeal{}, ErrSeal
	}
	return SignedSeal{Seal: s, Notary: NotaryKey(signed.Key), Hash: SealHash(Digest(SealLabel, signed.Payload)), Bytes: b}, nil
}
