package dice

import (
	"fmt"

	"peernomic/engine/ledger"
	"peernomic/engine/wire"
)

// TranscriptMagic is the first field of every transcript.
const TranscriptMagic = "peernomic roll v1"

// Limits of a transcript.
const (
	// MaxTranscript is the largest transcript, in bytes.
	MaxTranscript = 1 << 20
	// MaxRolls is how many dice one transcript may show.
	MaxRolls = 65536
	// MaxSides is the most sides of a die in a transcript.
	MaxSides = 1 << 62
)

// Roll is one die: how many sides it has and what it showed.
type Roll struct {
	_     struct{} `cbor:",toarray"`
	Sides uint64
	Value uint64
}

// Sealed is an envelope with the key that opens it and no other.
type Sealed struct {
	_        struct{} `cbor:",toarray"`
	Envelope []byte
	Key      ledger.EnvelopeKey
}

// Transcript holds the rolls of one action and the messages that prove them: the genesis, which
// binds the notary; the device's first action, which binds the device; the action that rolled;
// the seals that name and place it. It discloses these actions and those of the witnesses, and
// nothing else of the game. Of the genesis it discloses the inline head only.
type Transcript struct {
	_         struct{} `cbor:",toarray"`
	Magic     string
	Genesis   Sealed
	Device    Sealed // the device's first action; the genesis again if the founder's device rolled
	Action    Sealed
	Named     []byte   // the seal that names the action's envelope
	Placed    []byte   // the seal that places it; often the same
	Wanted    uint64   // the k of the mode witnessed(k); 0 in the mode beacon
	Witnesses []Attest // of those that came, in the order in which they were asked
	Rolls     []Roll
}

// Attest is a witness's part in a roll.
type Attest struct {
	_      struct{} `cbor:",toarray"`
	Device Sealed   // the first action of the witness's device
	Action Sealed   // the one that reveals the link
	Named  []byte   // the seal that names its envelope
	Placed []byte   // the seal that places it
}

// NewTranscript returns the transcript of the rolls of a placed action. In the dice mode
// witnessed(k), wanted is k, and witnesses holds the parts that came, in the order in which the
// witnesses were asked. In the mode beacon there are none. It fails if the replica has not placed
// the action.
func NewTranscript(r *ledger.Replica, p ledger.Placement, rolls []Roll, wanted uint64, witnesses []ledger.Placement) ([]byte, error) {
	placed := r.Placed()
	if p.Seal == 0 || p.Index >= len(placed) || placed[p.Index].Action.ID() != p.Action.ID() {
		return nil, fmt.Errorf("transcript: action %s has no place yet", p.Action.ID())
	}
	var err error
	show := func(h wire.EnvelopeHash) Sealed {
		env, _ := r.Envelope(h)
		key, keyErr := r.Keys().EnvelopeKey(env)
		if keyErr != nil && err == nil {
			err = fmt.Errorf("transcript: %w", keyErr)
		}
		return Sealed{Envelope: env, Key: key}
	}
	attest := func(p ledger.Placement) Attest {
		a := Attest{Action: show(p.Envelope)}
		for _, q := range placed {
			// An action with a wrong claimed time is void, but still the device's first.
			counts := q.Void == nil || q.Void.Code != ledger.CodeFork
			if first := q.Action.Action(); first.Seq == 1 && first.Device == p.Action.Action().Device && counts {
				a.Device = show(q.Envelope)
				break
			}
		}
		named, _ := r.Seal(p.Named)
		at, _ := r.Seal(p.Seal)
		a.Named, a.Placed = named.Bytes, at.Bytes
		return a
	}
	t := Transcript{Magic: TranscriptMagic, Genesis: show(placed[0].Envelope), Wanted: wanted, Witnesses: []Attest{}, Rolls: rolls}
	own := attest(p)
	t.Device, t.Action, t.Named, t.Placed = own.Device, own.Action, own.Named, own.Placed
	for _, w := range witnesses {
		t.Witnesses = append(t.Witnesses, attest(w))
	}
	if err != nil {
		return nil, err
	}
	b, err := wire.Encode(t)
	if err != nil {
		return nil, fmt.Errorf("transcript: %w", err)
	}
	return b, nil
}
