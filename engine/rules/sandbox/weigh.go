package sandbox

import (
	"unicode/utf8"

	"go.starlark.net/starlark"
	"go.starlark.net/starlarkstruct"
)

// Weigh returns at least how many bytes it takes to write a value out, and so how much
// work it is to compare, hash or print it. Data that several places share counts each
// time. It fails with [CodeMemory] if that passes max, or if the value is cyclic or
// nests too deep. What the host made weighs a constant: it is written with at most
// MaxHostText bytes.
func Weigh(v starlark.Value, max int64) (int64, error) {
	return weigh(v, max, MaxHostText)
}

func weigh(v starlark.Value, max, host int64) (int64, error) {
	s := scale{left: max, host: host}
	if err := s.add(v, 0); err != nil {
		return 0, err
	}
	return max - s.left, nil
}

type scale struct {
	left int64
	host int64 // weight of a value of the host
}

func (s *scale) take(n int64) error {
	if s.left -= n; s.left < 0 {
		return failure(CodeMemory, "a value is too large")
	}
	return nil
}

func (s *scale) add(v starlark.Value, depth int) error {
	if depth > MaxValueDepth {
		return failure(CodeMemory, "a value contains itself, or nests more than %d deep", MaxValueDepth)
	}
	switch v := v.(type) {
	case starlark.String:
		return s.take(8 + quoted(string(v)))
	case starlark.Int:
		return s.take(8 + int64(width(v))/3)
	case starlark.NoneType, starlark.Bool:
		return s.take(8)
	case *starlark.Function:
		return s.take(16 + int64(len(v.Name())))
	case *starlarkstruct.Struct:
		for _, name := range v.AttrNames() {
			if err := s.take(8 + int64(len(name))); err != nil {
				return err
			}
		}
	case *starlark.List, starlark.Tuple, *starlark.Dict, *starlark.Set:
	default:
		return s.take(s.host)
	}
	if err := s.take(16); err != nil {
		return err
	}
	return parts(v, func(part starlark.Value) error { return s.add(part, depth+1) })
}

// quoted returns how long a text is at most when it is written with quotes.
func quoted(s string) int64 {
	n := int64(len(s)) + 2
	for i := range len(s) {
		switch c := s[i]; {
		case c == '"' || c == '\\':
			n++
		case c < ' ' || c == 0x7f:
			n += 3
		case c >= utf8.RuneSelf: // perhaps not printable, or not UTF-8
			n += 3
		}
	}
	return n
}

// width returns how many bits a number has.
func width(i starlark.Int) int {
	if n, ok := i.Int64(); ok && n > -1<<31 && n < 1<<31 {
		return 32 // at most, and without making a big number
	}
	return i.BigInt().BitLen()
}

// inspect charges the work of going through a whole value.
func (m *Meter) inspect(v starlark.Value) error {
	switch v := v.(type) {
	case starlark.NoneType, starlark.Bool, starlark.Int, Decimal:
		return nil
	case starlark.String:
		return m.Spend(uint64(len(v)) / stepText)
	}
	n, err := weigh(v, MaxWeight, costCell) // values of the host are compared by what they stand for
	if err != nil {
		return err
	}
	return m.Spend(uint64(n) / stepWeigh)
}

// access charges for one access to a dict or set by a key. Other values cost nothing.
func (m *Meter) access(x, key starlark.Value) error {
	var n int
	switch x := x.(type) {
	case *starlark.Dict:
		n = x.Len()
	case *starlark.Set:
		n = x.Len()
	default:
		return nil
	}
	if err := m.inspect(key); err != nil {
		return err
	}
	if n == 0 && m.deleted == 0 {
		return nil
	}
	// What was deleted may have left its room behind.
	return m.Spend((uint64(n) + uint64(m.deleted)) / stepsOf(key))
}

// insert charges for a new element of a dict or set.
func (m *Meter) insert(x, key starlark.Value) error {
	if err := m.access(x, key); err != nil {
		return err
	}
	m.inserted++
	return m.Charge(costItem)
}

// stepsOf returns how many elements of a dict one step goes through for a key.
func stepsOf(key starlark.Value) uint64 {
	switch key := key.(type) {
	case starlark.String, starlark.Bool, starlark.NoneType:
		return stepPlain
	case starlark.Int:
		if n, ok := key.Int64(); ok && n >= -1<<31 && n < 1<<31 {
			return stepPlain
		}
	}
	return stepAny
}

// gather charges for inserting all keys of v into a dict or set that has held elements
// already.
func (m *Meter) gather(v starlark.Value, held int64) error {
	it, ok := v.(starlark.Iterable)
	if !ok {
		return nil // it fails by itself
	}
	iter := it.Iterate()
	defer iter.Done()
	var e starlark.Value
	for iter.Next(&e) {
		if err := m.inspect(e); err != nil {
			return err
		}
		if err := m.Spend(1 + uint64(held+m.deleted)/stepsOf(e)); err != nil {
			return err
		}
		if err := m.Charge(costItem); err != nil {
			return err
		}
		held++
		m.inserted++
	}
	return nil
}
