package ledger

import (
	"crypto/ed25519"
	"fmt"

	"peernomic/engine/entropy"
	"peernomic/engine/wire"
)

// Notary is a device that seals a room by itself: for practice, without a relay, and for
// tests. The caller stores each seal before showing it. [Notary.Resume] continues after the last.
// Not safe for concurrent use.
type Notary struct {
	room  wire.RoomID
	game  GameID
	key   ed25519.PrivateKey
	chain *entropy.Chain
	last  wire.SignedSeal
}

// NewNotary returns the notary of a room, made from a secret seed, with a chain of n
// links.
func NewNotary(room wire.RoomID, seed [32]byte, n uint64) (*Notary, error) {
	chain, err := entropy.NewChain([32]byte(derive(seed[:], "peernomic/notary/chain/v1\x00"+string(room[:]))), n)
	if err != nil {
		return nil, fmt.Errorf("notary: %w", err)
	}
	sign := derive(seed[:], "peernomic/notary/sign/v1\x00"+string(room[:]))
	return &Notary{room: room, key: ed25519.NewKeyFromSeed(sign), chain: chain}, nil
}

// PracticeNotary returns the notary of a device's own practice room.
func (d *Device) PracticeNotary(room wire.RoomID) (*Notary, error) {
	return NewNotary(room, [32]byte(derive(d.chain[:], "peernomic/device/notary/v1")), entropy.DeviceLinks)
}

// Key returns the notary's public key, for the genesis.
func (n *Notary) Key() wire.NotaryKey { return wire.NotaryKey(n.key.Public().(ed25519.PublicKey)) }

// Found names the game whose seals the notary cuts. It is called before the first of them.
func (n *Notary) Found(game GameID) { n.game = game }

// Anchor returns link 0 of the notary's chain, for the genesis.
func (n *Notary) Anchor() wire.Link { return n.chain.Anchor() }

// Last returns the newest seal; its number is 0 if there is none.
func (n *Notary) Last() wire.SignedSeal { return n.last }

// Resume continues the chain after a seal that this notary cut before.
func (n *Notary) Resume(last wire.SignedSeal) error {
	link, err := n.chain.Link(last.Number)
	if err != nil {
		return fmt.Errorf("notary: %w", err)
	}
	if last.Notary != n.Key() || last.Room != n.room || last.Link != link {
		return refuse(CodeNotary, "the seal is not one of this notary's")
	}
	n.game, n.last = last.Game, last
	return nil
}

// Seal cuts the next seal. Its time is now, but never before the last seal's.
func (n *Notary) Seal(now int64, envelopes []wire.EnvelopeHash) (wire.SignedSeal, error) {
	if len(envelopes) > wire.MaxSealEnvelopes {
		return wire.SignedSeal{}, refuse(CodeSeal, fmt.Sprintf("a seal orders at most %d envelopes", wire.MaxSealEnvelopes))
	}
	link, err := n.chain.Link(n.last.Number + 1)
	if err != nil {
		return wire.SignedSeal{}, fmt.Errorf("notary: %w", err)
	}
	s, err := wire.SignSeal(n.key, wire.Seal{
		Room:      n.room,
		Game:      n.game,
		Number:    n.last.Number + 1,
		Prev:      n.last.Hash,
		Time:      max(now, n.last.Time),
		Envelopes: envelopes,
		Link:      link,
	})
	if err != nil {
		return wire.SignedSeal{}, fmt.Errorf("notary: %w", err)
	}
	n.last = s
	return s, nil
}
