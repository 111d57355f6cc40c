package rules

import (
	"fmt"
	"maps"
	"math/big"
	"slices"

	"peernomic/engine/rules/amendment"
	"peernomic/engine/rules/declare"
	"peernomic/engine/state"
)

// cellChange is what an amendment does to cells: to which of them, and what becomes of the value of each.
type cellChange struct {
	amendment.Cells
	becomes func(state.Value) (state.Value, error)
}

// cellsChanged returns what an amendment does to cells and reports whether it is one that changes cells.
func cellsChanged(a amendment.Amendment) (cellChange, bool) {
	switch a := a.(type) {
	case *amendment.Set:
		return cellChange{a.Cells, func(state.Value) (state.Value, error) { return a.Value, nil }}, true
	case *amendment.Adjust:
		return cellChange{a.Cells, func(old state.Value) (state.Value, error) { return adjusted(a.How, old, a.By) }}, true
	}
	return cellChange{}, false
}

// adjusted is a number after it gains, loses or is multiplied by another.
func adjusted(how string, old, by state.Value) (state.Value, error) {
	amount, err := state.Type{Kind: state.Decimal, Places: state.MaxPlaces}.Check(by)
	if err != nil {
		return nil, err
	}
	x, y, out := state.Number(old), state.Number(amount), new(big.Rat)
	if x == nil {
		return nil, fmt.Errorf("only numbers %s", how)
	}
	switch how {
	case "gain":
		out.Add(x, y)
	case "lose":
		out.Sub(x, y)
	default:
		out.Mul(x, y)
	}
	return state.NewDecimal(out)
}

// rowsOf finds the rows whose cells an amendment changes, as they are now.
func (r *run) rowsOf(t *declare.Table, cells amendment.Cells) (rows []int64, err error) {
	if cells.Where == nil {
		if !r.w.state.Has(t.Name, cells.Row) {
			return nil, fmt.Errorf("there is no %s %d", t.One, cells.Row)
		}
		return []int64{cells.Row}, nil
	}
	if cells.Row != 0 {
		return nil, fmt.Errorf("it names a row and those that fit a condition")
	}
	var conditions []condition
	for _, name := range slices.Sorted(maps.Keys(cells.Where)) {
		c := condition{name, cells.Where[name]}
		if !t.Has(name) {
			return nil, fmt.Errorf("a %s has no column %s", t.One, name)
		}
		if column := t.Column(name); column != nil {
			if c.want, err = r.w.fit(column, c.want); err != nil { // a wrong name would fit nothing and nobody would see why
				return nil, fmt.Errorf("%s: %w", column.Title, err)
			}
		}
		conditions = append(conditions, c)
	}
	err = r.selectRows(t, conditions, func(on *row) bool { rows = append(rows, on.id); return true })
	return rows, err
}

// amendCells carries out a change of cells. The rows are chosen before the first is changed.
func (r *run) amendCells(change cellChange) error {
	t := r.w.decl.Tables[change.Table]
	if t == nil || t.Column(change.Column) == nil {
		return fmt.Errorf("there is no column %s in %s", change.Column, change.Table)
	}
	c := t.Column(change.Column)
	if c.Sealed {
		return fmt.Errorf("only the kernel sets %s", c.Name)
	}
	rows, err := r.rowsOf(t, change.Cells)
	if err != nil {
		return err
	}
	for _, id := range rows {
		if !r.w.state.Has(t.Name, id) {
			continue // a rule took it out when another changed
		}
		v, err := change.becomes(r.w.cell(t.Name, id, c))
		if err != nil {
			return fmt.Errorf("%s: %w", c.Title, err)
		}
		if err := r.setCell(t.Name, id, c, v); err != nil {
			return err
		}
	}
	return nil
}

// touchedCells tells which cells an amendment would change and to what; of a condition that nothing fits, the column alone.
func (w *World) touchedCells(change cellChange) []touch {
	in := w.touchedCell("set", change.Table, change.Column)
	in.row = change.Row
	t := w.decl.Tables[change.Table]
	if t == nil {
		return []touch{in}
	}
	rows, err := w.run.rowsOf(t, change.Cells)
	if err != nil || len(rows) == 0 {
		rows = []int64{change.Row}
	}
	out := make([]touch, len(rows))
	for i, id := range rows {
		out[i] = in
		out[i].row = id
		var old state.Value
		if c := t.Column(change.Column); c != nil && id != 0 {
			old = w.cell(t.Name, id, c)
		}
		if v, err := change.becomes(old); err == nil {
			out[i].value = v
		}
	}
	return out
}
