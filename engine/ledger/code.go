package ledger

import (
	"errors"
	"fmt"
)

// Code names the check that failed. Codes are part of the format: SPEC.md lists them in
// the order in which they are checked.
type Code string

// Codes of envelopes.
const (
	CodeSize    Code = "envelope-size"    // shorter or longer than an envelope can be
	CodeVersion Code = "envelope-version" // unknown version
	CodeRoom    Code = "room"             // made for another room
	CodeEpoch   Code = "epoch"            // unknown key epoch
	CodeDecrypt Code = "decrypt"          // does not open under the room's key
	CodePadding Code = "padding"          // commitment, length, padding or size class is wrong
	CodeNonce   Code = "nonce"            // the nonce is not the one that its content gives
	CodeContent Code = "content"          // neither an action nor a part
	CodePart    Code = "part"             // a part that is empty or too large
)

// Codes of actions, judged alone.
const (
	CodeSigned        Code = "signed"         // not a COSE_Sign1 message in canonical form
	CodeAction        Code = "action"         // the payload is not an action in canonical form
	CodeActionVersion Code = "action-version" // unknown version
	CodeDevice        Code = "device"         // signed by another key than it names
	CodeSeq           Code = "seq"            // number zero or beyond the chain's end
	CodePrev          Code = "prev"           // predecessor missing, or named by a first action
	CodeHeads         Code = "heads"          // too many, unsorted, repeated or pointless heads
	CodeClaimed       Code = "claimed"        // claimed time out of range, or ahead of its seal
	CodeKind          Code = "kind"           // unknown kind
	CodeFirst         Code = "first"          // a first action that enrols nobody, or a later one that does
	CodeNoGame        Code = "no-game"        // names no game, or is a genesis that does
	CodeBody          Code = "body"           // body or parts too large, or not expandable
	CodeKey           Code = "key"            // not a valid public key
	CodeSignature     Code = "signature"      // the signature does not match
)

// Codes of actions, judged by their dependencies.
const (
	CodeGame    Code = "game"      // an action, or a genesis, of another game
	CodeFeed    Code = "feed"      // its predecessor is not this device's action before it
	CodeLink    Code = "link"      // its link does not follow from the link before
	CodeDepends Code = "depends"   // depends on an action that was refused
	CodeGenesis Code = "genesis"   // the genesis is malformed
	CodeEnrol   Code = "enrolment" // the enrolment is malformed or not proved
)

// Codes of seals.
const (
	CodeSeal       Code = "seal"        // not a seal in canonical form
	CodeSealRoom   Code = "seal-room"   // of another room
	CodeNotary     Code = "notary"      // signed by a key that is not the game's notary
	CodeSealAhead  Code = "seal-ahead"  // its number is too far ahead
	CodeSealPrev   Code = "seal-prev"   // does not link to the seal before
	CodeSealLink   Code = "seal-link"   // its link does not follow from the link before
	CodeSealTime   Code = "seal-time"   // goes back in time or jumps too far ahead
	CodeNotaryFork Code = "notary-fork" // the notary signed another seal with this number
	CodeSealKey    Code = "seal-key"    // not a valid public key
	CodeSealSign   Code = "seal-sign"   // the signature does not match
)

// Codes of conventions.
const (
	CodeMotion Code = "motion" // not a motion in canonical form
	CodeBallot Code = "ballot" // not a ballot in canonical form
)

// CodeMove is the code of announcements of another room.
const CodeMove Code = "move" // not an announcement in canonical form

// Codes of void placements, and of local limits.
const (
	CodeFork Code = "fork" // another action of the device with this number counts, or an earlier action of this branch lost a fork
	CodeFull Code = "full" // this replica holds too much: a local limit, no verdict
)

// Refusal is the error of every check: which one failed, and a sentence for people.
type Refusal struct {
	Code  Code
	Text  string
	cause error
}

func (r *Refusal) Error() string {
	if r.cause != nil {
		return fmt.Sprintf("%s: %s: %v", r.Code, r.Text, r.cause)
	}
	return fmt.Sprintf("%s: %s", r.Code, r.Text)
}

// Unwrap returns the cause, or nil.
func (r *Refusal) Unwrap() error { return r.cause }

// CodeOf returns the code of the refusal in err's chain, or "" if there is none.
func CodeOf(err error) Code {
	var r *Refusal
	if errors.As(err, &r) {
		return r.Code
	}
	return ""
}

func refuse(code Code, text string) *Refusal { return &Refusal{Code: code, Text: text} }

func refuseFor(code Code, text string, cause error) *Refusal {
	return &Refusal{Code: code, Text: text, cause: cause}
}
