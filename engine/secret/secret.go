// Package secret hides values of a game from everybody but their readers. Once a value is
// opened, everybody can check it against its commitment.
//
// A [Secret] goes into the log and the gamestate: a commitment that binds its author, and
// a copy for each of the readers' devices, sealed by HPKE (RFC 9180). Copies are padded, so
// that they do not show how long the value is. A copy holds an [Opening]. An action that
// carries the opening shows the value to all.
package secret

import (
	"bytes"
	"crypto/ecdh"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"

	"peernomic/engine/wire"
)

// Labels of hashes and sealed copies.
const (
	CommitmentLabel = "peernomic/secret/commitment/v1"
	CopyLabel       = "peernomic/secret/copy/v1"
)

// Errors of secrets and openings.
var (
	ErrSecret   = errors.New("not a secret")
	ErrNoCopy   = errors.New("this secret is not sealed for this device")
	ErrMismatch = errors.New("this is not what was committed to")
)

// Device names a device: its public signing key.
type Device = [32]byte

// Secret is a value that its readers can read and everybody can check once it is opened.
type Secret struct {
	Author     int64             // person who committed to it, by their id in the game
	Commitment [32]byte          // see [Commit]
	Copies     map[Device][]byte // sealed, by device
}

// Opening is a secret's value with the salt that its commitment was made with.
type Opening struct {
	Salt  [32]byte
	Value any // as in a cell: nil, bool, int64, string, []any or map[string]any
}

// opened is the content of a copy.
type opened struct {
	_     struct{} `cbor:",toarray"`
	Salt  [32]byte
	Value any
	Pad   []byte
}

// Commit returns the commitment of an author to a value: SHA-256 of the label, the author's
// id (8 bytes, big endian), the salt, and the value in canonical CBOR. It names the author, so that
// nobody can copy another person's commitment. It fails if the value cannot be encoded.
func Commit(author int64, o Opening) ([32]byte, error) {
	b, err := wire.Encode(o.Value)
	if err != nil {
		return [32]byte{}, fmt.Errorf("secret: %w", err)
	}
	return wire.Digest(CommitmentLabel, binary.BigEndian.AppendUint64(nil, uint64(author)), o.Salt[:], b), nil
}

// Conceal makes a secret of a value, with a copy for each of the readers' devices and salt
// and keys drawn from random. It fails if there are more than [MaxCopies] readers, or if the value
// is longer than [MaxValue] bytes.
func Conceal(author int64, value any, readers map[Device]*ecdh.PublicKey, random io.Reader) (Secret, error) {
	if len(readers) > MaxCopies {
		return Secret{}, fmt.Errorf("secret: %d devices would read it, at most %d can", len(readers), MaxCopies)
	}
	o := Opening{Value: value}
	if _, err := io.ReadFull(random, o.Salt[:]); err != nil {
		return Secret{}, fmt.Errorf("secret: %w", err)
	}
	commitment, err := Commit(author, o)
	if err != nil {
		return Secret{}, err
	}
	plain, err := pad(o)
	if err != nil {
		return Secret{}, err
	}
	s := Secret{Author: author, Commitment: commitment, Copies: map[Device][]byte{}}
	// In order, so that the same random source gives the same secret.
	for _, dev := range slices.SortedFunc(maps.Keys(readers), func(a, b Device) int { return bytes.Compare(a[:], b[:]) }) {
		if s.Copies[dev], err = SealTo(readers[dev], s.info(), plain, random); err != nil {
			return Secret{}, fmt.Errorf("secret: %w", err)
		}
	}
	return s, nil
}

// info binds a copy to its secret.
func (s Secret) info() []byte { return append([]byte(CopyLabel+"\x00"), s.Commitment[:]...) }

// pad encodes an opening to a multiple of [PadTo] bytes.
func pad(o Opening) ([]byte, error) {
	content := opened{Salt: o.Salt, Value: o.Value, Pad: []byte{}}
	b, err := wire.Encode(content)
	if err != nil {
		return nil, fmt.Errorf("secret: %w", err)
	}
	if len(b) > MaxValue {
		return nil, fmt.Errorf("secret: the value is longer than %d bytes", MaxValue)
	}
	for n := 0; ; n++ {
		head := 0 // growth of the padding's length field
		if n >= 24 {
			head = 1
		}
		if (len(b)+n+head)%PadTo == 0 {
			content.Pad = make([]byte, n)
			return wire.Encode(content)
		}
	}
}

// Open reads the copy of a device. It fails with [ErrNoCopy], and with [ErrMismatch] if the
// copy does not match the author's commitment.
func (s Secret) Open(device Device, key *ecdh.PrivateKey) (Opening, error) {
	sealed, ok := s.Copies[device]
	if !ok {
		return Opening{}, ErrNoCopy
	}
	plain, err := OpenWith(key, s.info(), sealed)
	if err != nil {
		return Opening{}, fmt.Errorf("%w: %w", ErrNoCopy, err)
	}
	var content opened
	if err := wire.Decode(plain, &content); err != nil {
		return Opening{}, ErrMismatch
	}
	o := Opening{Salt: content.Salt, Value: content.Value}
	return o, s.Check(o)
}

// Check compares an opening with the commitment. The error is nil or [ErrMismatch].
func (s Secret) Check(o Opening) error {
	if c, err := Commit(s.Author, o); err != nil || c != s.Commitment {
		return ErrMismatch
	}
	return nil
}

var encoding = base64.RawURLEncoding.Strict()

// Cell returns the secret as a cell of the gamestate holds it.
func (s Secret) Cell() map[string]any {
	copies := map[string]any{}
	for dev, sealed := range s.Copies {
		copies[encoding.EncodeToString(dev[:])] = encoding.EncodeToString(sealed)
	}
	return map[string]any{"by": s.Author, "commitment": encoding.EncodeToString(s.Commitment[:]), "copies": copies}
}

// Parse is the inverse of [Secret.Cell]. It fails with [ErrSecret].
func Parse(cell any) (Secret, error) {
	m, _ := cell.(map[string]any)
	by, isID := m["by"].(int64)
	copies, isMap := m["copies"].(map[string]any)
	s := Secret{Author: by, Copies: map[Device][]byte{}}
	if len(m) != 3 || !isID || !isMap || len(copies) > MaxCopies || !decode(s.Commitment[:], m["commitment"]) {
		return Secret{}, ErrSecret
	}
	for name, v := range copies {
		var dev Device
		text, isText := v.(string)
		sealed, err := encoding.DecodeString(text)
		if !isText || err != nil || len(sealed) > MaxCopy || !decode(dev[:], name) {
			return Secret{}, ErrSecret
		}
		s.Copies[dev] = sealed
	}
	return s, nil
}

// Cell returns the opening as an argument of an action.
func (o Opening) Cell() map[string]any {
	return map[string]any{"salt": encoding.EncodeToString(o.Salt[:]), "value": o.Value}
}

// ParseOpening is the inverse of [Opening.Cell]. It fails with [ErrSecret].
func ParseOpening(cell any) (Opening, error) {
	m, _ := cell.(map[string]any)
	value, given := m["value"]
	o := Opening{Value: value}
	if len(m) != 2 || !given || !decode(o.Salt[:], m["salt"]) {
		return Opening{}, ErrSecret
	}
	return o, nil
}

// decode decodes text to exactly len(to) bytes.
func decode(to []byte, text any) bool {
	s, ok := text.(string)
	b, err := encoding.DecodeString(s)
	return ok && err == nil && copy(to, b) == len(b) && len(b) == len(to)
}
