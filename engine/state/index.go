package state

import "slices"

// Index finds the rows of a table by the keys of one column, without a scan. It is derived from the state and not part of
// it. Every change of the state updates it, reverted changes included.
type Index struct {
	column string
	keys   func(Value) []string
	moved  func()
	rows   map[string][]int64 // by key, ascending
}

// NewIndex returns an index of a column. The function keys returns the keys of a cell, all different; its argument is nil
// for a cell that is not set. The function moved, unless nil, is called after a cell's value was replaced or its row
// removed, but not during a revert.
func (s *State) NewIndex(table, column string, keys func(Value) []string, moved func()) *Index {
	t := s.table(table)
	x := &Index{column: column, keys: keys, moved: moved, rows: map[string][]int64{}}
	for _, id := range t.order {
		x.add(id, t.rows[id].cells[column])
	}
	t.indexes = append(t.indexes, x)
	return x
}

// Rows returns the ids of the rows with a key in ascending order. The caller must not change the slice. The slice is
// valid until the next change of the state.
func (x *Index) Rows(key string) []int64 { return x.rows[key] }

func (x *Index) add(id int64, v Value) {
	for _, key := range x.keys(v) {
		rows := x.rows[key]
		i, _ := slices.BinarySearch(rows, id)
		x.rows[key] = slices.Insert(rows, i, id)
	}
}

func (x *Index) drop(id int64, v Value) {
	for _, key := range x.keys(v) {
		rows := x.rows[key]
		if len(rows) == 1 {
			delete(x.rows, key)
			continue
		}
		i, _ := slices.BinarySearch(rows, id)
		x.rows[key] = slices.Delete(rows, i, i+1)
	}
}

// entered updates the indexes after a row was added, or restored by a revert.
func (t *table) entered(id int64, r *row) {
	for _, x := range t.indexes {
		x.add(id, r.cells[x.column])
	}
}

// left updates the indexes after a row was removed.
func (t *table) left(id int64, r *row, undone bool) {
	for _, x := range t.indexes {
		x.drop(id, r.cells[x.column])
		x.tell(undone)
	}
}

// became updates the indexes after a change of a cell, whose value was old; nil if it was not set.
func (t *table) became(id int64, column string, old, v Value, undone bool) {
	for _, x := range t.indexes {
		if x.column == column {
			x.drop(id, old)
			x.add(id, v)
			x.tell(undone || old == nil)
		}
	}
}

func (x *Index) tell(undone bool) {
	if !undone && x.moved != nil {
		x.moved()
	}
}
