package wire

import (
	"crypto/ed25519"
	"errors"
	"fmt"
)

// Protocol is the version of the message set. Both ends must speak the same.
const Protocol = 1

// HelloLabel separates the proof of a room key from every other signature.
const HelloLabel = "peernomic/hello/v1"

// ErrMessage reports bytes that are not a message.
var ErrMessage = errors.New("not a message")

// Message is one message between a device and the relay, or between two devices.
// [EncodeMessage] and [DecodeMessage] are inverses.
type Message interface{ messageType() messageType }

type messageType uint // on the wire; only append

const (
	typeInvalid messageType = iota
	typeChallenge
	typeHello
	typeWelcome
	typeWant
	typeHave
	typeEnvelopes
	typeSeals
	typeAck
	typeSignal
	typePresence
	typeRefusal
	typePing
	typePong
	typeFound
)

// Challenge opens a connection: the relay says what the client has to sign. Host is the
// host, with its port if there is one, by which the client addressed the relay. A client
// signs no challenge with another host than the one that it dialled: otherwise one relay
// could have it sign the challenge of another.
type Challenge struct {
	_     struct{} `cbor:",toarray"`
	Nonce [32]byte
	Host  string
}

// Hello answers a [Challenge]: it proves that the client holds the key of the room.
// Game is the game that the client expects in the room. The zero game asks for a new room, or
// for one whose game is not named yet.
type Hello struct {
	_        struct{} `cbor:",toarray"`
	Protocol uint
	Room     RoomID
	Game     GameID
	Peer     PeerID
	Proof    []byte // see [Hello.Prove]
}

// Prove signs the challenge with the room's key: Ed25519 of Digest(HelloLabel, nonce, peer,
// game, host). It is called when all other fields are set.
func (h *Hello) Prove(key ed25519.PrivateKey, c Challenge) {
	d := h.digest(c)
	h.Proof = ed25519.Sign(key, d[:])
}

// Proves reports whether h proves the key of its room for the challenge.
func (h Hello) Proves(c Challenge) bool {
	d := h.digest(c)
	return Claim{Key: h.Room, Message: d[:], Signature: h.Proof}.Holds()
}

func (h Hello) digest(c Challenge) [32]byte {
	return Digest(HelloLabel, c.Nonce[:], h.Peer[:], h.Game[:], []byte(c.Host))
}

// Welcome admits a client to a room and tells it what the relay is and has.
type Welcome struct {
	_        struct{} `cbor:",toarray"`
	Notary   NotaryKey
	Anchor   Link     // link 0 of the notary's chain
	Seals    uint64   // number of the newest seal; 0 if there is none
	SealHash SealHash // its hash
	Time     int64    // the relay's clock, Unix ms
	Peers    []PeerID // who else is connected to the room
}

// Want asks for what the sender lacks: all seals from a number on with the
// envelopes that they order and, among devices, the feeds from a sequence number on.
// The relay sends new seals and envelopes from then on without being asked.
type Want struct {
	_        struct{} `cbor:",toarray"`
	FromSeal uint64
	Feeds    []FeedPosition // devices only; empty toward the relay
}

// Have says what the sender holds. It goes between devices only, because it
// names their keys.
type Have struct {
	_        struct{} `cbor:",toarray"`
	Seals    uint64
	SealHash SealHash
	Digest   [32]byte // state digest after seal Seals
	Feeds    []FeedPosition
}

// FeedPosition is a place in one device's feed.
type FeedPosition struct {
	_      struct{} `cbor:",toarray"`
	Device [32]byte
	Seq    uint64
}

// Envelopes carries envelopes, in the order in which they were made or sealed.
type Envelopes struct {
	_         struct{} `cbor:",toarray"`
	Envelopes [][]byte
}

// Seals carries consecutive seals, oldest first. The envelopes they order are
// sent before them.
type Seals struct {
	_     struct{} `cbor:",toarray"`
	Seals [][]byte
}

// Ack says that envelopes are on the receiver's disk.
type Ack struct {
	_      struct{} `cbor:",toarray"`
	Hashes []EnvelopeHash
}

// Signal passes a WebRTC offer, answer or candidate between two peers of a room.
// From a client, Peer is the receiver; from the relay, the sender. Data is encrypted
// under the room's signalling key.
type Signal struct {
	_    struct{} `cbor:",toarray"`
	Peer PeerID
	Data []byte
}

// Presence lists who is connected to the room besides the receiver.
type Presence struct {
	_     struct{} `cbor:",toarray"`
	Peers []PeerID
}

// Refusal says what the receiver would not do, by code and sentence. Subject is the
// hash of the envelope that it is about, or zero.
type Refusal struct {
	_       struct{} `cbor:",toarray"`
	Code    string
	Text    string
	Subject EnvelopeHash
}

// Ping asks for a [Pong]; a browser cannot send WebSocket pings itself.
type Ping struct {
	_ struct{} `cbor:",toarray"`
}

// Pong answers a [Ping] with the sender's clock, Unix ms.
type Pong struct {
	_    struct{} `cbor:",toarray"`
	Time int64
}

// Found says which game a new room holds. The client that opened the room sends it once,
// after the [Welcome] and before any envelope. The answer is an [Ack] of the game's id when
// the relay has stored it.
type Found struct {
	_    struct{} `cbor:",toarray"`
	Game GameID
}

func (Challenge) messageType() messageType { return typeChallenge }
func (Hello) messageType() messageType     { return typeHello }
func (Welcome) messageType() messageType   { return typeWelcome }
func (Want) messageType() messageType      { return typeWant }
func (Have) messageType() messageType      { return typeHave }
func (Envelopes) messageType() messageType { return typeEnvelopes }
func (Seals) messageType() messageType     { return typeSeals }
func (Ack) messageType() messageType       { return typeAck }
func (Signal) messageType() messageType    { return typeSignal }
func (Presence) messageType() messageType  { return typePresence }
func (Refusal) messageType() messageType   { return typeRefusal }
func (Ping) messageType() messageType      { return typePing }
func (Pong) messageType() messageType      { return typePong }
func (Found) messageType() messageType     { return typeFound }

// EncodeMessage returns a message's frame: one byte for its type, then its CBOR.
func EncodeMessage(m Message) ([]byte, error) {
	body, err := Encode(m)
	if err != nil {
		return nil, err
	}
	return append([]byte{byte(m.messageType())}, body...), nil
}

// DecodeMessage reads a frame. It fails with [ErrMessage].
func DecodeMessage(frame []byte) (Message, error) {
	if len(frame) < 2 || len(frame) > MaxFrame {
		return nil, fmt.Errorf("%w: %d bytes", ErrMessage, len(frame))
	}
	switch messageType(frame[0]) {
	case typeChallenge:
		return decodeAs[Challenge](frame)
	case typeHello:
		return decodeAs[Hello](frame)
	case typeWelcome:
		return decodeAs[Welcome](frame)
	case typeWant:
		return decodeAs[Want](frame)
	case typeHave:
		return decodeAs[Have](frame)
	case typeEnvelopes:
		return decodeAs[Envelopes](frame)
	case typeSeals:
		return decodeAs[Seals](frame)
	case typeAck:
		return decodeAs[Ack](frame)
	case typeSignal:
		return decodeAs[Signal](frame)
	case typePresence:
		return decodeAs[Presence](frame)
	case typeRefusal:
		return decodeAs[Refusal](frame)
	case typePing:
		return decodeAs[Ping](frame)
	case typePong:
		return decodeAs[Pong](frame)
	case typeFound:
		return decodeAs[Found](frame)
	default:
		return nil, fmt.Errorf("%w: unknown type %d", ErrMessage, frame[0])
	}
}

func decodeAs[M Message](frame []byte) (Message, error) {
	var m M
	if err := Decode(frame[1:], &m); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrMessage, err)
	}
	return m, nil
}
