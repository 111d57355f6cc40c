package sandbox

import (
	"go.starlark.net/starlark"
	"go.starlark.net/starlarkstruct"
)

// freeze freezes the globals of a script, from the inside out.
//
// The evaluator's own freezing goes down by recursion, through shared tuples and
// functions as often as they are reached, and for ever through a function that refers to
// itself. So what is kept is gone through first, within limits, and each value is frozen
// after its parts: its own freezing finds them frozen already.
func (m *Meter) freeze(globals starlark.StringDict) error {
	z := freezer{meter: m, seen: map[starlark.Value]bool{}}
	for _, name := range globals.Keys() {
		if err := z.freeze(globals[name], 0); err != nil {
			return err
		}
	}
	return m.Spend(uint64(z.count) / stepWeigh)
}

type freezer struct {
	meter *Meter
	seen  map[starlark.Value]bool // those that remember that they are frozen
	count int
}

func (z *freezer) freeze(v starlark.Value, depth int) error {
	if z.count++; z.count > MaxKept {
		return failure(CodeMemory, "the script keeps more than %d values", MaxKept)
	}
	if depth > MaxValueDepth {
		return failure(CodeMemory, "what the script keeps contains itself, or nests more than %d deep", MaxValueDepth)
	}
	switch v.(type) {
	case *starlark.List, *starlark.Dict, *starlark.Set, *starlarkstruct.Struct:
		if z.seen[v] {
			return nil
		}
		z.seen[v] = true
		if err := z.meter.compact(v); err != nil {
			return err
		}
	case starlark.Tuple, *starlark.Function:
	default:
		v.Freeze()
		return nil
	}
	if err := parts(v, func(part starlark.Value) error { return z.freeze(part, depth+1) }); err != nil {
		return err
	}
	v.Freeze()
	return nil
}

// parts calls visit with each value that v refers to, until it fails.
func parts(v starlark.Value, visit func(starlark.Value) error) error {
	switch v := v.(type) {
	case *starlark.List:
		for i := range v.Len() {
			if err := visit(v.Index(i)); err != nil {
				return err
			}
		}
	case starlark.Tuple:
		for _, e := range v {
			if err := visit(e); err != nil {
				return err
			}
		}
	case *starlark.Dict:
		for k, e := range v.Entries() {
			if err := visit(k); err != nil {
				return err
			}
			if err := visit(e); err != nil {
				return err
			}
		}
	case *starlark.Set:
		for e := range v.Elements() {
			if err := visit(e); err != nil {
				return err
			}
		}
	case *starlarkstruct.Struct:
		for _, name := range v.AttrNames() {
			a, err := v.Attr(name)
			if err != nil {
				return err
			}
			if err := visit(a); err != nil {
				return err
			}
		}
	case *starlark.Function:
		for i := range v.NumParams() {
			if d := v.ParamDefault(i); d != nil {
				if err := visit(d); err != nil {
					return err
				}
			}
		}
		for i := range v.NumFreeVars() {
			if _, held := v.FreeVar(i); held != nil {
				if err := visit(held); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// compact gives a dict or set the room that it needs and no more: later accesses, on
// another meter, are charged by how many elements it has.
func (m *Meter) compact(v starlark.Value) error {
	if m.deleted == 0 {
		return nil
	}
	switch v := v.(type) {
	case *starlark.Dict:
		if err := m.gather(v, 0); err != nil {
			return err
		}
		items := v.Items()
		if v.Clear() != nil {
			return nil // it was frozen before
		}
		for _, item := range items {
			if err := v.SetKey(item[0], item[1]); err != nil {
				return err
			}
		}
	case *starlark.Set:
		if err := m.gather(v, 0); err != nil {
			return err
		}
		elems := make([]starlark.Value, 0, v.Len())
		for e := range v.Elements() {
			elems = append(elems, e)
		}
		if v.Clear() != nil {
			return nil // it was frozen before
		}
		for _, e := range elems {
			if err := v.Insert(e); err != nil {
				return err
			}
		}
	}
	return nil
}
