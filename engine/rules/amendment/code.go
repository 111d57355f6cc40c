package amendment

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"peernomic/engine/state"
)

// part is a named part of an amendment; at points to where its value is.
type part struct {
	name string
	at   any // *string, *int64, *Ref, *map[string]any or *state.Value
}

// Decode reads an amendment from its map, whose values are normal (see [state.Normalize]). A part that is missing or
// None is zero. It fails, with a sentence for the author, if there is no such operation, if the operation has no such
// part, or if a part is of the wrong kind.
func Decode(v any) (Amendment, error) {
	m, ok := v.(map[string]any)
	if !ok {
		return nil, errors.New("an amendment is a map")
	}
	op, _ := m["op"].(string)
	all := blank()
	i := slices.IndexFunc(all, func(a Amendment) bool { return a.Op() == op })
	if i < 0 {
		return nil, fmt.Errorf("there is no operation %q", op)
	}
	parts := all[i].parts()
	for _, name := range slices.Sorted(maps.Keys(m)) { // in order, so that the first mistake is the same everywhere
		if name == "op" || m[name] == nil {
			continue
		}
		at := slices.IndexFunc(parts, func(p part) bool { return p.name == name })
		if at < 0 {
			return nil, fmt.Errorf("%s has no %q", op, name)
		}
		if wanted := parts[at].set(m[name]); wanted != "" {
			return nil, fmt.Errorf("%s: %s must be %s", op, name, wanted)
		}
	}
	return all[i], nil
}

// set puts a value into its place, or tells what is wanted there.
func (p part) set(v state.Value) (wanted string) {
	ok := true
	switch at := p.at.(type) {
	case *string:
		*at, ok = v.(string)
		wanted = "a text"
	case *int64:
		*at, ok = v.(int64)
		wanted = "a number"
	case *map[string]any:
		*at, ok = v.(map[string]any)
		wanted = "a map"
	case *Ref:
		if at.Number, ok = v.(int64); !ok {
			at.Title, ok = v.(string)
		}
		wanted = "a title or a number"
	case *state.Value:
		*at = v
	}
	if ok {
		return ""
	}
	return wanted
}

// Encode writes an amendment as its map. Texts, names and numbers that are zero are left out, and maps that are nil.
func Encode(a Amendment) map[string]any {
	out := map[string]any{"op": a.Op()}
	for _, p := range a.parts() {
		switch at := p.at.(type) {
		case *string:
			if *at != "" {
				out[p.name] = *at
			}
		case *int64:
			if *at != 0 {
				out[p.name] = *at
			}
		case *map[string]any:
			if *at != nil {
				out[p.name] = *at
			}
		case *Ref:
			switch {
			case at.Title != "":
				out[p.name] = at.Title
			case at.Number != 0:
				out[p.name] = at.Number
			}
		case *state.Value:
			out[p.name] = *at
		}
	}
	return out
}

// Parts returns the names of every operation's parts, beside "op", by the operation.
func Parts() map[string][]string {
	out := map[string][]string{}
	for _, a := range blank() {
		for _, p := range a.parts() {
			out[a.Op()] = append(out[a.Op()], p.name)
		}
	}
	return out
}
