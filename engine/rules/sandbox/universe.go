package sandbox

import (
	"fmt"
	"math/bits"
	"slices"

	"go.starlark.net/starlark"
)

// Universe returns the built-in names of the language, new each time.
func Universe() starlark.StringDict {
	env := starlark.StringDict{}
	for _, name := range []string{"None", "True", "False", "abs", "bool", "len", "type"} {
		env[name] = starlark.Universe[name]
	}
	for name, charge := range map[string]func(*Meter, starlark.Tuple, []starlark.Tuple) error{
		"all": chargeEach, "any": chargeEach, "enumerate": chargeElements, "reversed": chargeElements, "tuple": chargeElements, "list": chargeElements,
		"zip": chargeElements, "max": chargeComparisons, "min": chargeComparisons, "sorted": chargeComparisons, "dict": chargeItems, "set": chargeItems,
		"str": chargeText, "repr": chargeText, "fail": chargeText, "range": checkRange, "int": checkInt,
	} {
		env[name] = charged(name, charge)
	}
	env["hasattr"] = starlark.NewBuiltin("hasattr", hasAttr)
	env["getattr"] = starlark.NewBuiltin("getattr", getAttr)
	for _, name := range []string{"bytes", "chr", "dir", "float", "hash", "ord", "print"} {
		env[name] = starlark.NewBuiltin(name, func(_ *starlark.Thread, b *starlark.Builtin, _ starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
			return nil, fmt.Errorf("rules have no %s()", b.Name())
		})
	}
	return env
}

// charged wraps a built-in of the language so that it charges first.
func charged(name string, charge func(*Meter, starlark.Tuple, []starlark.Tuple) error) *starlark.Builtin {
	original := starlark.Universe[name].(*starlark.Builtin)
	return starlark.NewBuiltin(name, func(t *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		if err := charge(meterOf(t), args, kwargs); err != nil {
			return nil, err
		}
		return starlark.Call(t, original, args, kwargs)
	})
}

// length returns how many elements a value has; those of unknown length are gone through.
func (m *Meter) length(v starlark.Value) (int64, error) {
	if n := starlark.Len(v); n >= 0 {
		return int64(n), nil
	}
	it, ok := v.(starlark.Iterable)
	if !ok {
		return 0, nil // it fails by itself
	}
	elems, err := m.collect(it)
	return int64(len(elems)), err
}

func chargeEach(m *Meter, args starlark.Tuple, _ []starlark.Tuple) error {
	for _, a := range args {
		n, err := m.length(a)
		if err != nil {
			return err
		}
		if err := m.Spend(uint64(n)); err != nil {
			return err
		}
	}
	return nil
}

func chargeElements(m *Meter, args starlark.Tuple, _ []starlark.Tuple) error {
	for _, a := range args {
		n, err := m.length(a)
		if err != nil {
			return err
		}
		// A pair for each element, as zip and enumerate make them.
		if err := m.Charge(n * (costList + 2*costCell)); err != nil {
			return err
		}
		if err := m.Spend(uint64(n)); err != nil {
			return err
		}
	}
	return nil
}

func chargeComparisons(m *Meter, args starlark.Tuple, _ []starlark.Tuple) error {
	for _, a := range args {
		if err := chargeElements(m, starlark.Tuple{a}, nil); err != nil {
			return err
		}
		weight, err := Weigh(a, MaxString*4)
		if err != nil {
			return err
		}
		n := max(starlark.Len(a), 1)
		if err := m.Spend(uint64(weight) / 16 * uint64(bits.Len(uint(n)))); err != nil {
			return err
		}
		if err := m.Spend(uint64(n) * uint64(bits.Len(uint(n)))); err != nil {
			return err
		}
	}
	return nil
}

func chargeItems(m *Meter, args starlark.Tuple, kwargs []starlark.Tuple) error {
	n := int64(len(kwargs))
	for _, a := range args {
		length, err := m.length(a)
		if err != nil {
			return err
		}
		n += length
		if _, ok := a.(starlark.Sequence); ok && length*costItem <= m.left.Memory && !isRange(a) {
			if err := m.inspect(a); err != nil {
				return err
			}
		}
	}
	if err := m.Charge(costDict + n*costItem); err != nil {
		return err
	}
	return m.Spend(uint64(n))
}

func isRange(v starlark.Value) bool { return v.Type() == "range" }

func chargeText(m *Meter, args starlark.Tuple, kwargs []starlark.Tuple) error {
	values := slices.Clone(args)
	for _, kw := range kwargs {
		values = append(values, kw[1])
	}
	for _, a := range values {
		n, err := Weigh(a, MaxString)
		if err != nil {
			return err
		}
		if err := m.text(n); err != nil {
			return err
		}
	}
	return nil
}

// checkRange refuses long ranges: going through one costs steps, but its length may be
// used at once.
func checkRange(_ *Meter, args starlark.Tuple, _ []starlark.Tuple) error {
	for _, a := range args {
		i, ok := a.(starlark.Int)
		if !ok {
			continue
		}
		if n, small := i.Int64(); !small || n > MaxRange || n < -MaxRange {
			return failure(CodeMemory, "a range may go from -%d to %d", MaxRange, MaxRange)
		}
	}
	return nil
}

func checkInt(m *Meter, args starlark.Tuple, _ []starlark.Tuple) error {
	if len(args) > 0 {
		if s, ok := starlark.AsString(args[0]); ok && len(s) > MaxIntBits {
			return failure(CodeMemory, "a number is too large")
		}
	}
	return nil
}

func hasAttr(_ *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var x starlark.Value
	var name string
	if err := starlark.UnpackPositionalArgs(b.Name(), args, kwargs, 2, &x, &name); err != nil {
		return nil, err
	}
	v, err := attr(x, name)
	return starlark.Bool(err == nil && v != nil), nil
}

func getAttr(_ *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var x, otherwise starlark.Value
	var name string
	if err := starlark.UnpackPositionalArgs(b.Name(), args, kwargs, 2, &x, &name, &otherwise); err != nil {
		return nil, err
	}
	v, err := attr(x, name)
	if err != nil {
		return nil, err
	}
	switch {
	case v != nil:
		return v, nil
	case otherwise != nil:
		return otherwise, nil
	default:
		return nil, fmt.Errorf("a %s has no field or method %s", x.Type(), name)
	}
}
