package ledger

import (
	"crypto/ecdh"
	"crypto/ed25519"
	"errors"
	"fmt"
	"io"

	"peernomic/engine/entropy"
	"peernomic/engine/wire"
)

// ErrDevice reports bytes that are not a device.
var ErrDevice = errors.New("not a device")

// Device is the keys of one device: an Ed25519 key that signs its actions, an X25519 key that
// secrets are sealed to, and the secret that its entropy chains grow from. It is never
// backed up and never copied: two programs that sign with one device fork its feed. The zero
// value is invalid; [NewDevice] and [UnmarshalDevice] make one. It does not change.
type Device struct {
	sign  ed25519.PrivateKey
	box   *ecdh.PrivateKey
	chain [32]byte
}

type storedDevice struct {
	_       struct{} `cbor:",toarray"`
	Version uint
	Sign    [32]byte
	Box     [32]byte
	Chain   [32]byte
}

// NewDevice draws a device from rand.
func NewDevice(rand io.Reader) (*Device, error) {
	s := storedDevice{Version: 1}
	for _, b := range []*[32]byte{&s.Sign, &s.Box, &s.Chain} {
		if _, err := io.ReadFull(rand, b[:]); err != nil {
			return nil, fmt.Errorf("device: %w", err)
		}
	}
	return s.device()
}

func (s storedDevice) device() (*Device, error) {
	box, err := ecdh.X25519().NewPrivateKey(s.Box[:])
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrDevice, err)
	}
	return &Device{sign: ed25519.NewKeyFromSeed(s.Sign[:]), box: box, chain: s.Chain}, nil
}

// MarshalBinary returns the device's secrets, for its own store and for nobody else.
func (d *Device) MarshalBinary() ([]byte, error) {
	return wire.Encode(storedDevice{
		Version: 1,
		Sign:    [32]byte(d.sign.Seed()),
		Box:     [32]byte(d.box.Bytes()),
		Chain:   d.chain,
	})
}

// UnmarshalDevice is the inverse of [Device.MarshalBinary]. It fails with [ErrDevice].
func UnmarshalDevice(b []byte) (*Device, error) {
	var s storedDevice
	if err := wire.Decode(b, &s); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrDevice, err)
	}
	if s.Version != 1 {
		return nil, fmt.Errorf("%w: version %d", ErrDevice, s.Version)
	}
	return s.device()
}

// Key returns the device's public signing key, which names it.
func (d *Device) Key() DeviceKey { return DeviceKey(d.sign.Public().(ed25519.PublicKey)) }

// Box returns the device's X25519 key.
func (d *Device) Box() *ecdh.PrivateKey { return d.box }

// Chain grows the device's entropy chain for one room. Every room has its own: links that one room
// has seen must be unknown in the others. It costs some [entropy.DeviceLinks] hashes; keep the
// result.
func (d *Device) Chain(room wire.RoomID) (*entropy.Chain, error) {
	seed := derive(d.chain[:], "peernomic/device/chain/v1\x00"+string(room[:]))
	return entropy.NewChain([32]byte(seed), entropy.DeviceLinks)
}
