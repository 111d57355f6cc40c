package declare

import (
	"errors"
	"fmt"
	"slices"
	"unicode/utf8"

	"peernomic/engine/state"
)

// Entity is somebody who counts as a player and is no person: no key acts as it.
type Entity struct {
	Name string
	Origin
}

func declareEntity(call *declaration) error {
	e := &Entity{Origin: call.origin()}
	if err := call.Unpack("name", &e.Name); err != nil {
		return err
	}
	if err := CheckPersonName(e.Name); err != nil {
		return call.Wrong("%w", err)
	}
	if slices.ContainsFunc(call.decl.Entities, func(o *Entity) bool { return o.Name == e.Name }) {
		return call.Wrong("there is an entity %q already", e.Name)
	}
	if len(call.decl.Entities) == MaxEntities {
		return call.Wrong("rules may declare %d entities", MaxEntities)
	}
	call.decl.Entities = append(call.decl.Entities, e)
	return nil
}

// CheckPersonName tells why nobody can be called so, or returns nil.
func CheckPersonName(name string) error {
	if name == "" || utf8.RuneCountInString(name) > MaxName {
		return fmt.Errorf("a name of 1 to %d characters is needed", MaxName)
	}
	if _, err := (state.Type{Kind: state.Text, MaxLen: MaxName}).Check(name); err != nil {
		return errors.New("the name is not plain text")
	}
	return nil
}
