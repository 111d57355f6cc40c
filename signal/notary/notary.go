// Package notary signs the seals of one room. A notary has an Ed25519 key and an
// entropy chain of its own; both are made when the room is opened and stay secret,
// except for the public key, the anchor, and the links that seals have revealed.
//
// A holder of these secrets can foresee the notary's half of every roll in the room, but
// not the players' half.
package notary

import (
	"crypto/ed25519"
	"crypto/rand"
	"slices"

	"peernomic/engine/wire"
)

// Secrets are the secrets of a notary, which the relay keeps. [NewSecrets] makes them.
type Secrets struct {
	_      struct{} `cbor:",toarray"`
	Seed   [32]byte // of the Ed25519 key
	Anchor wire.Link
}

// Head is the end of a chain of seals. The zero value is the head of a
// chain without seals.
type Head struct {
	_      struct{} `cbor:",toarray"`
	Number uint64
	Hash   wire.SealHash
	Time   int64
}

// NewSecrets draws a new notary with a chain of the given length, and returns the
// marks of its chain, see [Grow].
func NewSecrets(length int) (Secrets, []wire.Link) {
	var s Secrets
	var last wire.Link
	rand.Read(s.Seed[:])
	rand.Read(last[:])
	anchor, marks := Grow(last, length)
	s.Anchor = anchor
	return s, marks
}

// Key returns the notary's public key.
func (s Secrets) Key() wire.NotaryKey {
	return wire.NotaryKey(ed25519.NewKeyFromSeed(s.Seed[:]).Public().(ed25519.PublicKey))
}

// Notary signs the seals of one game in one room. It is not safe for concurrent use.
type Notary struct {
	key   ed25519.PrivateKey
	chain *Walker
	room  wire.RoomID
	game  wire.GameID
}

// New returns the notary of a room's game. The function reads the marks of its chain.
func New(room wire.RoomID, game wire.GameID, s Secrets, marks func() ([]wire.Link, error)) *Notary {
	return &Notary{key: ed25519.NewKeyFromSeed(s.Seed[:]), chain: NewWalker(marks), room: room, game: game}
}

// Seal signs the seal that comes after head and orders the envelopes, at most
// [wire.MaxSealEnvelopes]. Its time is now, in Unix milliseconds, or the time of
// head if that is later. The caller must store the seal on top of head before
// showing it to anyone: two seals with one number prove a fraud. It fails with
// [ErrChainEnd].
func (n *Notary) Seal(head Head, now int64, envelopes []wire.EnvelopeHash) (wire.SignedSeal, error) {
	link, err := n.chain.Link(head.Number + 1)
	if err != nil {
		return wire.SignedSeal{}, err
	}
	return wire.SignSeal(n.key, wire.Seal{
		Room:      n.room,
		Game:      n.game,
		Number:    head.Number + 1,
		Prev:      head.Hash,
		Time:      max(now, head.Time, 0),
		Envelopes: slices.Clone(envelopes),
		Link:      link,
	})
}

// HeadOf returns the head of the chain that ends with s.
func HeadOf(s wire.SignedSeal) Head {
	return Head{Number: s.Number, Hash: s.Hash, Time: s.Time}
}
