package state

import (
	"errors"
	"fmt"
	"maps"
	"slices"
)

// Value is what a cell holds: nil, bool, int64, [Fraction], string, []any or map[string]any
// of such values. References to rows are their int64 ids; moments are Unix ms.
type Value = any

// Normalize returns v as a [Value]: every integer becomes int64, and lists and maps
// are copied. It fails on what a cell cannot hold.
func Normalize(v any) (Value, error) {
	return normalize(v, 0)
}

func normalize(v any, depth int) (Value, error) {
	if depth > MaxDepth {
		return nil, fmt.Errorf("value is nested more than %d deep", MaxDepth)
	}
	switch v := v.(type) {
	case nil, bool, int64, Fraction:
		return v, nil
	case int:
		return int64(v), nil
	case uint64:
		if v > 1<<63-1 {
			return nil, fmt.Errorf("number %d is too large", v)
		}
		return int64(v), nil
	case string:
		if len(v) > MaxText {
			return nil, fmt.Errorf("text is longer than %d bytes", MaxText)
		}
		return v, nil
	case []any:
		out := make([]any, len(v))
		for i, e := range v {
			n, err := normalize(e, depth+1)
			if err != nil {
				return nil, err
			}
			out[i] = n
		}
		return out, nil
	case map[string]any:
		out := make(map[string]any, len(v))
		for _, k := range slices.Sorted(maps.Keys(v)) {
			n, err := normalize(v[k], depth+1)
			if err != nil {
				return nil, err
			}
			out[k] = n
		}
		return out, nil
	case map[any]any: // what CBOR decodes a map into when no type is asked for
		// Check all keys before any value, and name none, so that every replica gives the same reason.
		named := make(map[string]any, len(v))
		for k, e := range v {
			s, ok := k.(string)
			if !ok {
				return nil, errors.New("a map has a key that is not text")
			}
			named[s] = e
		}
		return normalize(named, depth)
	default:
		return nil, fmt.Errorf("a cell cannot hold %T", v)
	}
}

// Equal reports whether two normalized values are the same.
func Equal(a, b Value) bool {
	switch a := a.(type) {
	case []any:
		b, ok := b.([]any)
		return ok && slices.EqualFunc(a, b, Equal)
	case map[string]any:
		b, ok := b.(map[string]any)
		return ok && maps.EqualFunc(a, b, Equal)
	default:
		switch b.(type) {
		case []any, map[string]any:
			return false
		}
		return a == b
	}
}
