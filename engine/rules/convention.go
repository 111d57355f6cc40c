package rules

import (
	"encoding/hex"
	"fmt"

	"peernomic/engine/rules/amendment"
	"peernomic/engine/state"
	"peernomic/engine/wire"
)

// Force carries out amendments from outside the rules: a scenario's. It is logged, and refused as a whole if one cannot be carried out.
func (w *World) Force(amendments []any, time int64) Outcome {
	r := &run{w: w, kind: EntryForce, time: max(time, w.now), args: map[string]any{"amendments": amendments}}
	return w.transact(r, func(r *run) error { return r.apply(amendments) })
}

// Repair carries out amendments that a convention decided: outside the rules, so no rule is told
// of them or can refuse them. It is logged, and refused as a whole if one cannot be carried
// out.
func (w *World) Repair(amendments []any, time int64) Outcome {
	list, err := state.Normalize(amendments)
	r := &run{w: w, kind: EntryConvention, time: max(time, w.now), args: map[string]any{"amendments": list}, outside: true}
	return w.transact(r, func(r *run) error {
		if err != nil {
			r.args = nil
			return &Refusal{Code: CodeArgument, Reason: err.Error()}
		}
		return r.apply(list.([]any))
	})
}

// amendSeat gives the seat of the person with one identity (hex) to another identity. If the other
// is known already, the two change places: who loses the seat is then the stranger that the
// other was. Only a convention can do it. It fails if there is no such seat or the other has one.
func (r *run) amendSeat(a *amendment.Seat) error {
	if r.kind != EntryConvention {
		return &Refusal{Code: CodeClosed, Reason: "only a convention gives a seat to another key"}
	}
	for _, key := range []string{a.From, a.To} {
		b, err := hex.DecodeString(key)
		if err != nil || len(b) != 32 || hex.EncodeToString(b) != key || !wire.ValidKey([32]byte(b)) {
			return fmt.Errorf("%q is not the key of an identity", key)
		}
	}
	return r.giveSeat(a.From, a.To)
}

func (r *run) giveSeat(from, to string) error {
	seat, other := r.w.PersonOf(from), r.w.PersonOf(to)
	switch {
	case seat == 0 || r.w.text(tablePlayers, seat, "standing") != StandingPlayer:
		return &Refusal{Code: CodeUnknown, Reason: "nobody with this key has a seat"}
	case other != 0 && r.w.text(tablePlayers, other, "standing") == StandingPlayer:
		return &Refusal{Code: CodeClosed, Reason: fmt.Sprintf("%s has a seat already", r.w.label(tablePlayers, other))}
	}
	if other != 0 {
		if err := r.setKey(other, to, from); err != nil {
			return err
		}
	}
	return r.setKey(seat, from, to)
}

func (r *run) setKey(person int64, old, key string) error {
	r.changed(Change{Op: ChangeSet, Table: tablePlayers, Row: person, Column: "key", Old: old, New: key})
	return r.w.state.Set(tablePlayers, person, "key", key)
}
