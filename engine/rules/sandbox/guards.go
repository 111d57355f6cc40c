package sandbox

import (
	"fmt"
	"strings"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// guards are what a rewritten script calls.
var guards = starlark.StringDict{}

func init() {
	for name, fn := range map[string]func(*Meter, *starlark.Thread, starlark.Tuple) (starlark.Value, error){
		"$key":         guardKey,
		"$item":        guardItem,
		"$cell":        guardCell,
		"$new":         guardNew,
		"$spread":      guardSpread,
		"$attr":        guardAttr,
		"$update":      guardUpdate,
		"$updateindex": guardUpdateIndex,
		"$updatefield": guardUpdateField,
	} {
		guards[name] = guard(name, fn)
	}
	for op := range guardedOps {
		guards["$"+op.String()] = guard("$"+op.String(), func(m *Meter, _ *starlark.Thread, args starlark.Tuple) (starlark.Value, error) {
			return m.binary(op, args[0], args[1])
		})
	}
}

func guard(name string, fn func(*Meter, *starlark.Thread, starlark.Tuple) (starlark.Value, error)) *starlark.Builtin {
	return starlark.NewBuiltin(name, func(t *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
		return fn(meterOf(t), t, args)
	})
}

func guardKey(m *Meter, _ *starlark.Thread, args starlark.Tuple) (starlark.Value, error) {
	if _, ok := args[0].(starlark.Tuple); ok {
		return args[0], m.inspect(args[0])
	}
	return args[0], nil
}

func guardItem(m *Meter, t *starlark.Thread, args starlark.Tuple) (starlark.Value, error) {
	if err := m.Charge(costItem); err != nil {
		return nil, err
	}
	return guardKey(m, t, args)
}

func guardCell(m *Meter, _ *starlark.Thread, args starlark.Tuple) (starlark.Value, error) {
	return args[0], m.Charge(costCell)
}

func guardNew(m *Meter, _ *starlark.Thread, args starlark.Tuple) (starlark.Value, error) {
	switch v := args[0].(type) {
	case *starlark.Dict:
		return v, m.Charge(costDict)
	case starlark.Tuple:
		return v, m.Charge(costList + costCell*int64(len(v)))
	default:
		return v, m.Charge(costList + costCell*int64(max(starlark.Len(v), 0)))
	}
}

// guardSpread charges for a copy of a whole value.
func guardSpread(m *Meter, _ *starlark.Thread, args starlark.Tuple) (starlark.Value, error) {
	n := int64(max(starlark.Len(args[0]), 0))
	if _, ok := args[0].(starlark.String); ok {
		return args[0], m.Spend(uint64(n) / 64)
	}
	return args[0], m.copied(n)
}

// copied charges for n elements that are gone through and kept.
func (m *Meter) copied(n int64) error {
	if err := m.Charge(costList + n*costCell); err != nil {
		return err
	}
	return m.Spend(uint64(n))
}

// text charges for a new text of n bytes.
func (m *Meter) text(n int64) error {
	if n > MaxString {
		return failure(CodeMemory, "a text would be longer than %d bytes", MaxString)
	}
	if err := m.Charge(n); err != nil {
		return err
	}
	return m.Spend(uint64(n) / 64)
}

// binary does x op y, having charged for it.
func (m *Meter) binary(op syntax.Token, x, y starlark.Value) (starlark.Value, error) {
	xi, xInt := x.(starlark.Int)
	yi, yInt := y.(starlark.Int)
	if xInt && yInt {
		return m.arithmetic(op, xi, yi)
	}
	switch op {
	case syntax.EQL, syntax.NEQ, syntax.LT, syntax.LE, syntax.GT, syntax.GE:
		if err := m.inspect(x); err != nil {
			return nil, err
		}
		if err := m.inspect(y); err != nil {
			return nil, err
		}
		same, err := starlark.Compare(op, x, y)
		return starlark.Bool(same), err
	case syntax.IN, syntax.NOT_IN:
		if err := m.inspect(x); err != nil {
			return nil, err
		}
		if _, isMap := y.(*starlark.Dict); !isMap {
			if err := m.inspect(y); err != nil {
				return nil, err
			}
		}
	case syntax.STAR:
		if err := m.repeat(x, y); err != nil {
			return nil, err
		}
	case syntax.PERCENT:
		if s, ok := x.(starlark.String); ok {
			n, err := Weigh(y, MaxString)
			if err != nil {
				return nil, err
			}
			if err := m.text(int64(len(s)) + n*int64(strings.Count(string(s), "%"))); err != nil {
				return nil, err
			}
		}
	default: // + and the operators of dicts and sets
		if err := m.joined(x, y); err != nil {
			return nil, err
		}
	}
	return starlark.Binary(op, x, y)
}

func (m *Meter) joined(x, y starlark.Value) error {
	n := int64(max(starlark.Len(x), 0)) + int64(max(starlark.Len(y), 0))
	switch x.(type) {
	case starlark.String:
		return m.text(n)
	case *starlark.Dict, *starlark.Set:
		for _, v := range []starlark.Value{x, y} { // every key is hashed again
			if err := m.inspect(v); err != nil {
				return err
			}
		}
		if err := m.Charge(costDict + n*costItem); err != nil {
			return err
		}
		return m.Spend(uint64(n))
	default:
		return m.copied(n)
	}
}

func (m *Meter) arithmetic(op syntax.Token, x, y starlark.Int) (starlark.Value, error) {
	if op == syntax.STAR {
		if bits := x.BigInt().BitLen() + y.BigInt().BitLen(); bits > 2*MaxIntBits {
			return nil, failure(CodeMemory, "a number is too large")
		}
	}
	if op == syntax.LTLT {
		if n, ok := y.Int64(); !ok || n > MaxIntBits {
			return nil, failure(CodeMemory, "a number is too large")
		}
	}
	switch op {
	case syntax.EQL, syntax.NEQ, syntax.LT, syntax.LE, syntax.GT, syntax.GE:
		ok, err := starlark.Compare(op, x, y)
		return starlark.Bool(ok), err
	}
	v, err := starlark.Binary(op, x, y)
	if err != nil {
		return nil, err
	}
	if i, ok := v.(starlark.Int); ok {
		if _, small := i.Int64(); !small && i.BigInt().BitLen() > MaxIntBits {
			return nil, failure(CodeMemory, "a number is too large")
		}
	}
	return v, nil
}

// repeat charges for a text, list or tuple times a number.
func (m *Meter) repeat(x, y starlark.Value) error {
	if _, ok := x.(starlark.Int); ok {
		x, y = y, x
	}
	times, ok := y.(starlark.Int)
	if !ok {
		return nil // it fails by itself
	}
	n, small := times.Int64()
	if !small || n > MaxRange {
		if times.Sign() <= 0 {
			return nil
		}
		return failure(CodeMemory, "repeated too often")
	}
	total := max(n, 0) * int64(max(starlark.Len(x), 0))
	if _, ok := x.(starlark.String); ok {
		return m.text(total)
	}
	return m.copied(total)
}

var tokens = map[string]syntax.Token{}

func init() {
	for _, op := range plainOps {
		tokens[op.String()] = op
	}
}

// update does x op= y and returns the new x. As in Starlark, lists and dicts grow in
// place.
func (m *Meter) update(op syntax.Token, x, y starlark.Value) (starlark.Value, error) {
	switch {
	case op == syntax.PLUS:
		list, ok := x.(*starlark.List)
		if _, iterable := y.(starlark.Iterable); ok && iterable {
			return list, m.extend(list, y)
		}
	case op == syntax.PIPE:
		xd, ok := x.(*starlark.Dict)
		if yd, also := y.(*starlark.Dict); ok && also {
			if err := m.joined(xd, yd); err != nil {
				return nil, err
			}
			for _, item := range yd.Items() {
				if err := xd.SetKey(item[0], item[1]); err != nil {
					return nil, err
				}
			}
			return xd, nil
		}
	}
	if guardedOps[op] {
		return m.binary(op, x, y)
	}
	return starlark.Binary(op, x, y)
}

func guardUpdate(m *Meter, _ *starlark.Thread, args starlark.Tuple) (starlark.Value, error) {
	return m.update(tokens[string(args[0].(starlark.String))], args[1], args[2])
}

func guardUpdateIndex(m *Meter, t *starlark.Thread, args starlark.Tuple) (starlark.Value, error) {
	x, key := args[1], args[2]
	if _, err := guardKey(m, t, starlark.Tuple{key}); err != nil {
		return nil, err
	}
	old, err := index(x, key)
	if err != nil {
		return nil, err
	}
	v, err := m.update(tokens[string(args[0].(starlark.String))], old, args[3])
	if err != nil {
		return nil, err
	}
	return starlark.None, setIndex(x, key, v)
}

func index(x, key starlark.Value) (starlark.Value, error) {
	switch x := x.(type) {
	case starlark.Mapping:
		v, found, err := x.Get(key)
		if err == nil && !found {
			err = fmt.Errorf("key %s is not there", describe(key))
		}
		return v, err
	case starlark.Indexable:
		i, err := position(x, key)
		if err != nil {
			return nil, err
		}
		return x.Index(i), nil
	default:
		return nil, fmt.Errorf("a %s has no elements", x.Type())
	}
}

func setIndex(x, key, v starlark.Value) error {
	switch x := x.(type) {
	case starlark.HasSetKey:
		return x.SetKey(key, v)
	case starlark.HasSetIndex:
		i, err := position(x, key)
		if err != nil {
			return err
		}
		return x.SetIndex(i, v)
	default:
		return fmt.Errorf("elements of a %s cannot be set", x.Type())
	}
}

func position(x starlark.Indexable, key starlark.Value) (int, error) {
	i, err := starlark.AsInt32(key)
	if err != nil {
		return 0, fmt.Errorf("an index must be a whole number, not %s", key.Type())
	}
	n := x.Len()
	if i < 0 {
		i += n
	}
	if i < 0 || i >= n {
		return 0, fmt.Errorf("index %d is out of range: there are %d elements", i, n)
	}
	return i, nil
}

func guardUpdateField(m *Meter, t *starlark.Thread, args starlark.Tuple) (starlark.Value, error) {
	x, name := args[1], string(args[2].(starlark.String))
	on, ok := x.(starlark.HasSetField)
	if !ok {
		return nil, fmt.Errorf("fields of a %s cannot be set", x.Type())
	}
	old, err := on.Attr(name)
	if err != nil {
		return nil, err
	}
	if old == nil {
		return nil, fmt.Errorf("a %s has no field %s", x.Type(), name)
	}
	v, err := m.update(tokens[string(args[0].(starlark.String))], old, args[3])
	if err != nil {
		return nil, err
	}
	return starlark.None, on.SetField(name, v)
}

func describe(v starlark.Value) string {
	switch v := v.(type) {
	case starlark.String, starlark.Int:
		s := v.String()
		if len(s) > 40 {
			s = s[:40] + "…"
		}
		return s
	default:
		return "of type " + v.Type()
	}
}
