package scenario

import (
	"fmt"

	"peernomic/engine/rules"
	"peernomic/engine/state"
)

// person finds somebody by name.
func (r *runner) person(name string) (int64, error) {
	for _, id := range r.world.Rows("players") {
		if n, _ := r.world.Cell("players", id, "name"); n == name {
			return id, nil
		}
	}
	return 0, fmt.Errorf("there is nobody called %s", name)
}

// rows finds the rows that a cell's name means.
func (r *runner) rows(c cell) (table string, ids []int64, err error) {
	switch {
	case c.root == "game":
		return "game", r.world.Rows("game"), nil
	case c.table == "":
		id, err := r.person(c.root)
		return "players", []int64{id}, err
	}
	if !r.world.HasTable(c.table) {
		return "", nil, fmt.Errorf("there is no table %s", c.table)
	}
	for _, id := range r.world.Rows(c.table) {
		matches := true
		for _, w := range c.where {
			v, err := r.cellValue(c.table, id, w.key)
			if err != nil {
				return "", nil, err
			}
			ok, _, err := r.compare(c.table, w.key, v, test{w.key, "=", w.val})
			if err != nil {
				return "", nil, err
			}
			if !ok {
				matches = false
				break
			}
		}
		if matches {
			ids = append(ids, id)
		}
	}
	return c.table, ids, nil
}

// one finds the single row that a cell's name means.
func (r *runner) one(c cell) (table string, id int64, err error) {
	table, ids, err := r.rows(c)
	if err != nil {
		return "", 0, err
	}
	if len(ids) != 1 {
		return "", 0, fmt.Errorf("%d rows of %s are meant, not one", len(ids), table)
	}
	return table, ids[0], nil
}

func (r *runner) cellValue(table string, id int64, column string) (any, error) {
	if column == "id" {
		return id, nil
	}
	v, ok := r.world.Cell(table, id, column)
	if !ok {
		return nil, fmt.Errorf("%s have no column %s", table, column)
	}
	return v, nil
}

func (r *runner) read(c cell) (any, error) {
	table, id, err := r.one(c)
	if err != nil {
		return nil, err
	}
	return r.cellValue(table, id, c.column)
}

// arguments resolves what an action is given, by the types of its parameters.
func (r *runner) arguments(s act) (map[string]any, error) {
	args, err := r.resolveAll(s.args, r.world.ActionTypes(s.action))
	if err == nil && s.action == rules.ActionDecide {
		r.chooseByLabel(s, args)
	}
	return args, err
}

func (r *runner) resolveAll(given []argument, types map[string]state.Type) (map[string]any, error) {
	args := map[string]any{}
	for _, a := range given {
		t := types[a.key]
		if t.Of != nil { // what a secret says
			t = *t.Of
		}
		v, err := r.resolve(a.val, t.Kind, t.Table)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", a.key, err)
		}
		args[a.key] = v
	}
	return args, nil
}

// resolve turns a value as written into one of a type; an empty kind stands for any.
func (r *runner) resolve(v value, kind state.Kind, table string) (any, error) {
	switch v.kind {
	case variable:
		kept, ok := r.kept[v.text]
		if !ok {
			return nil, fmt.Errorf("$%s has not been set", v.text)
		}
		return kept, nil
	case listing:
		list := make([]any, len(v.list))
		for i, e := range v.list {
			var err error
			if list[i], err = r.resolve(e, "", ""); err != nil {
				return nil, err
			}
		}
		return list, nil
	case block:
		if v.amendments != nil {
			return r.amendments(v.amendments)
		}
		return v.text, nil
	}
	switch kind {
	case state.Ref:
		return r.reference(v, table)
	case state.Integer, state.Moment:
		if v.kind == number {
			return v.number, nil
		}
		if v.kind == word && v.text == "none" {
			return nil, nil
		}
	case state.Decimal:
		if v.kind == word {
			return state.ParseDecimal(v.text)
		}
	case state.Text, state.Prose, state.Choice:
		return v.text, nil
	}
	return literal(v), nil
}

// literal is what a value means by itself.
func literal(v value) any {
	switch {
	case v.kind == number:
		return v.number
	case v.kind == word && v.text == "none":
		return nil
	case v.kind == word && (v.text == "yes" || v.text == "true"):
		return true
	case v.kind == word && (v.text == "no" || v.text == "false"):
		return false
	default:
		return v.text
	}
}

// reference finds a row by its name or label, or by its number.
func (r *runner) reference(v value, table string) (any, error) {
	switch {
	case v.kind == number:
		return v.number, nil
	case v.kind == word && v.text == "none":
		return nil, nil
	}
	// The newest of several, as people mean it.
	ids := r.world.Rows(table)
	for i := len(ids) - 1; i >= 0; i-- {
		if r.world.Label(table, ids[i]) == v.text {
			return ids[i], nil
		}
	}
	return nil, fmt.Errorf("there is no %q among the %s", v.text, table)
}

// columnType returns the kind of a column and, for references, their table.
func (r *runner) columnType(table, column string) (state.Kind, string) {
	t, ok := r.world.ColumnType(table, column)
	if !ok {
		return "", ""
	}
	return t.Kind, t.Table
}
