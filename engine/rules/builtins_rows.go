package rules

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"go.starlark.net/starlark"

	"peernomic/engine/rules/declare"
	"peernomic/engine/rules/internal/convert"
	"peernomic/engine/rules/sandbox"
	"peernomic/engine/state"
)

func runPlayers(call *invocation) (starlark.Value, error) {
	return listPeople(call, func(w *World, id int64) bool { return w.text(tablePlayers, id, "standing") == StandingPlayer })
}

func runEveryone(call *invocation) (starlark.Value, error) {
	return listPeople(call, func(*World, int64) bool { return true })
}

func listPeople(call *invocation, ok func(*World, int64) bool) (starlark.Value, error) {
	if err := call.Unpack(); err != nil {
		return nil, err
	}
	var out []starlark.Value
	for _, id := range call.w.state.Rows(tablePlayers) {
		if ok(call.w, id) {
			out = append(out, &row{w: call.w, table: tablePlayers, id: id})
		}
	}
	return starlark.NewList(out), call.meter.Spend(uint64(len(out)))
}

// askedRows calls yield with the rows that a call of rows() or find() asks for, until it returns false.
func askedRows(call *invocation, yield func(*row) bool) error {
	var table string
	if err := starlark.UnpackPositionalArgs(call.Name, call.Args, nil, 1, &table); err != nil {
		return err
	}
	decl := call.w.decl.Tables[table]
	if decl == nil {
		return call.Wrong("there is no table %s", table)
	}
	var conditions []condition
	for _, kw := range call.Kwargs {
		name := string(kw[0].(starlark.String))
		if !decl.Has(name) {
			return call.Wrong("a %s has no column %s", decl.One, name)
		}
		want, err := convert.Plain(kw[1])
		if err != nil {
			return call.Wrong("%s: %w", name, err)
		}
		conditions = append(conditions, condition{name, want})
	}
	return call.selectRows(decl, conditions, yield)
}

// condition is what a row has in a column.
type condition struct {
	name string
	want state.Value
}

// selectRows calls yield with the rows of a table that meet all conditions, until it returns false.
func (r *run) selectRows(decl *declare.Table, conditions []condition, yield func(*row) bool) error {
rows:
	for _, id := range r.w.state.Rows(decl.Name) {
		if err := r.meter.Spend(1 + uint64(len(conditions))); err != nil {
			return err
		}
		on := &row{w: r.w, table: decl.Name, id: id}
		for _, c := range conditions {
			var has state.Value = id
			if column := decl.Column(c.name); column != nil {
				has = r.w.cell(decl.Name, id, column)
			} else if d := decl.Derivation(c.name); d != nil {
				v, err := r.w.derive(d, on)
				if err != nil {
					return err
				}
				if has, err = convert.Plain(v); err != nil {
					continue rows // no cell could keep it, so nobody can ask for it
				}
			}
			if !state.Equal(has, c.want) {
				continue rows
			}
		}
		if !yield(on) {
			return nil
		}
	}
	return nil
}

func runRows(call *invocation) (starlark.Value, error) {
	var out []starlark.Value
	err := askedRows(call, func(r *row) bool { out = append(out, r); return true })
	return starlark.NewList(out), err
}

func runFind(call *invocation) (starlark.Value, error) {
	var out starlark.Value = starlark.None
	err := askedRows(call, func(r *row) bool { out = r; return false })
	return out, err
}

func runCreate(call *invocation) (starlark.Value, error) {
	var table string
	if err := starlark.UnpackPositionalArgs(call.Name, call.Args, nil, 1, &table); err != nil {
		return nil, err
	}
	values := map[string]any{}
	for _, kw := range call.Kwargs {
		v, err := convert.Plain(kw[1])
		if err != nil {
			return nil, call.Wrong("%s: %w", kw[0], err)
		}
		values[string(kw[0].(starlark.String))] = v
	}
	id, err := call.create(table, values)
	if err != nil {
		return nil, err
	}
	return &row{w: call.w, table: table, id: id}, nil
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

func runRemove(call *invocation) (starlark.Value, error) {
	var on *row
	if err := call.Unpack("row", &on); err != nil {
		return nil, err
	}
	return starlark.None, call.remove(on.table, on.id)
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

func runSetattr(call *sandbox.Invocation) (starlark.Value, error) {
	var on starlark.HasSetField
	var name string
	var v starlark.Value
	if err := call.Unpack("row", &on, "column", &name, "value", &v); err != nil {
		return nil, err
	}
	return starlark.None, on.SetField(name, v)
}

func runReset(call *invocation) (starlark.Value, error) {
	var of starlark.Value
	var keep, rules starlark.Iterable
	if err := call.Unpack("row", &of, "keep?", &keep, "rules?", &rules); err != nil {
		return nil, err
	}
	var on *row
	switch of := of.(type) {
	case *row:
		on = of
	case *gameObject:
		on = of.row()
	default:
		return nil, call.Wrong("a row or the game is needed, not %s", of.Type())
	}
	kept, err := textSet(keep)
	if err != nil {
		return nil, call.Wrong("keep: %w", err)
	}
	named, err := textSet(rules)
	if err != nil {
		return nil, call.Wrong("rules: %w", err)
	}
	if decl := call.w.decl.Tables[on.table]; decl != nil {
		for _, c := range decl.Columns {
			if c.Rule == "" || kept[c.Name] || rules != nil && !named[c.Rule] {
				continue
			}
			if err := call.setCell(on.table, on.id, c, c.Initial); err != nil {
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
