package rules

import (
	"fmt"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"peernomic/engine/rules/declare"
	"peernomic/engine/rules/internal/convert"
	"peernomic/engine/rules/sandbox"
	"peernomic/engine/secret"
	"peernomic/engine/state"
)

// row is a row of a table as scripts hold it. Reading an attribute reads the
// cell as it is now; assigning to one writes it. A script may hold a row that is gone: then reading fails.
type row struct {
	w     *World
	table string
	id    int64
}

var (
	_ starlark.HasSetField = (*row)(nil)
	_ starlark.Comparable  = (*row)(nil)
)

func (r *row) String() string {
	if name := r.w.label(r.table, r.id); name != "" && len(name) <= sandbox.MaxHostText {
		return name
	}
	return fmt.Sprintf("%s %d", r.table, r.id)
}
func (r *row) Type() string         { return "row" }
func (r *row) Freeze()              {}
func (r *row) Truth() starlark.Bool { return true }
func (r *row) Hash() (uint32, error) {
	h, err := starlark.String(r.table).Hash()
	return h ^ uint32(r.id), err
}

// Cell is what a cell keeps of it.
func (r *row) Cell() state.Value { return r.id }

// CompareSameType orders rows of one table by id and finds rows of two tables
// unequal.
func (r *row) CompareSameType(op syntax.Token, y starlark.Value, _ int) (bool, error) {
	o := y.(*row)
	same := r.table == o.table && r.id == o.id
	switch op {
	case syntax.EQL:
		return same, nil
	case syntax.NEQ:
		return !same, nil
	}
	if r.table != o.table {
		return false, fmt.Errorf("rows of %s and %s have no order", r.table, o.table)
	}
	switch op {
	case syntax.LT:
		return r.id < o.id, nil
	case syntax.LE:
		return r.id <= o.id, nil
	case syntax.GT:
		return r.id > o.id, nil
	default:
		return r.id >= o.id, nil
	}
}

func (r *row) AttrNames() []string {
	names := []string{"id", "table"}
	if t := r.w.decl.Tables[r.table]; t != nil {
		for _, c := range t.Columns {
			names = append(names, c.Name)
		}
		for _, d := range t.Derived {
			names = append(names, d.Name)
		}
	}
	return names
}

func (r *row) Attr(name string) (starlark.Value, error) {
	switch name {
	case "id":
		return starlark.MakeInt64(r.id), nil
	case "table":
		return starlark.String(r.table), nil
	}
	if r.w.run == nil {
		return nil, errOnlyDeclares // it is the name game: no other row can be had there
	}
	t := r.w.decl.Tables[r.table]
	if t == nil {
		return nil, fmt.Errorf("the table %s is not in the rules any more", r.table)
	}
	if !r.w.state.Has(r.table, r.id) {
		return nil, fmt.Errorf("this %s is gone", t.One)
	}
	if c := t.Column(name); c != nil {
		return r.w.toStarlark(r.w.cell(r.table, r.id, c), c.Type.Plain), nil
	}
	if d := t.Derivation(name); d != nil {
		return r.w.derive(d, r)
	}
	return nil, nil // no such attribute
}

func (r *row) SetField(name string, v starlark.Value) error {
	run := r.w.run
	if run == nil {
		return errOnlyDeclares
	}
	if run.readOnly {
		return fmt.Errorf("nothing can be changed here: this function only looks")
	}
	t := r.w.decl.Tables[r.table]
	if t == nil {
		return fmt.Errorf("the table %s is not in the rules any more", r.table)
	}
	c := t.Column(name)
	if c == nil {
		if t.Derivation(name) != nil {
			return fmt.Errorf("%s is computed and cannot be set", name)
		}
		return starlark.NoSuchAttrError(fmt.Sprintf("a %s has no column %s", t.One, name))
	}
	if c.Sealed {
		return fmt.Errorf("only the kernel sets %s", name)
	}
	value, err := convert.Plain(v)
	if err != nil {
		return fmt.Errorf("%s of %s: %w", name, r, err)
	}
	return run.setCell(r.table, r.id, c, value)
}

// gameObject is the name game in scripts: the game's variables as attributes. There is one for a world, which all scripts
// share, also while they load.
type gameObject struct{ w *World }

var _ starlark.HasSetField = (*gameObject)(nil)

func (g *gameObject) String() string        { return "game" }
func (g *gameObject) Type() string          { return "game" }
func (g *gameObject) Freeze()               {}
func (g *gameObject) Truth() starlark.Bool  { return true }
func (g *gameObject) Hash() (uint32, error) { return 0, fmt.Errorf("game cannot be a key") }
func (g *gameObject) row() *row             { return &row{w: g.w, table: tableGame, id: gameRow} }
func (g *gameObject) AttrNames() []string   { return g.row().AttrNames() }
func (g *gameObject) Attr(name string) (starlark.Value, error) {
	return g.row().Attr(name)
}
func (g *gameObject) SetField(name string, v starlark.Value) error {
	return g.row().SetField(name, v)
}

// toStarlark gives a cell's value to a script. Lists and dicts are frozen: a change of them would look like a change of the
// cell, and be none. A script assigns to the cell instead.
func (w *World) toStarlark(v state.Value, t state.Type) starlark.Value {
	if t.Kind == state.Ref {
		id, ok := v.(int64)
		if !ok || !w.state.Has(t.Table, id) {
			return starlark.None
		}
		return &row{w: w, table: t.Table, id: id}
	}
	switch t.Kind {
	case state.Secret:
		kept, err := secret.Parse(v)
		if err != nil {
			return starlark.None // none was set
		}
		return &sealedValue{w, *t.Of, kept}
	case state.Opening:
		opening, err := secret.ParseOpening(v)
		if err != nil {
			return starlark.None
		}
		return &openingValue{opening}
	}
	out := convert.Starlark(v)
	out.Freeze()
	return out
}

// cell returns a cell's value: what was set, or the column's default.
func (w *World) cell(table string, id int64, c *declare.Column) state.Value {
	if c.Computed {
		return w.computed(table, id)
	}
	if v, ok := w.state.Get(table, id, c.Name); ok {
		return v
	}
	return c.Initial
}

// computed returns the cell that the kernel computes in a row of its own tables; each of them has one column of the kind.
func (w *World) computed(table string, id int64) state.Value {
	switch table {
	case tablePosts:
		return w.postFingerprint(id)
	case tableComments:
		return w.iconsOf(id)
	default:
		return w.ruleFingerprint(id)
	}
}

// setCell checks and writes a cell, logs the change and sets off what listens to it.
func (r *run) setCell(table string, id int64, c *declare.Column, value state.Value) error {
	w := r.w
	old := w.cell(table, id, c)
	checked, err := w.fit(c, value)
	if err != nil {
		return &Refusal{Code: CodeIllegal, Reason: fmt.Sprintf("%s: %s", c.Title, err)}
	}
	if state.Equal(old, checked) {
		if _, set := w.state.Get(table, id, c.Name); set {
			return nil
		}
	}
	if err := w.state.Set(table, id, c.Name, checked); err != nil {
		return &Refusal{Code: CodeLimit, Reason: err.Error()}
	}
	if state.Equal(old, checked) {
		return nil
	}
	r.changed(Change{Op: ChangeSet, Table: table, Row: id, Column: c.Name, Old: old, New: checked})
	return r.fireChange(table, id, c, old, checked)
}

// fit brings a value into a column: clamped if the column says so, refused if it
// is illegal.
func (w *World) fit(c *declare.Column, value state.Value) (state.Value, error) {
	t, err := w.resolveType(c.Type)
	if err != nil {
		return nil, err
	}
	if c.Clamp {
		value = t.Clamp(value)
	}
	v, err := t.Check(value)
	if err != nil {
		return nil, err
	}
	if id, ok := v.(int64); ok && t.Kind == state.Ref && !w.state.Has(t.Table, id) {
		return nil, fmt.Errorf("there is no row %d in %s", id, t.Table)
	}
	return v, nil
}

// resolveType fills in the choices of a type that computes them.
func (w *World) resolveType(t *declare.Type) (state.Type, error) {
	if t.Choices == nil {
		return t.Plain, nil
	}
	v, err := w.look(t.Choices, nil)
	if err != nil {
		return t.Plain, err
	}
	typ := t.Plain
	typ.Choices, err = convert.Texts(v)
	return typ, err
}
