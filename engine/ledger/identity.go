package ledger

import (
	"crypto/ed25519"
	"encoding/hex"
	"fmt"
	"io"
	"strings"
)

// IdentityKey is a person's Ed25519 public key. It means the same person in every game.
type IdentityKey [32]byte

// DeviceKey is a device's Ed25519 public key.
type DeviceKey [32]byte

func (k IdentityKey) String() string { return hex.EncodeToString(k[:]) }
func (k DeviceKey) String() string   { return hex.EncodeToString(k[:]) }

// Fingerprint shortens the hexadecimal form of a key to six groups of four digits, which people can
// read to each other: 96 bits. It returns a shorter text unchanged.
func Fingerprint(hexKey string) string {
	if len(hexKey) < 24 {
		return hexKey
	}
	var groups []string
	for i := 0; i < 24; i += 4 {
		groups = append(groups, hexKey[i:i+4])
	}
	return strings.Join(groups, " ")
}

// ParseIdentityKey reads the hexadecimal form of an identity.
func ParseIdentityKey(s string) (IdentityKey, error) {
	b, err := hex.DecodeString(s)
	if err != nil || len(b) != len(IdentityKey{}) {
		return IdentityKey{}, fmt.Errorf("an identity is %d hex digits", 2*len(IdentityKey{}))
	}
	return IdentityKey(b), nil
}

// Identity is a person's key. It signs enrolments of devices, and nothing else. A backup holds it. The zero value is invalid; [NewIdentity], [IdentityFromSeed], [ParseWords]
// and [RestoreBackup] make one. It does not change.
type Identity struct {
	seed [32]byte
	sign ed25519.PrivateKey
}

// NewIdentity draws an identity from rand.
func NewIdentity(rand io.Reader) (*Identity, error) {
	var seed [32]byte
	if _, err := io.ReadFull(rand, seed[:]); err != nil {
		return nil, fmt.Errorf("identity: %w", err)
	}
	return IdentityFromSeed(seed), nil
}

// IdentityFromSeed returns the identity that a secret seed gives.
func IdentityFromSeed(seed [32]byte) *Identity {
	return &Identity{seed: seed, sign: ed25519.NewKeyFromSeed(seed[:])}
}

// Key returns the public key.
func (id *Identity) Key() IdentityKey {
	return IdentityKey(id.sign.Public().(ed25519.PublicKey))
}

// Seed returns the secret that the identity comes from, for the device's own store.
func (id *Identity) Seed() [32]byte { return id.seed }
