package sandbox

import (
	"go.starlark.net/starlark"
	"go.starlark.net/starlarkstruct"
)

// Weigh returns roughly how many bytes it takes to write a value out, and so how much
// work it is to compare, hash or print it. Data that several places share counts each
// time. It fails with [CodeMemory] if that passes max, or if the value is cyclic or
// nests too deep.
func Weigh(v starlark.Value, max int64) (int64, error) {
	s := scale{left: max}
	if err := s.add(v, 0); err != nil {
		return 0, err
	}
	return max - s.left, nil
}

type scale struct{ left int64 }

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
		return s.take(8 + int64(len(v)))
	case starlark.Int:
		return s.take(8 + int64(v.BigInt().BitLen())/3)
	case *starlark.List:
		if err := s.take(8); err != nil {
			return err
		}
		for i := range v.Len() {
			if err := s.add(v.Index(i), depth+1); err != nil {
				return err
			}
		}
		return nil
	case starlark.Tuple:
		if err := s.take(8); err != nil {
			return err
		}
		for _, e := range v {
			if err := s.add(e, depth+1); err != nil {
				return err
			}
		}
		return nil
	case *starlark.Dict:
		if err := s.take(8); err != nil {
			return err
		}
		for k, e := range v.Entries() {
			if err := s.add(k, depth+1); err != nil {
				return err
			}
			if err := s.add(e, depth+1); err != nil {
				return err
			}
		}
		return nil
	case *starlark.Set:
		if err := s.take(8); err != nil {
			return err
		}
		for e := range v.Elements() {
			if err := s.add(e, depth+1); err != nil {
				return err
			}
		}
		return nil
	case *starlarkstruct.Struct:
		for _, name := range v.AttrNames() {
			a, err := v.Attr(name)
			if err != nil {
				return err
			}
			if err := s.take(8 + int64(len(name))); err != nil {
				return err
			}
			if err := s.add(a, depth+1); err != nil {
				return err
			}
		}
		return nil
	default:
		return s.take(64)
	}
}

// inspect charges the work of going through a whole value: a step for every 16 bytes.
func (m *Meter) inspect(v starlark.Value) error {
	switch v := v.(type) {
	case starlark.NoneType, starlark.Bool:
		return nil
	case starlark.Int:
		return nil
	case starlark.String:
		return m.Spend(uint64(len(v)) / 64)
	}
	n, err := Weigh(v, MaxString*4)
	if err != nil {
		return err
	}
	return m.Spend(uint64(n) / 16)
}
