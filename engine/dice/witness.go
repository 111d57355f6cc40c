package dice

import (
	"errors"

	"peernomic/engine/ledger"
	"peernomic/engine/wire"
)

const (
	// MaxWitnesses is how many witnesses a roll may have.
	MaxWitnesses = 8
	// WitnessTime is how long a roll waits for them, in ms from the seal that places it
	// (SPEC.md, clause 3.5).
	WitnessTime = 30_000
)

// WitnessBody is the body of an action of [ledger.KindWitness]. It names the roll, and the seal
// that placed the roll, which the witness has seen.
type WitnessBody struct {
	_      struct{} `cbor:",toarray"`
	Action ledger.ActionID
	Seal   wire.SealHash
}

// Encode returns the body as it is signed.
func (b WitnessBody) Encode() ([]byte, error) { return wire.Encode(b) }

// Attests reports whether an action is the witness's part in a roll: of that kind, for this
// action, after this seal (SPEC.md, clause 3.5).
func (b WitnessBody) Attests(a ledger.Action) bool {
	if a.Kind != ledger.KindWitness || len(a.Parts) > 0 {
		return false
	}
	var got WitnessBody
	return wire.Decode(a.Body, &got) == nil && got.Action == b.Action && got.Seal == b.Seal
}

var errWitness = errors.New("it is not a witness's action for this roll at this seal")
