package ledger

import (
	"crypto/cipher"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"hash"
	"io"

	"golang.org/x/crypto/chacha20"
	"golang.org/x/crypto/chacha20poly1305"

	"peernomic/engine/wire"
)

// Content is the kind of an envelope's content. Numbers are in the format; only append.
type Content uint8

// The contents of envelopes.
const (
	ContentInvalid Content = iota
	ContentAction          // Data is a signed action
	ContentPart            // Data is a part of an action's body
)

// Opened is the content of an envelope. Data shares no memory with the envelope.
type Opened struct {
	Content Content
	Data    []byte
}

// SealAction returns the one envelope of an action.
func (k RoomKeys) SealAction(v Verified) ([]byte, error) {
	return k.sealContent(ContentAction, v.bytes)
}

// SealPart returns the one envelope of a part.
func (k RoomKeys) SealPart(content []byte) ([]byte, error) {
	if len(content) == 0 || len(content) > MaxPart {
		return nil, refuse(CodePart, fmt.Sprintf("a part holds 1 to %d bytes, not %d", MaxPart, len(content)))
	}
	return k.sealContent(ContentPart, content)
}

func (k RoomKeys) sealContent(c Content, data []byte) ([]byte, error) {
	if len(data) > maxEnveloped {
		return nil, refuse(CodeSize, fmt.Sprintf("%d bytes do not fit one envelope", len(data)))
	}
	size := smallest
	for size < overhead+inner+len(data) {
		size *= 2
	}
	// The zero bytes in front bind the envelope to one key: without them, one envelope
	// could be made to open under two keys, to two actions. See SPEC.md, clause 3.6.
	plain := make([]byte, size-overhead)
	plain[commitment] = byte(c)
	binary.BigEndian.PutUint32(plain[commitment+1:], uint32(len(data)))
	copy(plain[inner:], data)

	e := wire.Envelope{Room: k.ID}
	e.Nonce = k.nonceFor(e, plain)
	aead, err := chacha20poly1305.NewX(k.envelope)
	if err != nil {
		return nil, fmt.Errorf("envelope: %w", err)
	}
	e.Ciphertext = aead.Seal(nil, e.Nonce[:], plain, e.AAD())
	return e.Bytes(), nil
}

func (k RoomKeys) nonceFor(e wire.Envelope, plain []byte) [24]byte {
	return nonceBy(hmac.New(sha256.New, k.nonce), e.Prefix(), plain)
}

// nonceBy returns the nonce of an envelope that begins with prefix, by an HMAC under the room's key.
func nonceBy(mac hash.Hash, prefix, plain []byte) [24]byte {
	mac.Write(prefix)
	mac.Write(plain)
	return [24]byte(mac.Sum(nil))
}

// Open decrypts an envelope of this room. It checks commitment, padding, size class and nonce, so
// that each content has one valid envelope. The error is a [*Refusal].
func (k RoomKeys) Open(envelope []byte) (Opened, error) {
	o := newOpener(k)
	return o.open(envelope)
}

// opener opens many envelopes of a room. It is not safe for concurrent use.
type opener struct {
	room wire.RoomID
	aead cipher.AEAD // nil if the keys are the zero value
	mac  hash.Hash
}

func newOpener(k RoomKeys) opener {
	o := opener{room: k.ID, mac: hmac.New(sha256.New, k.nonce)}
	if aead, err := chacha20poly1305.NewX(k.envelope); err == nil {
		o.aead = aead
	}
	return o
}

// open is [RoomKeys.Open].
func (o *opener) open(envelope []byte) (Opened, error) {
	e, err := parseEnvelope(envelope)
	if err != nil {
		return Opened{}, err
	}
	if e.Room != o.room {
		return Opened{}, refuse(CodeRoom, "the envelope is of another room")
	}
	if e.Epoch != 0 {
		return Opened{}, refuse(CodeEpoch, "the envelope is of an unknown key epoch")
	}
	if o.aead == nil {
		return Opened{}, refuse(CodeDecrypt, "the room has no key")
	}
	header := envelope[:wire.EnvelopeHeader]
	plain, err := o.aead.Open(nil, e.Nonce[:], e.Ciphertext, header)
	if err != nil {
		return Opened{}, refuse(CodeDecrypt, "the envelope does not open under the room's key")
	}
	opened, err := unpad(plain)
	if err != nil {
		return Opened{}, err
	}
	o.mac.Reset()
	if nonceBy(o.mac, header[:len(header)-len(e.Nonce)], plain) != e.Nonce {
		return Opened{}, refuse(CodeNonce, "the nonce is not the one that the content gives")
	}
	return opened, nil
}

// EnvelopeKey opens one envelope and no other, see [RoomKeys.EnvelopeKey].
type EnvelopeKey [32]byte

// EnvelopeKey returns the key of one envelope: XChaCha20's subkey for its nonce. The key opens that
// envelope alone. A player can give it away to show a roll to somebody outside the room.
func (k RoomKeys) EnvelopeKey(envelope []byte) (EnvelopeKey, error) {
	e, err := parseEnvelope(envelope)
	if err != nil {
		return EnvelopeKey{}, err
	}
	sub, err := chacha20.HChaCha20(k.envelope, e.Nonce[:16])
	if err != nil {
		return EnvelopeKey{}, fmt.Errorf("envelope key: %w", err)
	}
	return EnvelopeKey(sub), nil
}

// OpenWith decrypts one envelope with its own key, for somebody outside the room. The commitment
// inside ensures that no other key opens the envelope to another content. Only members of the room
// can check the nonce.
func OpenWith(key EnvelopeKey, envelope []byte) (Opened, error) {
	e, err := parseEnvelope(envelope)
	if err != nil {
		return Opened{}, err
	}
	aead, err := chacha20poly1305.New(key[:])
	if err != nil {
		return Opened{}, refuseFor(CodeDecrypt, "the envelope does not open", err)
	}
	nonce := make([]byte, 12)
	copy(nonce[4:], e.Nonce[16:])
	plain, err := aead.Open(nil, nonce, e.Ciphertext, e.AAD())
	if err != nil {
		return Opened{}, refuse(CodeDecrypt, "the envelope does not open under its key")
	}
	return unpad(plain)
}

func parseEnvelope(b []byte) (wire.Envelope, error) {
	e, err := wire.ParseEnvelope(b)
	switch err {
	case nil:
		return e, nil
	case wire.ErrEnvelopeVersion:
		return e, refuseFor(CodeVersion, "the envelope is of an unknown version", err)
	default:
		return e, refuseFor(CodeSize, "not an envelope", err)
	}
}

func unpad(plain []byte) (Opened, error) {
	if len(plain) < inner {
		return Opened{}, badPadding()
	}
	for _, b := range plain[:commitment] {
		if b != 0 {
			return Opened{}, badPadding()
		}
	}
	n := uint64(binary.BigEndian.Uint32(plain[commitment+1:]))
	if n > uint64(len(plain)-inner) {
		return Opened{}, badPadding()
	}
	data := plain[inner : inner+int(n)]
	for _, b := range plain[inner+int(n):] {
		if b != 0 {
			return Opened{}, badPadding()
		}
	}
	size := smallest
	for size < overhead+inner+len(data) {
		size *= 2
	}
	if size != overhead+len(plain) {
		return Opened{}, badPadding()
	}
	switch c := Content(plain[commitment]); c {
	case ContentAction:
		return Opened{Content: c, Data: data}, nil
	case ContentPart:
		if len(data) == 0 || len(data) > MaxPart {
			return Opened{}, refuse(CodePart, "a part that is empty or too large")
		}
		return Opened{Content: c, Data: data}, nil
	default:
		return Opened{}, refuse(CodeContent, "the envelope holds neither an action nor a part")
	}
}

func badPadding() error { return refuse(CodePadding, "the envelope is not padded as it must be") }

// EncryptSignal encrypts a message of WebRTC signalling for the other members of the room,
// with a random nonce.
func (k RoomKeys) EncryptSignal(plain []byte, rand io.Reader) ([]byte, error) {
	aead, err := chacha20poly1305.NewX(k.signal)
	if err != nil {
		return nil, fmt.Errorf("signal: %w", err)
	}
	if len(plain)+aead.NonceSize()+aead.Overhead() > wire.MaxSignal {
		return nil, refuse(CodeSize, "the signal is too long")
	}
	nonce := make([]byte, aead.NonceSize(), aead.NonceSize()+len(plain)+aead.Overhead())
	if _, err := io.ReadFull(rand, nonce); err != nil {
		return nil, fmt.Errorf("signal: %w", err)
	}
	return aead.Seal(nonce, nonce, plain, k.signalAAD()), nil
}

// DecryptSignal is the inverse of [RoomKeys.EncryptSignal].
func (k RoomKeys) DecryptSignal(b []byte) ([]byte, error) {
	aead, err := chacha20poly1305.NewX(k.signal)
	if err != nil {
		return nil, fmt.Errorf("signal: %w", err)
	}
	if len(b) < aead.NonceSize()+aead.Overhead() || len(b) > wire.MaxSignal {
		return nil, refuse(CodeSize, "not a signal")
	}
	plain, err := aead.Open(nil, b[:aead.NonceSize()], b[aead.NonceSize():], k.signalAAD())
	if err != nil {
		return nil, refuse(CodeDecrypt, "the signal does not open under the room's key")
	}
	return plain, nil
}

func (k RoomKeys) signalAAD() []byte {
	return append([]byte("peernomic/signal/v1\x00"), k.ID[:]...)
}
