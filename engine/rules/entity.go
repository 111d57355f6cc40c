package rules

import (
	"fmt"
	"slices"

	"go.starlark.net/starlark"

	"peernomic/engine/state"
)

// entityDecl is somebody who counts as a player and is no person.
type entityDecl struct {
	name string
	origin
}

func declareEntity(t *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	l, err := whileLoading(t, b)
	if err != nil {
		return nil, err
	}
	e := &entityDecl{origin: l.origin(t)}
	if err := starlark.UnpackArgs(b.Name(), args, kwargs, "name", &e.name); err != nil {
		return nil, err
	}
	if err := checkPersonName(e.name); err != nil {
		return nil, fmt.Errorf("%s: %s", b.Name(), err)
	}
	if slices.ContainsFunc(l.decl.entities, func(o *entityDecl) bool { return o.name == e.name }) {
		return nil, fmt.Errorf("%s: there is an entity %q already", b.Name(), e.name)
	}
	if len(l.decl.entities) == MaxEntities {
		return nil, fmt.Errorf("%s: rules may declare %d entities", b.Name(), MaxEntities)
	}
	l.decl.entities = append(l.decl.entities, e)
	return starlark.None, nil
}

// seatEntities makes those play that the rules in force declare, and no others.
func (r *run) seatEntities() error {
	w := r.w
	standing := w.decl.tables[tablePlayers].column("standing")
	for _, e := range w.decl.entities {
		id := w.index(tablePlayers, func(id int64) bool { return w.text(tablePlayers, id, "entity") == e.name })
		if id == 0 {
			var err error
			if id, err = w.newRow(tablePlayers, cells{"entity": e.name, "name": w.freeName(e.name), "joined": r.time, "acted": r.time}); err != nil {
				return err
			}
		}
		if err := r.seat(id, standing, e.rule, StandingPlayer); err != nil {
			return err
		}
	}
	for _, id := range w.state.Rows(tablePlayers) {
		name := w.text(tablePlayers, id, "entity")
		if name == "" || slices.ContainsFunc(w.decl.entities, func(e *entityDecl) bool { return e.name == name }) {
			continue
		}
		if err := r.seat(id, standing, "", StandingLeft); err != nil {
			return err
		}
	}
	return nil
}

func (r *run) seat(id int64, c *column, rule string, to state.Value) error {
	outer := r.rule
	r.rule = rule
	err := r.w.setCell(r, tablePlayers, id, c, to)
	r.rule = outer
	return err
}
