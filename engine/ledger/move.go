package ledger

import (
	"crypto/ecdh"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"

	"peernomic/engine/secret"
	"peernomic/engine/wire"
)

// This file is how a game moves to another room: SPEC.md, 13.4 and 13.5. The announcement is an
// action of [KindMove] in the old room. It changes nothing there.

// Move is the body of an action of [KindMove]: it announces that the game continues in another room, from a seal.
type Move struct {
	_        struct{} `cbor:",toarray"`
	Game     GameID   // the new one
	Seal     uint64   // of this game, from which the new one continues
	SealHash wire.SealHash
	Why      string // for people
	// Invitations are for the devices that may enter the new room.
	Invitations []Invitation
}

// Invitation is the invite of the new room, sealed to one device.
type Invitation struct {
	_      struct{} `cbor:",toarray"`
	Device DeviceKey
	Sealed []byte
}

// Invite holds everything that a person needs to enter a room.
type Invite struct {
	_      struct{} `cbor:",toarray"`
	Relay  string   // its address
	Secret RoomSecret
	Game   GameID
}

// ErrNotInvited reports an announcement without a valid invitation for a device.
var ErrNotInvited = errors.New("the announcement has no invitation for this device")

// Encode returns the body of the action. The error is a [*Refusal] with [CodeMove].
func (m Move) Encode() ([]byte, error) {
	b, err := wire.Encode(m)
	if err != nil {
		return nil, refuseFor(CodeMove, "the announcement cannot be encoded", err)
	}
	if _, err := DecodeMove(b); err != nil {
		return nil, err
	}
	return b, nil
}

// DecodeMove reads the body of an action of [KindMove]. The error is a [*Refusal] with
// [CodeMove].
func DecodeMove(b []byte) (Move, error) {
	var m Move
	if err := wire.Decode(b, &m); err != nil {
		return Move{}, refuseFor(CodeMove, "not an announcement in canonical form", err)
	}
	switch {
	case m.Game == GameID{} || m.Seal == 0:
		return Move{}, refuse(CodeMove, "the announcement names no game or no seal")
	case len(m.Why) > MaxWhy || !utf8.ValidString(m.Why):
		return Move{}, refuse(CodeMove, "the reason is too long or not text")
	case len(m.Invitations) > MaxInvitations:
		return Move{}, refuse(CodeMove, fmt.Sprintf("more than %d invitations", MaxInvitations))
	}
	return m, nil
}

// Seal returns the invitation of one device into the room, for an announcement in an earlier
// game. Box is the device's X25519 key. The error is a [*Refusal] with [CodeMove] if the relay's
// address is not one line of text.
func (i Invite) Seal(earlier GameID, device DeviceKey, box *ecdh.PublicKey, random io.Reader) (Invitation, error) {
	if !validText(i.Relay, MaxRelay) {
		return Invitation{}, refuse(CodeMove, "the relay's address is empty, too long, or not a line of text")
	}
	plain, err := wire.Encode(i)
	if err != nil {
		return Invitation{}, fmt.Errorf("invitation: %w", err)
	}
	sealed, err := secret.SealTo(box, inviteInfo(earlier, i.Game), plain, random)
	if err != nil {
		return Invitation{}, fmt.Errorf("invitation: %w", err)
	}
	return Invitation{Device: device, Sealed: sealed}, nil
}

// Open returns the invite that an announcement in an earlier game has for a device. It fails with
// [ErrNotInvited].
func (m Move) Open(earlier GameID, dev *Device) (Invite, error) {
	for _, inv := range m.Invitations {
		if inv.Device != dev.Key() {
			continue
		}
		plain, err := secret.OpenWith(dev.Box(), inviteInfo(earlier, m.Game), inv.Sealed)
		if err != nil {
			return Invite{}, ErrNotInvited
		}
		var i Invite
		if wire.Decode(plain, &i) != nil || i.Game != m.Game || !validText(i.Relay, MaxRelay) {
			return Invite{}, ErrNotInvited
		}
		return i, nil
	}
	return Invite{}, ErrNotInvited
}

func inviteInfo(earlier, game GameID) []byte {
	return append(append([]byte("peernomic/move/v1\x00"), earlier[:]...), game[:]...)
}
