package rules

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

// kept is a value of the host that a cell can keep: a row by its id, a secret as what was sealed.
type kept interface{ cellValue() state.Value }

func plainToStarlark(v state.Value) starlark.Value {
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
			list[i] = plainToStarlark(e)
		}
		return starlark.NewList(list)
	case map[string]any:
		d := starlark.NewDict(len(v))
		for _, k := range slices.Sorted(maps.Keys(v)) {
			// The dict is new and its keys are texts: it cannot fail.
			_ = d.SetKey(starlark.String(k), plainToStarlark(v[k]))
		}
		return d
	default:
		return starlark.None
	}
}

// fromStarlark takes a script's value. Rows become their ids, structs and dicts
// become maps with text keys.
func fromStarlark(v starlark.Value) (state.Value, error) {
	return fromStarlarkDepth(v, 0)
}

func fromStarlarkDepth(v starlark.Value, depth int) (state.Value, error) {
	if depth > state.MaxDepth {
		return nil, fmt.Errorf("value is nested more than %d deep", state.MaxDepth)
	}
	switch v := v.(type) {
	case starlark.NoneType:
		return nil, nil
	case starlark.Bool:
		return bool(v), nil
	case starlark.Int:
		return toInt64(v)
	case sandbox.Decimal:
		return state.NewDecimal(v.Rat())
	case starlark.String:
		return state.Normalize(mend(string(v)))
	case kept:
		return v.cellValue(), nil
	case *starlark.Dict:
		out := make(map[string]any, v.Len())
		for _, item := range v.Items() {
			k, ok := starlark.AsString(item[0])
			if !ok {
				return nil, fmt.Errorf("dict key %s is not text", item[0].String())
			}
			e, err := fromStarlarkDepth(item[1], depth+1)
			if err != nil {
				return nil, err
			}
			out[mend(k)] = e
		}
		return out, nil
	case *starlarkstruct.Struct:
		out := map[string]any{}
		for _, name := range v.AttrNames() {
			a, err := v.Attr(name)
			if err != nil {
				return nil, err
			}
			if out[name], err = fromStarlarkDepth(a, depth+1); err != nil {
				return nil, err
			}
		}
		return out, nil
	case starlark.Iterable:
		out := []any{}
		for e := range starlark.Elements(v) {
			n, err := fromStarlarkDepth(e, depth+1)
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

// mend makes text of what a script cut within a character.
func mend(s string) string { return strings.ToValidUTF8(s, "\uFFFD") }

func toInt64(v starlark.Value) (int64, error) {
	i, ok := v.(starlark.Int)
	if !ok {
		return 0, fmt.Errorf("a whole number is needed, not %s", v.Type())
	}
	n, ok := i.Int64()
	if !ok {
		return 0, fmt.Errorf("the number %s is too large", shortInt(i))
	}
	return n, nil
}

func shortInt(i starlark.Int) string {
	s := i.String()
	if len(s) > 24 {
		s = s[:20] + "…"
	}
	return s
}

// toTexts reads a list or tuple of texts.
func toTexts(v starlark.Value) ([]string, error) {
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
