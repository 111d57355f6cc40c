package sandbox

import (
	"fmt"

	"go.starlark.net/starlark"
)

// universe are the built-in functions of scripts that charge for what they do.
var universe = starlark.StringDict{}

// missing are built-in functions of the language that scripts do not have: they make
// floats or bytes, write where nobody reads, or are of no use to rules.
var missing = []string{"bytes", "chr", "dir", "float", "hash", "ord", "print"}

func init() {
	for _, name := range []string{"None", "True", "False", "abs", "bool", "len", "type"} {
		universe[name] = starlark.Universe[name]
	}
	for name, charge := range map[string]func(*Meter, starlark.Tuple, []starlark.Tuple) error{
		"all": chargeEach, "any": chargeEach, "enumerate": chargePairs, "reversed": chargeElements, "tuple": chargeElements, "list": chargeElements,
		"zip": chargePairs, "dict": chargeDict, "set": chargeSet, "str": chargeText, "repr": chargeText, "fail": chargeText, "range": checkRange, "int": checkInt,
	} {
		universe[name] = charged(name, charge)
	}
	universe["hasattr"] = starlark.NewBuiltin("hasattr", hasAttr)
	universe["getattr"] = starlark.NewBuiltin("getattr", getAttr)
	universe["sorted"] = starlark.NewBuiltin("sorted", sorted)
	universe["max"] = starlark.NewBuiltin("max", extreme)
	universe["min"] = starlark.NewBuiltin("min", extreme)
	for _, name := range missing {
		universe[name] = starlark.NewBuiltin(name, func(_ *starlark.Thread, b *starlark.Builtin, _ starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
			return nil, fmt.Errorf("rules have no %s()", b.Name())
		})
	}
}

// Universe returns the built-in names of the language, new each time.
func Universe() starlark.StringDict {
	env := make(starlark.StringDict, len(universe))
	for name, v := range universe {
		env[name] = v
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
		v, err := made(starlark.Call(t, original, args, kwargs))
		if err != nil {
			return nil, err
		}
		return narrow(v)
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
		if err := m.copied(n); err != nil {
			return err
		}
	}
	return nil
}

// chargePairs charges for a tuple for each element, as zip and enumerate make them.
func chargePairs(m *Meter, args starlark.Tuple, _ []starlark.Tuple) error {
	for _, a := range args {
		n, err := m.length(a)
		if err != nil {
			return err
		}
		if err := m.Charge(costList + n*(costList+2*costCell)); err != nil {
			return err
		}
		if err := m.Spend(uint64(n)); err != nil {
			return err
		}
	}
	return nil
}

func chargeSet(m *Meter, args starlark.Tuple, _ []starlark.Tuple) error {
	for _, a := range args {
		if err := m.gather(a, 0); err != nil {
			return err
		}
	}
	return m.Charge(costDict)
}

// chargeDict charges for a dict made of another one, or of pairs.
func chargeDict(m *Meter, args starlark.Tuple, kwargs []starlark.Tuple) error {
	held := int64(0)
	for _, a := range args {
		n := int64(max(starlark.Len(a), 0))
		if n*costItem > m.left.Memory {
			return m.Charge(n * costItem)
		}
		if err := m.gathered(a, held); err != nil {
			return err
		}
		held += n
	}
	n := int64(len(kwargs))
	if err := m.Spend(uint64(n) * (1 + uint64(held+n)/stepPlain)); err != nil {
		return err
	}
	return m.Charge(costDict + n*costItem)
}

func chargeText(m *Meter, args starlark.Tuple, kwargs []starlark.Tuple) error {
	if len(kwargs) > 0 { // a separator would be repeated
		return fmt.Errorf("arguments by name are not accepted")
	}
	for _, a := range args {
		n, err := Weigh(a, MaxString)
		if s, ok := a.(starlark.String); ok {
			n, err = int64(len(s)), nil // perhaps it is not quoted
		}
		if err != nil {
			return err
		}
		if err := m.Spend(1 + uint64(n)/stepWeigh); err != nil {
			return err
		}
		if err := m.text(min(n, MaxString)); err != nil {
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

func checkInt(_ *Meter, args starlark.Tuple, kwargs []starlark.Tuple) error {
	values := append(starlark.Tuple{}, args...)
	for _, kw := range kwargs {
		values = append(values, kw[1])
	}
	for _, v := range values {
		if s, ok := starlark.AsString(v); ok && len(s) > MaxIntBits+3 { // a sign and 0b
			return errWide()
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

func getAttr(t *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var x, otherwise starlark.Value
	var name string
	if err := starlark.UnpackPositionalArgs(b.Name(), args, kwargs, 2, &x, &name, &otherwise); err != nil {
		return nil, err
	}
	v, err := meterOf(t).read(x, name)
	switch {
	case err != nil:
		return nil, err
	case v != nil:
		return v, nil
	case otherwise != nil:
		return otherwise, nil
	default:
		return nil, errNoAttr(x, name)
	}
}
