package ledger

import (
	"encoding/hex"
	"fmt"
	"slices"

	"peernomic/engine/wire"
)

// This file has the formats of conventions: motions (SPEC.md, 12.1) and ballots (12.2).

const (
	motionVersion = 1
	motionLabel   = "peernomic/motion/v1"
)

// MotionID names a motion by its content.
type MotionID [32]byte

func (id MotionID) String() string { return hex.EncodeToString(id[:]) }

// Motion is a change that a convention decides. Players sign its id. [NewMotion] and [DecodeMotion]
// make well-formed ones.
type Motion struct {
	_       struct{} `cbor:",toarray"`
	Version uint64
	Game    GameID
	// Nonce is random. It distinguishes motions with the same amendments.
	Nonce      [16]byte
	Why        string // for people
	Amendments []any  // package rules reads them
}

// NewMotion returns a motion with its id. The error is a [*Refusal] with [CodeMotion].
func NewMotion(game GameID, nonce [16]byte, why string, amendments []any) (Motion, MotionID, error) {
	b, err := wire.Encode(Motion{Version: motionVersion, Game: game, Nonce: nonce, Why: why, Amendments: amendments})
	if err != nil {
		return Motion{}, MotionID{}, refuseFor(CodeMotion, "the motion cannot be encoded", err)
	}
	return DecodeMotion(b)
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
	switch err := decodeMotion(b, &m); {
	case err != nil:
		return Motion{}, MotionID{}, err
	case m.Version != motionVersion:
		return Motion{}, MotionID{}, refuse(CodeMotion, "the motion has an unknown version")
	case len(m.Why) > MaxWhy:
		return Motion{}, MotionID{}, refuse(CodeMotion, "the motion's reason is too long")
	case len(m.Amendments) == 0:
		return Motion{}, MotionID{}, refuse(CodeMotion, "the motion changes nothing")
	case !amends(m.Amendments):
		return Motion{}, MotionID{}, refuse(CodeMotion, "an amendment holds a value that is none of its kinds")
	}
	return m, MotionID(wire.Digest(motionLabel, b)), nil
}

func decodeMotion(b []byte, m *Motion) error {
	if !wire.AtMost(b, MaxValues) {
		return refuse(CodeMotion, "the motion holds too many values")
	}
	if err := wire.Decode(b, m); err != nil {
		return refuseFor(CodeMotion, "not a motion in canonical form", err)
	}
	return nil
}

// amends reports whether SPEC.md, 12.1, allows a value in an amendment. It allows neither floating
// point nor CBOR tags.
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

// Verb is the effect of a ballot. Numbers are in the format; only append.
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
	Motion *Motion // nil unless the ballot carries it; the first ballot must
}

type ballotBody struct {
	_      struct{} `cbor:",toarray"`
	Verb   Verb
	ID     MotionID
	Motion []byte
}

// EncodeBallot returns the body of an action that assents to a motion or withdraws an assent. The
// ballot carries the motion unless it is nil.
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
