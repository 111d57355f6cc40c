package sandbox

import (
	"strings"

	"go.starlark.net/starlark"
	"go.starlark.net/starlarkstruct"
	"go.starlark.net/syntax"
)

// guards are what a rewritten script calls.
var guards = starlark.StringDict{}

// tokens are the operators that the guards of augmented assignments are told.
var tokens = map[string]syntax.Token{}

func init() {
	for name, fn := range map[string]func(*Meter, *starlark.Thread, starlark.Tuple) (starlark.Value, error){
		"$enter":       guardEnter,
		"$decimal":     guardDecimal,
		"$key":         guardKey,
		"$item":        guardItem,
		"$pair":        guardPair,
		"$dict":        guardDict,
		"$cell":        guardCell,
		"$new":         guardNew,
		"$spread":      guardSpread,
		"$named":       guardNamed,
		"$slice":       guardSlice,
		"$attr":        guardAttr,
		"$index":       guardIndex,
		"$set":         guardSet,
		"$setfield":    guardSetField,
		"$store":       guardStore,
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
	for _, op := range plainOps {
		tokens[op.String()] = op
	}
}

func guard(name string, fn func(*Meter, *starlark.Thread, starlark.Tuple) (starlark.Value, error)) *starlark.Builtin {
	return starlark.NewBuiltin(name, func(t *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
		return fn(meterOf(t), t, args)
	})
}

// guardEnter stands at the beginning of every function: $enter(parts of its body). It
// returns None.
func guardEnter(m *Meter, t *starlark.Thread, args starlark.Tuple) (starlark.Value, error) {
	if m.calls+t.CallStackDepth() > MaxCalls {
		return nil, m.exhaust(CodeSteps, "functions call each other more than %d deep", MaxCalls)
	}
	size, _ := args[0].(starlark.Int).Uint64()
	return starlark.None, m.Spend(size / stepNodes)
}

// guardKey is around a key of an element that is assigned to.
func guardKey(m *Meter, _ *starlark.Thread, args starlark.Tuple) (starlark.Value, error) {
	return args[0], m.inspect(args[0])
}

// guardItem is around a key in a display of a dict: $item(key, keys before it).
func guardItem(m *Meter, _ *starlark.Thread, args starlark.Tuple) (starlark.Value, error) {
	if err := m.inspect(args[0]); err != nil {
		return nil, err
	}
	held, _ := args[1].(starlark.Int).Uint64()
	m.inserted++
	if err := m.Spend(held / stepsOf(args[0])); err != nil {
		return nil, err
	}
	return args[0], m.Charge(costItem)
}

// guardPair makes an element of a comprehension of a dict.
func guardPair(m *Meter, _ *starlark.Thread, args starlark.Tuple) (starlark.Value, error) {
	return starlark.Tuple{args[0], args[1]}, m.Charge(costList + 3*costCell)
}

// guardDict makes a dict of pairs.
func guardDict(m *Meter, _ *starlark.Thread, args starlark.Tuple) (starlark.Value, error) {
	if err := m.Charge(costDict); err != nil {
		return nil, err
	}
	d, pairs := new(starlark.Dict), args[0].(*starlark.List)
	for i := range pairs.Len() {
		pair := pairs.Index(i).(starlark.Tuple)
		if err := m.insert(d, pair[0]); err != nil {
			return nil, err
		}
		if err := d.SetKey(pair[0], pair[1]); err != nil {
			return nil, err
		}
	}
	return d, nil
}

func guardCell(m *Meter, _ *starlark.Thread, args starlark.Tuple) (starlark.Value, error) {
	return args[0], m.Charge(costCell)
}

// guardNew is around displays and comprehensions.
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

// guardSpread is around the arguments that a call spreads with *.
func guardSpread(m *Meter, _ *starlark.Thread, args starlark.Tuple) (starlark.Value, error) {
	if n := starlark.Len(args[0]); n >= 0 {
		return args[0], m.copied(int64(n))
	}
	it, ok := args[0].(starlark.Iterable)
	if !ok {
		return args[0], nil // the call fails by itself
	}
	elems, err := m.collect(it)
	return starlark.Tuple(elems), err
}

// guardNamed is around the arguments that a call spreads with **.
func guardNamed(m *Meter, _ *starlark.Thread, args starlark.Tuple) (starlark.Value, error) {
	if _, ok := args[0].(starlark.Mapping); !ok {
		return args[0], nil // the call fails by itself
	}
	// The function may collect them in a dict again.
	return args[0], m.gather(args[0], 0)
}

// guardSlice is around what a slice is taken of.
func guardSlice(m *Meter, _ *starlark.Thread, args starlark.Tuple) (starlark.Value, error) {
	n := int64(max(starlark.Len(args[0]), 0))
	if _, ok := args[0].(starlark.String); ok {
		return args[0], m.text(n)
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
	return m.Spend(uint64(n) / stepText)
}

// made refuses a text that came out longer than was charged for.
func made(v starlark.Value, err error) (starlark.Value, error) {
	if s, ok := v.(starlark.String); ok && len(s) > MaxString {
		return nil, failure(CodeMemory, "a text would be longer than %d bytes", MaxString)
	}
	return v, err
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
		if err := m.compared(x, y); err != nil {
			return nil, err
		}
		same, err := compare(op, x, y)
		return starlark.Bool(same), err
	case syntax.IN, syntax.NOT_IN:
		if err := m.contained(x, y); err != nil {
			return nil, err
		}
	case syntax.STAR:
		if err := m.repeat(x, y); err != nil {
			return nil, err
		}
	case syntax.PERCENT:
		if s, ok := x.(starlark.String); ok {
			if err := m.interpolated(string(s), y); err != nil {
				return nil, err
			}
		}
	default: // + and the operators of dicts and sets
		if err := m.joined(op, x, y); err != nil {
			return nil, err
		}
	}
	return made(starlark.Binary(op, x, y))
}

// compared charges for comparing. Dicts and sets look each other's elements up.
func (m *Meter) compared(x, y starlark.Value) error {
	if err := m.inspect(x); err != nil {
		return err
	}
	if err := m.inspect(y); err != nil {
		return err
	}
	return m.matched(x, y, MaxValueDepth)
}

// matched charges for the accesses that comparing makes.
func (m *Meter) matched(x, y starlark.Value, depth int) error {
	switch x.(type) {
	case *starlark.Dict, *starlark.Set:
		n, rate := uint64(max(starlark.Len(x), starlark.Len(y), 0)), uint64(stepPlain)
		for key := range starlark.Elements(x.(starlark.Iterable)) {
			rate = min(rate, stepsOf(key))
		}
		// Finding a subset makes room for marks, as many as there ever were elements.
		return m.Spend(n*(n+uint64(m.deleted))/rate + uint64(m.inserted)/stepWeigh)
	case *starlark.List, starlark.Tuple, *starlarkstruct.Struct:
		return parts(x, func(part starlark.Value) error {
			if depth == 0 {
				return nil
			}
			return m.matched(part, part, depth-1)
		})
	}
	return nil
}

// contained charges for x in y.
func (m *Meter) contained(x, y starlark.Value) error {
	switch y.(type) {
	case *starlark.Dict, *starlark.Set:
		return m.access(y, x)
	}
	return m.compared(y, x)
}

// interpolated charges for s % y.
func (m *Meter) interpolated(s string, y starlark.Value) error {
	n, err := Weigh(y, MaxString)
	if err != nil {
		return err
	}
	fields := int64(strings.Count(s, "%"))
	if err := m.text(int64(len(s)) + n*fields); err != nil {
		return err
	}
	return m.Spend(uint64(fields) * (1 + uint64(max(starlark.Len(y), 0))/stepPlain))
}

// joined charges for a new value that is made of two.
func (m *Meter) joined(op syntax.Token, x, y starlark.Value) error {
	n := int64(max(starlark.Len(x), 0)) + int64(max(starlark.Len(y), 0))
	switch x.(type) {
	case starlark.String:
		return m.text(n)
	case *starlark.Dict, *starlark.Set:
		if err := m.Charge(costDict); err != nil {
			return err
		}
		if err := m.gather(x, 0); err != nil { // every key is hashed again
			return err
		}
		if err := m.gather(y, int64(max(starlark.Len(x), 0))); err != nil {
			return err
		}
		if op == syntax.MINUS || op == syntax.CIRCUMFLEX {
			m.deleted += n // what differs is taken out of a copy
		}
		return nil
	case *starlarkstruct.Struct:
		for _, v := range []starlark.Value{x, y} {
			if err := m.inspect(v); err != nil {
				return err
			}
			if s, ok := v.(*starlarkstruct.Struct); ok {
				n += int64(len(s.AttrNames()))
			}
		}
		return m.Charge(costDict + n*costItem)
	default:
		return m.copied(n)
	}
}

func (m *Meter) arithmetic(op syntax.Token, x, y starlark.Int) (starlark.Value, error) {
	switch op {
	case syntax.EQL, syntax.NEQ, syntax.LT, syntax.LE, syntax.GT, syntax.GE:
		ok, err := starlark.Compare(op, x, y)
		return starlark.Bool(ok), err
	case syntax.LTLT:
		if n, ok := y.Int64(); !ok || n > MaxIntBits {
			return nil, errWide()
		}
	}
	// No operand is wider than MaxIntBits, so no result is wider than twice that.
	v, err := starlark.Binary(op, x, y)
	if err != nil {
		return nil, err
	}
	return narrow(v)
}

// narrow refuses numbers that are too wide.
func narrow(v starlark.Value) (starlark.Value, error) {
	if i, ok := v.(starlark.Int); ok && width(i) > MaxIntBits {
		return nil, errWide()
	}
	return v, nil
}

func errWide() error {
	return failure(CodeMemory, "a number would have more than %d bits", MaxIntBits)
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
		return failure(CodeMemory, "repeated more than %d times", MaxRange)
	}
	total := max(n, 0) * int64(max(starlark.Len(x), 0))
	if _, ok := x.(starlark.String); ok {
		return m.text(total)
	}
	return m.copied(total)
}
