package rules

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"go.starlark.net/starlark"

	"peernomic/engine/rules/declare"
	"peernomic/engine/rules/internal/convert"
	"peernomic/engine/state"
)

func runPlayers(t *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	return listPeople(t, b, args, kwargs, func(w *World, id int64) bool { return w.text(tablePlayers, id, "standing") == StandingPlayer })
}

func runEveryone(t *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	return listPeople(t, b, args, kwargs, func(*World, int64) bool { return true })
}

func listPeople(t *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple, ok func(*World, int64) bool) (starlark.Value, error) {
	if err := starlark.UnpackArgs(b.Name(), args, kwargs); err != nil {
		return nil, err
	}
	r, err := running(t, b)
	if err != nil {
		return nil, err
	}
	var out []starlark.Value
	for _, id := range r.w.state.Rows(tablePlayers) {
		if ok(r.w, id) {
			out = append(out, &row{w: r.w, table: tablePlayers, id: id})
		}
	}
	return starlark.NewList(out), r.meter.Spend(uint64(len(out)))
}

// selectRows calls yield with the rows of a table that match, until it returns false.
func selectRows(t *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple, yield func(*row) bool) error {
	var table string
	if err := starlark.UnpackPositionalArgs(b.Name(), args, nil, 1, &table); err != nil {
		return err
	}
	r, err := running(t, b)
	if err != nil {
		return err
	}
	decl := r.w.decl.Tables[table]
	if decl == nil {
		return fmt.Errorf("%s: there is no table %s", b.Name(), table)
	}
	type condition struct {
		name string
		c    *declare.Column
		want state.Value
		row  starlark.Value
	}
	var conditions []condition
	for _, kw := range kwargs {
		name := string(kw[0].(starlark.String))
		c := decl.Column(name)
		if c == nil && name != "id" && decl.Derivation(name) == nil {
			return fmt.Errorf("%s: a %s has no column %s", b.Name(), decl.One, name)
		}
		want, err := convert.Plain(kw[1])
		if err != nil {
			return fmt.Errorf("%s: %s: %w", b.Name(), name, err)
		}
		conditions = append(conditions, condition{name, c, want, kw[1]})
	}
rows:
	for _, id := range r.w.state.Rows(table) {
		if err := r.meter.Spend(1 + uint64(len(conditions))); err != nil {
			return err
		}
		on := &row{w: r.w, table: table, id: id}
		for _, c := range conditions {
			switch {
			case c.name == "id":
				if c.want != id {
					continue rows
				}
			case c.c != nil:
				if !state.Equal(r.w.cell(table, id, c.c), c.want) {
					continue rows
				}
			default:
				v, err := on.Attr(c.name)
				if err != nil {
					return err
				}
				if same, err := starlark.Equal(v, c.row); err != nil || !same {
					continue rows
				}
			}
		}
		if !yield(on) {
			return nil
		}
	}
	return nil
}

func runRows(t *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var out []starlark.Value
	err := selectRows(t, b, args, kwargs, func(r *row) bool { out = append(out, r); return true })
	return starlark.NewList(out), err
}

func runFind(t *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var out starlark.Value = starlark.None
	err := selectRows(t, b, args, kwargs, func(r *row) bool { out = r; return false })
	return out, err
}

func runCreate(t *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var table string
	if err := starlark.UnpackPositionalArgs(b.Name(), args, nil, 1, &table); err != nil {
		return nil, err
	}
	r, err := writing(t, b)
	if err != nil {
		return nil, err
	}
	values := map[string]any{}
	for _, kw := range kwargs {
		v, err := convert.Plain(kw[1])
		if err != nil {
			return nil, fmt.Errorf("%s: %s: %w", b.Name(), kw[0], err)
		}
		values[string(kw[0].(starlark.String))] = v
	}
	id, err := r.create(table, values)
	if err != nil {
		return nil, err
	}
	return &row{w: r.w, table: table, id: id}, nil
}

// create makes a row of a table that a rule declared.
func (r *run) create(table string, values map[string]any) (int64, error) {
	decl := r.w.decl.Tables[table]
	if decl == nil || decl.Kernel {
		return 0, fmt.Errorf("there is no table %s to add a row to", table)
	}
	if names := unknown(decl, values); names != "" {
		return 0, fmt.Errorf("a %s has no column %s", decl.One, names)
	}
	id, err := r.w.state.Create(table)
	if err != nil {
		return 0, &Refusal{Code: CodeLimit, Reason: err.Error()}
	}
	shown := map[string]any{}
	for _, c := range decl.Columns {
		v, ok := values[c.Name]
		if !ok {
			continue
		}
		fitted, err := r.w.fit(c, v)
		if err != nil {
			return 0, &Refusal{Code: CodeIllegal, Reason: fmt.Sprintf("%s: %s", c.Title, err)}
		}
		if err := r.w.state.Set(table, id, c.Name, fitted); err != nil {
			return 0, &Refusal{Code: CodeLimit, Reason: err.Error()}
		}
		shown[c.Name] = fitted
	}
	r.changed(Change{Op: ChangeCreate, Table: table, Row: id, New: shown})
	return id, nil
}

func runRemove(t *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var on *row
	if err := starlark.UnpackArgs(b.Name(), args, kwargs, "row", &on); err != nil {
		return nil, err
	}
	r, err := writing(t, b)
	if err != nil {
		return nil, err
	}
	return starlark.None, r.remove(on.table, on.id)
}

func (r *run) remove(table string, id int64) error {
	decl := r.w.decl.Tables[table]
	if decl == nil || decl.Kernel {
		return fmt.Errorf("rows of %s cannot be removed", table)
	}
	old := map[string]any{}
	for _, c := range decl.Columns {
		old[c.Name] = r.w.cell(table, id, c)
	}
	label := r.w.label(table, id)
	if err := r.w.state.Remove(table, id); err != nil {
		return err
	}
	r.changes = append(r.changes, Change{Op: ChangeRemove, Table: table, Row: id, Old: old, Rule: r.w.expandWords(r.rule), Label: label})
	return nil
}

func runSetattr(t *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var on starlark.HasSetField
	var name string
	var v starlark.Value
	if err := starlark.UnpackArgs(b.Name(), args, kwargs, "row", &on, "column", &name, "value", &v); err != nil {
		return nil, err
	}
	return starlark.None, on.SetField(name, v)
}

func runReset(t *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var of starlark.Value
	var keep, rules starlark.Iterable
	if err := starlark.UnpackArgs(b.Name(), args, kwargs, "row", &of, "keep?", &keep, "rules?", &rules); err != nil {
		return nil, err
	}
	r, err := writing(t, b)
	if err != nil {
		return nil, err
	}
	var on *row
	switch of := of.(type) {
	case *row:
		on = of
	case *gameObject:
		on = of.row()
	default:
		return nil, fmt.Errorf("%s: a row or the game is needed, not %s", b.Name(), of.Type())
	}
	kept, err := textSet(keep)
	if err != nil {
		return nil, fmt.Errorf("%s: keep: %w", b.Name(), err)
	}
	named, err := textSet(rules)
	if err != nil {
		return nil, fmt.Errorf("%s: rules: %w", b.Name(), err)
	}
	if decl := r.w.decl.Tables[on.table]; decl != nil {
		for _, c := range decl.Columns {
			if c.Rule == "" || kept[c.Name] || rules != nil && !named[c.Rule] {
				continue
			}
			if err := r.w.setCell(r, on.table, on.id, c, c.Initial); err != nil {
				return nil, err
			}
		}
	}
	return starlark.None, nil
}

func textSet(texts starlark.Iterable) (map[string]bool, error) {
	set := map[string]bool{}
	if texts == nil {
		return set, nil
	}
	list, err := convert.Texts(texts)
	for _, s := range list {
		set[s] = true
	}
	return set, err
}

// unknown lists the names among values that are no columns, in order.
func unknown(t *declare.Table, values map[string]any) string {
	names := slices.DeleteFunc(slices.Sorted(maps.Keys(values)), func(name string) bool { return t.Column(name) != nil })
	return strings.Join(names, ", ")
}
