package ledger

import (
	"encoding/hex"
	"fmt"
	"slices"
	"unicode/utf8"

	"peernomic/engine/wire"
)

// This file is what a convention is about (motions) and how it is signed (ballots): SPEC.md, 12.1
// to 12.4.

const (
	motionVersion = 1
	motionLabel   = "peernomic/motion/v1"
)

// MotionID names a motion by its content.
type MotionID [32]byte

func (id MotionID) String() string { return hex.EncodeToString(id[:]) }

// MotionKind says what a motion would do. Numbers are in the format; only append.
type MotionKind uint8

// The kinds of motions.
const (
	MotionInvalid MotionKind = iota
	MotionRepair             // amendments carried out outside the rules
	MotionNotary             // another notary goes on from the base
	MotionSeat               // a player's seat is given to another identity
	motionEnd
)

// Motion is what a convention would do. Players sign its id.
type Motion struct {
	_       struct{} `cbor:",toarray"`
	Version uint64
	Game    GameID
	Kind    MotionKind
	// Base is the newest seal that whoever called the convention held, by number and
	// hash. A change of notary goes on from there.
	Base     uint64
	BaseHash wire.SealHash
	// Round tells apart motions for a new notary with one base: the higher one is the later
	// one. From 1.
	Round   uint64
	Why     string // for people
	Content []byte // by kind, see Repair, NotaryChange, SeatChange
}

// NotaryChange is the content of a [MotionNotary].
type NotaryChange struct {
	_      struct{} `cbor:",toarray"`
	Notary wire.NotaryKey
	Anchor wire.Link // the link before that of its first seal
	Relay  string    // where it is, for people and programs: a URL
}

// SeatChange is the content of a [MotionSeat].
type SeatChange struct {
	_        struct{} `cbor:",toarray"`
	From, To IdentityKey
}

// MotionFor returns a motion with its content encoded: a [NotaryChange], a [SeatChange], or, for
// a repair, a list of amendments. The error is a [*Refusal] with [CodeMotion].
func MotionFor(game GameID, base wire.SignedSeal, round uint64, why string, content any) (Motion, error) {
	m := Motion{Version: motionVersion, Game: game, Base: base.Number, BaseHash: base.Hash, Round: round, Why: why}
	switch content.(type) {
	case NotaryChange:
		m.Kind = MotionNotary
	case SeatChange:
		m.Kind = MotionSeat
	case []any:
		m.Kind = MotionRepair
	}
	b, err := wire.Encode(content)
	if err != nil {
		return Motion{}, refuseFor(CodeMotion, "the motion's content cannot be encoded", err)
	}
	m.Content = b
	return m, m.check()
}

// Encode returns the motion's bytes and id.
func (m Motion) Encode() ([]byte, MotionID, error) {
	b, err := wire.Encode(m)
	if err != nil {
		return nil, MotionID{}, fmt.Errorf("motion: %w", err)
	}
	return b, MotionID(wire.Digest(motionLabel, b)), nil
}

// DecodeMotion reads a motion and judges its form. The error is a [*Refusal] with
// [CodeMotion].
func DecodeMotion(b []byte) (Motion, MotionID, error) {
	var m Motion
	if err := wire.Decode(b, &m); err != nil {
		return Motion{}, MotionID{}, refuseFor(CodeMotion, "not a motion in canonical form", err)
	}
	if err := m.check(); err != nil {
		return Motion{}, MotionID{}, err
	}
	return m, MotionID(wire.Digest(motionLabel, b)), nil
}

func (m Motion) check() error {
	switch {
	case m.Version != motionVersion:
		return refuse(CodeMotion, "the motion has an unknown version")
	case m.Kind == MotionInvalid || m.Kind >= motionEnd:
		return refuse(CodeMotion, "the motion is of no known kind")
	case m.Base == 0 || m.Round == 0:
		return refuse(CodeMotion, "the motion names no seal or no round")
	case len(m.Why) > MaxWhy || !utf8.ValidString(m.Why):
		return refuse(CodeMotion, "the motion's reason is too long or not text")
	}
	var err error
	switch m.Kind {
	case MotionRepair:
		_, err = m.Repair()
	case MotionNotary:
		_, err = m.Notary()
	case MotionSeat:
		_, err = m.Seat()
	}
	return err
}

// Repair returns the amendments of a [MotionRepair].
func (m Motion) Repair() ([]any, error) {
	var list []any
	if !wire.AtMost(m.Content, MaxValues) {
		return nil, refuse(CodeMotion, "the repair holds too many values")
	}
	if err := wire.Decode(m.Content, &list); err != nil {
		return nil, refuseFor(CodeMotion, "the repair is not a list of amendments", err)
	}
	if len(list) == 0 {
		return nil, refuse(CodeMotion, "the repair changes nothing")
	}
	if !amends(list) {
		return nil, refuse(CodeMotion, "the repair holds a value that is none of its kinds")
	}
	return list, nil
}

// amends reports whether a value is of the kinds that SPEC.md, 12.2, lists: no floating point, and
// nothing that CBOR marks with a tag.
func amends(v any) bool {
	switch v := v.(type) {
	case nil, bool, uint64, int64, string, []byte:
		return true
	case []any:
		return !slices.ContainsFunc(v, func(e any) bool { return !amends(e) })
	case map[any]any:
		for key, e := range v {
			if _, ok := key.(string); !ok || !amends(e) {
				return false
			}
		}
		return true
	}
	return false
}

// Notary returns the content of a [MotionNotary].
func (m Motion) Notary() (NotaryChange, error) {
	c, err := m.notary()
	if err != nil {
		return c, err
	}
	if !wire.ValidKey(c.Notary) {
		return c, refuse(CodeMotion, "the new notary is not a valid key")
	}
	if !validText(c.Relay, MaxRelay) {
		return c, refuse(CodeMotion, "the new relay's address is empty, too long, or not a line of text")
	}
	return c, nil
}

// notary is Notary for a motion that has been judged: what judging a key costs is more than all the rest.
func (m Motion) notary() (NotaryChange, error) {
	var c NotaryChange
	if err := wire.Decode(m.Content, &c); err != nil {
		return c, refuseFor(CodeMotion, "the change of notary is not in canonical form", err)
	}
	return c, nil
}

// Seat returns the content of a [MotionSeat].
func (m Motion) Seat() (SeatChange, error) {
	var c SeatChange
	if err := wire.Decode(m.Content, &c); err != nil {
		return c, refuseFor(CodeMotion, "the change of a seat is not in canonical form", err)
	}
	if !wire.ValidKey(c.From) || !wire.ValidKey(c.To) || c.From == c.To {
		return c, refuse(CodeMotion, "the identities are not two valid keys")
	}
	return c, nil
}

// Verb says what a ballot does. Numbers are in the format; only append.
type Verb uint8

// The verbs of ballots.
const (
	VerbInvalid Verb = iota
	VerbAssent
	VerbWithdraw
	verbEnd
)

// Ballot is the body of an action of [KindConvention].
type Ballot struct {
	Verb   Verb
	ID     MotionID
	Motion *Motion // if the ballot carries it: whoever calls the convention, and who assents to a new notary
}

type ballotBody struct {
	_      struct{} `cbor:",toarray"`
	Verb   Verb
	ID     MotionID
	Motion []byte
}

// EncodeBallot returns the body of an action that assents to a motion, or withdraws. An assent
// carries the motion if it is given.
func EncodeBallot(b Ballot) ([]byte, error) {
	body := ballotBody{Verb: b.Verb, ID: b.ID, Motion: []byte{}}
	if b.Motion != nil {
		motion, id, err := b.Motion.Encode()
		if err != nil {
			return nil, err
		}
		body.Motion, body.ID = motion, id
	}
	out, err := wire.Encode(body)
	if err != nil {
		return nil, fmt.Errorf("ballot: %w", err)
	}
	return out, nil
}

// DecodeBallot reads a ballot of a game and judges its form. The error is a [*Refusal] with
// [CodeBallot] or [CodeMotion].
func DecodeBallot(game GameID, b []byte) (Ballot, error) {
	var body ballotBody
	if err := wire.Decode(b, &body); err != nil {
		return Ballot{}, refuseFor(CodeBallot, "not a ballot in canonical form", err)
	}
	out := Ballot{Verb: body.Verb, ID: body.ID}
	if body.Verb == VerbInvalid || body.Verb >= verbEnd || body.Verb == VerbWithdraw && len(body.Motion) > 0 {
		return Ballot{}, refuse(CodeBallot, "the ballot neither assents nor withdraws")
	}
	if len(body.Motion) == 0 {
		return out, nil
	}
	m, id, err := DecodeMotion(body.Motion)
	if err != nil {
		return Ballot{}, err
	}
	if id != body.ID {
		return Ballot{}, refuse(CodeBallot, "the ballot carries another motion than it names")
	}
	if m.Game != game {
		return Ballot{}, refuse(CodeBallot, "the motion is of another game")
	}
	out.Motion = &m
	return out, nil
}
