package rules

import (
	"errors"
	"fmt"
	"slices"
	"unicode/utf8"

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
		return nil, fmt.Errorf("%s: %w", b.Name(), err)
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

// checkPersonName reports why nobody can be called so.
func checkPersonName(name string) error {
	if name == "" || utf8.RuneCountInString(name) > MaxName {
		return fmt.Errorf("a name of 1 to %d characters is needed", MaxName)
	}
	if _, err := (state.Type{Kind: state.Text, MaxLen: MaxName}).Check(name); err != nil {
		return errors.New("the name is not plain text")
	}
	return nil
}
