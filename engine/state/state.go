package state

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"peernomic/engine/wire"
)

// Errors of changes to a state.
var (
	ErrNoRow    = errors.New("there is no such row")
	ErrTooLarge = errors.New("the gamestate would grow too large")
)

// State is a set of tables. Make it with [New].
//
// Invariant: reverting to a mark restores everything that [State.Digest] covers.
type State struct {
	tables  map[string]*table
	journal []func()
}

type table struct {
	rows  map[int64]*row
	order []int64 // ascending
	next  int64   // id of the next row

	indexes []*Index
}

type row struct {
	cells map[string]Value
	hash  *[32]byte // of id and cells; nil after a change
}

// Mark is a point to which a state can be reverted.
type Mark int

// New returns an empty state.
func New() *State {
	return &State{tables: map[string]*table{}}
}

// Mark returns the present point.
func (s *State) Mark() Mark { return Mark(len(s.journal)) }

// Revert undoes all changes since the mark.
func (s *State) Revert(m Mark) {
	for i := len(s.journal) - 1; i >= int(m); i-- {
		s.journal[i]()
	}
	s.journal = s.journal[:m]
}

// Forget makes all changes final. Earlier marks must not be used any more.
func (s *State) Forget() { s.journal = nil }

// OnRevert calls undo if the present point is reverted. With it, callers keep data
// that they derive from the state up to date.
func (s *State) OnRevert(undo func()) { s.journal = append(s.journal, undo) }

func (s *State) table(name string) *table {
	t := s.tables[name]
	if t == nil {
		t = &table{rows: map[int64]*row{}, next: 1}
		s.tables[name] = t // an empty table leaves no trace in the digest
	}
	return t
}

// Create adds a row and returns its id, which is never used again.
func (s *State) Create(name string) (int64, error) {
	t := s.table(name)
	if len(t.rows) >= MaxRows {
		return 0, fmt.Errorf("%w: table %s has %d rows", ErrTooLarge, name, MaxRows)
	}
	id := t.next
	t.next++
	r := &row{cells: map[string]Value{}}
	t.rows[id] = r
	t.order = append(t.order, id)
	s.journal = append(s.journal, func() {
		delete(t.rows, id)
		t.order = t.order[:len(t.order)-1]
		t.next = id
		t.left(id, r, true)
	})
	t.entered(id, r)
	return id, nil
}

// Remove takes a row out. It fails with [ErrNoRow].
func (s *State) Remove(name string, id int64) error {
	t := s.table(name)
	r, ok := t.rows[id]
	if !ok {
		return fmt.Errorf("%w: %s %d", ErrNoRow, name, id)
	}
	before := t.order
	i, _ := slices.BinarySearch(t.order, id)
	t.order = slices.Delete(slices.Clone(t.order), i, i+1)
	delete(t.rows, id)
	s.journal = append(s.journal, func() {
		t.rows[id] = r
		t.order = before
		t.entered(id, r)
	})
	t.left(id, r, false)
	return nil
}

// Has reports whether a row exists.
func (s *State) Has(name string, id int64) bool {
	t := s.tables[name]
	return t != nil && t.rows[id] != nil
}

// Get returns a cell and reports whether it was ever set.
func (s *State) Get(name string, id int64, column string) (Value, bool) {
	t := s.tables[name]
	if t == nil || t.rows[id] == nil {
		return nil, false
	}
	v, ok := t.rows[id].cells[column]
	return v, ok
}

// Set writes a normalized value into a cell. The caller has checked its type and
// range. It fails with [ErrNoRow] or [ErrTooLarge].
func (s *State) Set(name string, id int64, column string, v Value) error {
	t := s.table(name)
	r, ok := t.rows[id]
	if !ok {
		return fmt.Errorf("%w: %s %d", ErrNoRow, name, id)
	}
	if size(v) > MaxCell {
		return fmt.Errorf("%w: a cell of %s would pass %d bytes", ErrTooLarge, name, MaxCell)
	}
	if longest(v) > MaxRows {
		return fmt.Errorf("%w: a list in a cell of %s would pass %d elements", ErrTooLarge, name, MaxRows)
	}
	old, had := r.cells[column]
	r.cells[column] = v
	r.hash = nil
	s.journal = append(s.journal, func() {
		if had {
			r.cells[column] = old
		} else {
			delete(r.cells, column)
		}
		r.hash = nil
		t.became(id, column, v, old, true)
	})
	t.became(id, column, old, v, false)
	return nil
}

// Unset empties a cell, as if it had never been set.
func (s *State) Unset(name string, id int64, column string) {
	t := s.tables[name]
	if t == nil || t.rows[id] == nil {
		return
	}
	r := t.rows[id]
	old, had := r.cells[column]
	if !had {
		return
	}
	delete(r.cells, column)
	r.hash = nil
	s.journal = append(s.journal, func() {
		r.cells[column] = old
		r.hash = nil
		t.became(id, column, nil, old, true)
	})
	t.became(id, column, old, nil, false)
}

// Rows returns the ids of a table in ascending order. The caller must not change
// the slice.
func (s *State) Rows(name string) []int64 {
	t := s.tables[name]
	if t == nil {
		return nil
	}
	return t.order
}

// Digest returns a hash of everything in the state.
func (s *State) Digest() [32]byte {
	var sum []byte
	for _, name := range slices.Sorted(maps.Keys(s.tables)) {
		t := s.tables[name]
		if t.next == 1 {
			continue
		}
		head, err := wire.Encode([]any{name, t.next, len(t.order)})
		if err != nil {
			panic(err) // names and numbers always encode
		}
		sum = append(sum, head...)
		for _, id := range t.order {
			h := t.rows[id].digest(id)
			sum = append(sum, h[:]...)
		}
	}
	return wire.Digest("peernomic/state/v1", sum)
}

func (r *row) digest(id int64) [32]byte {
	if r.hash == nil {
		b, err := wire.Encode([]any{id, r.cells})
		if err != nil {
			panic(err) // cells are normalized
		}
		h := wire.Digest("peernomic/row/v1", b)
		r.hash = &h
	}
	return *r.hash
}

// size returns roughly how many bytes a value takes when it is encoded.
func size(v Value) int {
	n := 9
	switch v := v.(type) {
	case string:
		n += len(v)
	case []any:
		for _, e := range v {
			n += size(e)
		}
	case map[string]any:
		for k, e := range v {
			n += len(k) + size(e)
		}
	}
	return n
}

// longest is how many elements the longest list or map in a value has.
func longest(v Value) int {
	n := 0
	switch v := v.(type) {
	case []any:
		n = len(v)
		for _, e := range v {
			n = max(n, longest(e))
		}
	case map[string]any:
		n = len(v)
		for _, e := range v {
			n = max(n, longest(e))
		}
	}
	return n
}
