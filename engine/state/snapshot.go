package state

import (
	"fmt"
	"maps"
	"slices"
)

// Snapshot is a state in a form that can be encoded. It holds exactly what [State.Digest] covers.
type Snapshot []TableSnapshot

// TableSnapshot is one table of a [Snapshot].
type TableSnapshot struct {
	_    struct{} `cbor:",toarray"`
	Name string
	Next int64 // id of the next row
	Rows []RowSnapshot
}

// RowSnapshot is one row. Its cells are packed, see [Pack].
type RowSnapshot struct {
	_     struct{} `cbor:",toarray"`
	ID    int64
	Cells map[string]any
}

// Snapshot returns the state as it is.
func (s *State) Snapshot() Snapshot {
	var out Snapshot
	for _, name := range slices.Sorted(maps.Keys(s.tables)) {
		t := s.tables[name]
		if t.next == 1 {
			continue
		}
		shot := TableSnapshot{Name: name, Next: t.next}
		for _, id := range t.order {
			cells := map[string]any{}
			for c, v := range t.rows[id].cells { // each cell is its own
				cells[c] = Pack(v)
			}
			shot.Rows = append(shot.Rows, RowSnapshot{ID: id, Cells: cells})
		}
		out = append(out, shot)
	}
	return out
}

// FromSnapshot returns the state of a snapshot. Snapshots come from other people, so it fails if no
// sequence of changes could have made that state.
func FromSnapshot(shot Snapshot) (*State, error) {
	s := New()
	for i, from := range shot {
		if i > 0 && from.Name <= shot[i-1].Name {
			return nil, fmt.Errorf("tables are not in order")
		}
		t := s.table(from.Name)
		if len(from.Rows) > MaxRows {
			return nil, fmt.Errorf("%w: table %s has %d rows", ErrTooLarge, from.Name, len(from.Rows))
		}
		last := int64(0)
		for _, r := range from.Rows {
			if r.ID <= last {
				return nil, fmt.Errorf("the rows of %s are not in order", from.Name)
			}
			last = r.ID
			cells := map[string]Value{}
			for _, c := range slices.Sorted(maps.Keys(r.Cells)) {
				v, err := Unpack(r.Cells[c])
				if err != nil {
					return nil, fmt.Errorf("%s %d, %s: %w", from.Name, r.ID, c, err)
				}
				if size(v) > MaxCell {
					return nil, fmt.Errorf("%w: %s %d, %s", ErrTooLarge, from.Name, r.ID, c)
				}
				cells[c] = v
			}
			t.rows[r.ID] = &row{cells: cells}
			t.order = append(t.order, r.ID)
		}
		if from.Next <= max(last, 1) || from.Next > 1<<53 {
			return nil, fmt.Errorf("table %s goes on with row %d", from.Name, from.Next)
		}
		t.next = from.Next
	}
	return s, nil
}

// Kinds of packed lists.
const (
	packedList     = int64(0)
	packedFraction = int64(1)
)

// Pack returns a form of a value whose encoding is unambiguous. A list begins with the number 0. A [Fraction],
// which encodes like a text, becomes a list of the number 1 and that text.
func Pack(v Value) any {
	switch v := v.(type) {
	case Fraction:
		return []any{packedFraction, string(v)}
	case []any:
		out := make([]any, 0, len(v)+1)
		out = append(out, packedList)
		for _, e := range v {
			out = append(out, Pack(e))
		}
		return out
	case map[string]any:
		out := make(map[string]any, len(v))
		for k, e := range v { // each is its own
			out[k] = Pack(e)
		}
		return out
	}
	return v
}

// Unpack is the inverse of [Pack], and normalizes the values of a decoder. It fails on any other value.
func Unpack(v any) (Value, error) {
	n, err := Normalize(v)
	if err != nil {
		return nil, err
	}
	return unpack(n)
}

func unpack(v Value) (Value, error) {
	switch v := v.(type) {
	case []any:
		if len(v) == 0 {
			return nil, fmt.Errorf("a list does not say of what kind")
		}
		switch v[0] {
		case packedFraction:
			if text, ok := v[len(v)-1].(string); ok && len(v) == 2 {
				if f, err := ParseDecimal(text); err == nil && f == Fraction(text) {
					return f, nil
				}
			}
			return nil, fmt.Errorf("not a number with a point")
		case packedList:
			out := make([]any, len(v)-1)
			for i, e := range v[1:] {
				u, err := unpack(e)
				if err != nil {
					return nil, err
				}
				out[i] = u
			}
			return out, nil
		}
		return nil, fmt.Errorf("a list of unknown kind")
	case map[string]any:
		out := make(map[string]any, len(v))
		for _, k := range slices.Sorted(maps.Keys(v)) {
			u, err := unpack(v[k])
			if err != nil {
				return nil, err
			}
			out[k] = u
		}
		return out, nil
	}
	return v, nil
}
