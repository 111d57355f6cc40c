package ledger

import (
	"bytes"
	"crypto/ed25519"
	"encoding/hex"
	"errors"
	"fmt"
	"math"

	"peernomic/engine/entropy"
	"peernomic/engine/wire"
)

// ActionVersion is the first field of every action.
const ActionVersion = 1

// ActionLabel is the label under which devices sign actions and actions are named.
const ActionLabel = "peernomic/action/v1"

// ActionID names an action by its signed payload.
type ActionID [32]byte

// GameID names a game: the id of its genesis.
type GameID = wire.GameID

// PartID names a part of a body by its content, see [HashPart].
type PartID [32]byte

func (id ActionID) String() string { return hex.EncodeToString(id[:]) }
func (id PartID) String() string   { return hex.EncodeToString(id[:]) }

// Kind is the kind of an action. Numbers are in the format; only append.
type Kind uint8

// The kinds of actions. A replica treats genesis and enrolment specially. Package game gives the
// others their meaning.
const (
	KindInvalid    Kind = iota
	KindGenesis         // founds the game and enrols the founder's device
	KindEnrol           // enrols a device
	KindAct             // an act of a player under the rules
	KindConvention      // a ballot for a change outside the rules
	KindTick            // makes the relay cut a seal, so that time passes; has no effect of its own
	KindWitness         // reveals a device's link for the roll of another player
	KindMove            // announces that the game goes on in another room
	kindEnd
)

func (k Kind) String() string {
	names := [...]string{"invalid", "genesis", "enrol", "act", "convention", "tick", "witness", "move"}
	if int(k) < len(names) {
		return names[k]
	}
	return fmt.Sprintf("kind %d", uint8(k))
}

// Action is the content that a device signs. It is immutable once signed; its slices must not be
// changed.
type Action struct {
	_       struct{} `cbor:",toarray"`
	Version uint64
	Game    GameID // zero in a genesis, whose id is the game's
	Device  DeviceKey
	Seq     uint64   // 1 for the device's first action
	Prev    ActionID // the device's action before this one; zero in the first
	// Heads are the newest actions of other devices that the device had seen, in ascending
	// order. The action depends on them and on Prev.
	Heads   []ActionID
	Claimed int64 // Unix ms by the device's clock; only shown
	Kind    Kind
	// Link is link Seq of the device's entropy chain in this room.
	Link wire.Link
	// Body is the beginning of the body, whose format depends on the kind. The parts hold the rest, compressed.
	Body  []byte
	Parts []PartID
}

// Parsed is a well-formed action whose signature is not judged yet. [Parse] makes it.
type Parsed struct {
	action Action
	id     ActionID
	bytes  []byte
}

// Verified is an action whose form and signature are good. [Parsed.Verify] makes it, signing makes
// it, and [Replica.RestoreEnvelope] makes it from this device's own log. The zero value is invalid.
type Verified struct {
	action Action
	id     ActionID
	bytes  []byte
}

// ID returns the action's name.
func (v Verified) ID() ActionID { return v.id }

// Action returns the signed content. Its slices must not be changed.
func (v Verified) Action() Action { return v.action }

// Bytes returns the signed action as it travels inside its envelope. The slice must not be
// changed.
func (v Verified) Bytes() []byte { return v.bytes }

// Action returns the content, whose signature is not judged.
func (p Parsed) Action() Action { return p.action }

// ID returns the action's name.
func (p Parsed) ID() ActionID { return p.id }

// Parse reads a signed action and checks its form (SPEC.md, clauses 4.1 to 4.12). The result
// keeps b. The error is a [*Refusal].
func Parse(b []byte) (Parsed, error) {
	signed, err := wire.ParseSigned(b)
	if err != nil {
		return Parsed{}, refuseFor(CodeSigned, "not a signed action", err)
	}
	a, err := decodeAction(signed.Payload)
	if err != nil {
		return Parsed{}, refuseFor(CodeAction, "not an action in canonical form", err)
	}
	if signed.Key != a.Device {
		return Parsed{}, refuse(CodeDevice, "the action is signed by another key than its device's")
	}
	if err := a.check(); err != nil {
		return Parsed{}, err
	}
	return Parsed{action: a, id: actionID(signed.Payload), bytes: b}, nil
}

func decodeAction(payload []byte) (Action, error) {
	r := wire.NewReader(payload)
	r.Array(11)
	a := Action{Version: r.Uint(math.MaxUint64), Game: r.Hash(), Device: r.Hash(), Seq: r.Uint(math.MaxUint64), Prev: r.Hash()}
	a.Heads = make([]ActionID, r.List())
	for i := range a.Heads {
		a.Heads[i] = r.Hash()
	}
	a.Claimed, a.Kind, a.Link, a.Body = r.Int(), Kind(r.Uint(math.MaxUint8)), r.Hash(), r.Bytes()
	a.Parts = make([]PartID, r.List())
	for i := range a.Parts {
		a.Parts[i] = r.Hash()
	}
	return a, r.End()
}

// Verify judges the signature. The error is a [*Refusal] with [CodeKey] or [CodeSignature].
func (p Parsed) Verify() (Verified, error) { return p.verify(&wire.KeyCache{}) }

func (p Parsed) verify(keys *wire.KeyCache) (Verified, error) {
	_, err := keys.OpenSigned(ActionLabel, p.bytes)
	switch {
	case err == nil:
		return Verified(p), nil
	case errors.Is(err, wire.ErrBadKey):
		return Verified{}, refuseFor(CodeKey, "the device's key is not valid", err)
	default:
		return Verified{}, refuseFor(CodeSignature, "the action's signature is not the device's", err)
	}
}

func actionID(payload []byte) ActionID {
	return ActionID(wire.Digest(ActionLabel, payload))
}

// check judges an action alone, in the order of the specification.
func (a Action) check() error {
	first := a.Kind == KindGenesis || a.Kind == KindEnrol
	switch {
	case a.Version != ActionVersion:
		return refuse(CodeActionVersion, "the action is of an unknown version")
	case a.Seq == 0 || a.Seq > entropy.DeviceLinks:
		return refuse(CodeSeq, fmt.Sprintf("the action's number is not from 1 to %d", entropy.DeviceLinks))
	case (a.Seq == 1) != (a.Prev == ActionID{}):
		return refuse(CodePrev, "a first action has no predecessor, every other has one")
	case !a.headsInOrder():
		return refuse(CodeHeads, fmt.Sprintf("heads are at most %d, ascending, not zero, not the predecessor, and none in a genesis", MaxHeads))
	case a.Claimed < 0 || a.Claimed > wire.MaxTime:
		return refuse(CodeClaimed, "the claimed time is out of range")
	case a.Kind == KindInvalid || a.Kind >= kindEnd:
		return refuse(CodeKind, "the action is of an unknown kind")
	case (a.Seq == 1) != first:
		return refuse(CodeFirst, "a device's first action enrols it, and no other does")
	case (a.Kind == KindGenesis) != (a.Game == GameID{}):
		return refuse(CodeNoGame, "every action but a genesis names its game")
	case len(a.Body) > MaxInline || len(a.Parts) > MaxParts:
		return refuse(CodeBody, fmt.Sprintf("a body has at most %d bytes inline and %d parts", MaxInline, MaxParts))
	}
	return nil
}

func (a Action) headsInOrder() bool {
	if len(a.Heads) > MaxHeads || a.Kind == KindGenesis && len(a.Heads) > 0 {
		return false
	}
	last := ActionID{}
	for _, h := range a.Heads {
		if bytes.Compare(last[:], h[:]) >= 0 || h == a.Prev {
			return false
		}
		last = h
	}
	return true
}

// sign signs an action that passes the checks of its form.
func sign(dev *Device, a Action) (Verified, error) {
	a.Version = ActionVersion
	a.Device = dev.Key()
	if err := a.check(); err != nil {
		return Verified{}, err
	}
	payload, err := wire.Encode(a)
	if err != nil {
		return Verified{}, fmt.Errorf("action: %w", err)
	}
	b, err := wire.Sign(ed25519.PrivateKey(dev.sign), ActionLabel, payload)
	if err != nil {
		return Verified{}, fmt.Errorf("action: %w", err)
	}
	p, err := Parse(b)
	if err != nil {
		return Verified{}, err
	}
	return Verified(p), nil
}
