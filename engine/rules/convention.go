package rules

import (
	"fmt"

	"peernomic/engine/state"
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

// GiveSeat gives the seat of the person with one identity (hex) to another identity, as a
// convention decided. If the other is known already, the two change places: who loses the seat is
// then the stranger that the other was. It is logged, and refused if there is no such seat or
// the other has one.
func (w *World) GiveSeat(from, to string, time int64) Outcome {
	r := &run{w: w, kind: EntryConvention, time: max(time, w.now), args: map[string]any{"from": from, "to": to}, outside: true}
	return w.transact(r, func(r *run) error {
		seat, other := w.PersonOf(from), w.PersonOf(to)
		switch {
		case seat == 0 || w.text(tablePlayers, seat, "standing") != StandingPlayer:
			return &Refusal{Code: CodeUnknown, Reason: "nobody with this key has a seat"}
		case other != 0 && w.text(tablePlayers, other, "standing") == StandingPlayer:
			return &Refusal{Code: CodeClosed, Reason: fmt.Sprintf("%s has a seat already", w.label(tablePlayers, other))}
		}
		r.player = seat
		if other != 0 {
			if err := r.setKey(other, to, from); err != nil {
				return err
			}
		}
		return r.setKey(seat, from, to)
	})
}

func (r *run) setKey(person int64, old, key string) error {
	r.changed(Change{Op: ChangeSet, Table: tablePlayers, Row: person, Column: "key", Old: old, New: key})
	return r.w.state.Set(tablePlayers, person, "key", key)
}
