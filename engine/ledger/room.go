package ledger

import (
	"crypto/ed25519"
	"crypto/hkdf"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"strings"

	"peernomic/engine/wire"
)

// RoomSecret is the secret of a room. An invite link carries it in its fragment, with the game's id.
// Anybody who has it can read the room and ask to join.
type RoomSecret [32]byte

// ErrRoomSecret reports text that is not a room secret.
var ErrRoomSecret = errors.New("a room secret is 43 characters of base64url")

// ErrInvite reports text that is no invite.
var ErrInvite = errors.New("an invite ends in two times 43 characters of base64url, with a point between them")

// InviteText returns the fragment of an invite link: the room's secret and the game's id.
func InviteText(secret RoomSecret, game GameID) string {
	return secret.String() + "." + RoomSecret(game).String()
}

// ParseInvite is the inverse of [InviteText]. It fails with [ErrInvite].
func ParseInvite(text string) (RoomSecret, GameID, error) {
	first, second, _ := strings.Cut(text, ".")
	secret, err := ParseRoomSecret(first)
	if err != nil {
		return RoomSecret{}, GameID{}, ErrInvite
	}
	game, err := ParseRoomSecret(second) // it is written alike
	if err != nil || game == (RoomSecret{}) {
		return RoomSecret{}, GameID{}, ErrInvite
	}
	return secret, GameID(game), nil
}

// NewRoomSecret draws a secret from rand.
func NewRoomSecret(rand io.Reader) (RoomSecret, error) {
	var s RoomSecret
	if _, err := io.ReadFull(rand, s[:]); err != nil {
		return s, fmt.Errorf("room secret: %w", err)
	}
	return s, nil
}

// String returns the form of the secret in an invite link.
func (s RoomSecret) String() string { return base64.RawURLEncoding.EncodeToString(s[:]) }

// ParseRoomSecret is the inverse of [RoomSecret.String]. It fails with [ErrRoomSecret].
func ParseRoomSecret(text string) (RoomSecret, error) {
	b, err := base64.RawURLEncoding.Strict().DecodeString(text)
	if err != nil || len(b) != len(RoomSecret{}) || base64.RawURLEncoding.EncodeToString(b) != text {
		return RoomSecret{}, ErrRoomSecret
	}
	return RoomSecret(b), nil
}

// RoomKeys are the keys of one room, all derived from its secret: the signing key whose
// public half names the room, and the keys of envelopes and signals. The zero value is
// useless; [RoomSecret.Keys] makes them. They do not change and may be copied and shared.
type RoomKeys struct {
	ID   wire.RoomID
	Sign ed25519.PrivateKey // proves membership to the relay

	secret   RoomSecret
	envelope []byte // XChaCha20-Poly1305 key of envelopes
	nonce    []byte // HMAC key that gives envelopes their nonce
	signal   []byte // XChaCha20-Poly1305 key of signals
}

// Keys derives the keys of the room (SPEC.md, section 2).
func (s RoomSecret) Keys() RoomKeys {
	seed := s.derive("peernomic/room/sign/v1")
	sign := ed25519.NewKeyFromSeed(seed)
	return RoomKeys{
		ID:       wire.RoomID(sign.Public().(ed25519.PublicKey)),
		Sign:     sign,
		secret:   s,
		envelope: s.derive("peernomic/room/envelope/v1"),
		nonce:    s.derive("peernomic/room/nonce/v1"),
		signal:   s.derive("peernomic/room/signal/v1"),
	}
}

// Secret returns the secret that the keys come from.
func (k RoomKeys) Secret() RoomSecret { return k.secret }

func (s RoomSecret) derive(label string) []byte {
	return derive(s[:], label)
}

// derive expands 32 secret bytes to 32 bytes for one purpose: HKDF-SHA256 without salt.
func derive(secret []byte, label string) []byte {
	key, err := hkdf.Key(sha256.New, secret, nil, label, 32)
	if err != nil {
		panic(err) // 32 bytes are never too many
	}
	return key
}
