package state

import "slices"

// Index finds the rows of a table by what one of their columns holds, without a look at each of them. It is derived from the
// state and no part of it: every change keeps it in step, those that are taken back included.
type Index struct {
	column string
	keys   func(Value) []string
	moved  func()
	rows   map[string][]int64 // by key, ascending
}

// NewIndex returns an index of a column from now on. A row is found by each of the keys of its cell, which must be
// different; of a cell that is not set, keys is told nil. After a cell's value has given way to another, or its row is gone, moved is
// called unless it is nil, but not if that happens because something is taken back.
func (s *State) NewIndex(table, column string, keys func(Value) []string, moved func()) *Index {
	t := s.table(table)
	x := &Index{column: column, keys: keys, moved: moved, rows: map[string][]int64{}}
	for _, id := range t.order {
		x.add(id, t.rows[id].cells[column])
	}
	t.indexes = append(t.indexes, x)
	return x
}

// Rows returns the ids of the rows with a key in ascending order. The caller must not change the slice, nor use it
// after a change.
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

// entered keeps the indexes in step with a row that is there now, or is again.
func (t *table) entered(id int64, r *row) {
	for _, x := range t.indexes {
		x.add(id, r.cells[x.column])
	}
}

// left keeps them in step with a row that is gone.
func (t *table) left(id int64, r *row, undone bool) {
	for _, x := range t.indexes {
		x.drop(id, r.cells[x.column])
		x.tell(undone)
	}
}

// became keeps them in step with a cell that held old, nil if it was not set.
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
