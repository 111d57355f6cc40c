package rules

import (
	"slices"

	"peernomic/engine/rules/declare"
	"peernomic/engine/state"
)

// seatEntities gives every entity that the rules in force declare a seat, and takes the seats of all others.
func (r *run) seatEntities() error {
	w := r.w
	standing := w.decl.Tables[tablePlayers].Column("standing")
	for _, e := range w.decl.Entities {
		id := w.index(tablePlayers, func(id int64) bool { return w.text(tablePlayers, id, "entity") == e.Name })
		if id == 0 {
			var err error
			if id, err = w.newRow(tablePlayers, cells{"entity": e.Name, "name": w.freeName(e.Name), "joined": r.time, "acted": r.time}); err != nil {
				return err
			}
		}
		if err := r.seat(id, standing, e.Rule, StandingPlayer); err != nil {
			return err
		}
	}
	for _, id := range w.state.Rows(tablePlayers) {
		name := w.text(tablePlayers, id, "entity")
		if name == "" || slices.ContainsFunc(w.decl.Entities, func(e *declare.Entity) bool { return e.Name == name }) {
			continue
		}
		if err := r.seat(id, standing, "", StandingLeft); err != nil {
			return err
		}
	}
	return nil
}

func (r *run) seat(id int64, c *declare.Column, rule string, to state.Value) error {
	outer := r.rule
	r.rule = rule
	err := r.setCell(tablePlayers, id, c, to)
	r.rule = outer
	return err
}
