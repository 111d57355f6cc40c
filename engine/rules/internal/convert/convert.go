// Package convert turns what scripts hold into what cells keep, and back.
//
// Cells keep normal values (see [state.Normalize]): true and false, whole numbers, fractions, texts, lists, and maps with
// text keys.
package convert

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"go.starlark.net/starlark"
	"go.starlark.net/starlarkstruct"

	"peernomic/engine/rules/sandbox"
	"peernomic/engine/state"
)

// Kept is a value of the host that a cell can keep: a row by its id, a secret as what was sealed.
type Kept interface{ Cell() state.Value }

// Starlark returns what a script holds for a normal value. Lists and dicts are new each time.
func Starlark(v state.Value) starlark.Value {
	switch v := v.(type) {
	case bool:
		return starlark.Bool(v)
	case int64:
		return starlark.MakeInt64(v)
	case state.Fraction:
		d, err := sandbox.NewDecimal(v.Rat())
		if err != nil {
			return starlark.None // a cell holds none such
		}
		return d
	case string:
		return starlark.String(v)
	case []any:
		list := make([]starlark.Value, len(v))
		for i, e := range v {
			list[i] = Starlark(e)
		}
		return starlark.NewList(list)
	case map[string]any:
		d := starlark.NewDict(len(v))
		for _, k := range slices.Sorted(maps.Keys(v)) {
			// The dict is new and its keys are texts: it cannot fail.
			_ = d.SetKey(starlark.String(k), Starlark(v[k]))
		}
		return d
	default:
		return starlark.None
	}
}

// Plain returns what a cell keeps for a script's value. Values of the host become their cells, structs and dicts become
// maps. It fails if the value cannot be kept: a function, say, or what is nested too deep.
func Plain(v starlark.Value) (state.Value, error) {
	return plain(v, 0)
}

func plain(v starlark.Value, depth int) (state.Value, error) {
	if depth > state.MaxDepth {
		return nil, fmt.Errorf("value is nested more than %d deep", state.MaxDepth)
	}
	switch v := v.(type) {
	case starlark.NoneType:
		return nil, nil
	case starlark.Bool:
		return bool(v), nil
	case starlark.Int:
		return Int64(v)
	case sandbox.Decimal:
		return state.NewDecimal(v.Rat())
	case starlark.String:
		return state.Normalize(Mend(string(v)))
	case Kept:
		return v.Cell(), nil
	case *starlark.Dict:
		out := make(map[string]any, v.Len())
		for _, item := range v.Items() {
			k, ok := starlark.AsString(item[0])
			if !ok {
				return nil, fmt.Errorf("dict key %s is not text", item[0].String())
			}
			e, err := plain(item[1], depth+1)
			if err != nil {
				return nil, err
			}
			out[Mend(k)] = e
		}
		return out, nil
	case *starlarkstruct.Struct:
		out := map[string]any{}
		for _, name := range v.AttrNames() {
			a, err := v.Attr(name)
			if err != nil {
				return nil, err
			}
			if out[name], err = plain(a, depth+1); err != nil {
				return nil, err
			}
		}
		return out, nil
	case starlark.Iterable:
		out := []any{}
		for e := range starlark.Elements(v) {
			n, err := plain(e, depth+1)
			if err != nil {
				return nil, err
			}
			if out = append(out, n); len(out) > state.MaxRows {
				return nil, fmt.Errorf("list has more than %d elements", state.MaxRows)
			}
		}
		return out, nil
	default:
		return nil, fmt.Errorf("a %s cannot be kept", v.Type())
	}
}

// Mend makes text of what a script cut within a character.
func Mend(s string) string { return strings.ToValidUTF8(s, "\uFFFD") }

// Int64 reads a whole number that a script holds, if it has 64 bits.
func Int64(v starlark.Value) (int64, error) {
	i, ok := v.(starlark.Int)
	if !ok {
		return 0, fmt.Errorf("a whole number is needed, not %s", v.Type())
	}
	n, ok := i.Int64()
	if !ok {
		return 0, fmt.Errorf("the number %s is too large", ShortInt(i))
	}
	return n, nil
}

// ShortInt writes a number for people, the beginning of a very long one.
func ShortInt(i starlark.Int) string {
	s := i.String()
	if len(s) > 24 {
		s = s[:20] + "…"
	}
	return s
}

// Texts reads a list or tuple of texts.
func Texts(v starlark.Value) ([]string, error) {
	it, ok := v.(starlark.Iterable)
	if !ok {
		return nil, fmt.Errorf("a list of texts is needed, not %s", v.Type())
	}
	var out []string
	for e := range starlark.Elements(it) {
		s, ok := starlark.AsString(e)
		if !ok {
			return nil, fmt.Errorf("%s is not text", e.String())
		}
		out = append(out, s)
	}
	return out, nil
}
