package declare

import (
	"fmt"
	"strings"

	"go.starlark.net/starlark"

	"peernomic/engine/rules/document"
	"peernomic/engine/rules/internal/convert"
	"peernomic/engine/rules/sandbox"
	"peernomic/engine/state"
)

// Column is a column of a table. A cell that was never set has Initial, which is of the Type unless the type's choices are
// computed.
type Column struct {
	Name, Title, Doc string
	Type             *Type
	Initial          state.Value
	Clamp            bool // illegal numbers are brought into range instead of refused
	Edit             bool // players may edit it by hand
	Sealed           bool // only the kernel sets it
	Hidden           bool // not shown in the tracker
	Computed         bool // by the kernel, whenever it is read
	Origin
}

// Derivation is a column that the rule computes whenever it is read.
type Derivation struct {
	Name, Title string
	Hook
}

// Table is a table as the rules declare it. No two columns, derived or not, have one name.
type Table struct {
	Name, Title, One string
	Columns          []*Column
	Derived          []*Derivation
	Label            starlark.Callable // names a row for people; may be nil
	Kernel           bool              // rules neither add nor remove its rows
	Hidden           bool              // not shown in the tracker
	Origin
}

// Column returns the column with a name, or nil.
func (t *Table) Column(name string) *Column {
	for _, c := range t.Columns {
		if c.Name == name {
			return c
		}
	}
	return nil
}

// Derivation returns the derived column with a name, or nil.
func (t *Table) Derivation(name string) *Derivation {
	for _, d := range t.Derived {
		if d.Name == name {
			return d
		}
	}
	return nil
}

// Has reports whether rows have an attribute with a name: a column, a derived one, or their id.
func (t *Table) Has(name string) bool {
	return name == "id" || t.Column(name) != nil || t.Derivation(name) != nil
}

// unpackColumn reads the arguments of field(), column() and variable().
func unpackColumn(call *sandbox.Invocation) (*Column, error) {
	c := &Column{}
	var typ starlark.Value
	var initial starlark.Value
	illegal, show := "refuse", true
	if err := call.Unpack("name", &c.Name, "type", &typ, "default?", &initial, "title?", &c.Title,
		"doc?", &c.Doc, "illegal?", &illegal, "edit?", &c.Edit, "show?", &show); err != nil {
		return nil, err
	}
	if err := checkName(c.Name); err != nil {
		return nil, call.Wrong("%w", err)
	}
	t, ok := typ.(*Type)
	if !ok {
		return nil, call.Wrong("the type of %s must be one such as integer() or text(), not %s", c.Name, typ.Type())
	}
	c.Type, c.Hidden = t, !show
	switch illegal {
	case "refuse":
	case "clamp":
		c.Clamp = true
	default:
		return nil, call.Wrong(`illegal must be "refuse" or "clamp", not %q`, illegal)
	}
	if c.Title == "" {
		c.Title = titleOf(c.Name)
	}
	c.Initial = t.Plain.Zero()
	if initial != nil && initial != starlark.None {
		v, err := convert.Plain(initial)
		if err != nil {
			return nil, call.Wrong("default of %s: %w", c.Name, err)
		}
		if t.Choices == nil {
			if v, err = t.Plain.Check(v); err != nil {
				return nil, call.Wrong("default of %s: %w", c.Name, err)
			}
		}
		c.Initial = v
	}
	return c, nil
}

// addColumn declares a column of one of the kernel's tables.
func addColumn(call *declaration, table string) error {
	c, err := unpackColumn(call.Invocation)
	if err != nil {
		return err
	}
	on := call.decl.Tables[table]
	if on.Column(c.Name) != nil || on.Derivation(c.Name) != nil || ReservedNames[c.Name] {
		return call.Wrong("there is a %s already", c.Name)
	}
	c.Origin = call.origin()
	on.Columns = append(on.Columns, c)
	return nil
}

func declareColumn(call *declaration) error { return addColumn(call, PlayersTable) }

func declareVariable(call *declaration) error { return addColumn(call, GameTable) }

// fieldValue is what field() returns.
type fieldValue struct{ Column }

func (f *fieldValue) String() string { return f.Name }

func (f *fieldValue) Type() string { return "field" }

func (f *fieldValue) Freeze() {}

func (f *fieldValue) Truth() starlark.Bool { return true }

func (f *fieldValue) Hash() (uint32, error) { return 0, fmt.Errorf("a field cannot be a key") }

func makeField(call *sandbox.Invocation) (starlark.Value, error) {
	c, err := unpackColumn(call)
	if err != nil {
		return nil, err
	}
	rule := call.Thread.Name
	c.Origin = Origin{Rule: rule, Line: lineIn(call.Thread, rule)}
	return &fieldValue{*c}, nil
}

func declareTable(call *declaration) error {
	d := &Table{Origin: call.origin()}
	var columns starlark.Iterable
	show, edit := true, false
	var label starlark.Value
	if err := call.Unpack("name", &d.Name, "columns", &columns, "title?", &d.Title, "one?", &d.One, "label?", &label, "show?", &show, "edit?", &edit); err != nil {
		return err
	}
	if err := checkName(d.Name); err != nil {
		return call.Wrong("%w", err)
	}
	if call.decl.Tables[d.Name] != nil {
		return call.Wrong("there is a table %s already", d.Name)
	}
	var err error
	if d.Label, err = optionalFunction(call.Invocation, "label", label); err != nil {
		return err
	}
	for e := range starlark.Elements(columns) {
		f, ok := e.(*fieldValue)
		if !ok {
			return call.Wrong("columns must be made with field(), not %s", e.Type())
		}
		if d.Column(f.Name) != nil || ReservedNames[f.Name] {
			return call.Wrong("there is a column %s already", f.Name)
		}
		c := f.Column
		if c.Rule != call.rule { // a list of columns that another rule made
			c.Origin = d.Origin
		}
		c.Edit = c.Edit || edit
		d.Columns = append(d.Columns, &c)
	}
	if d.Title == "" {
		d.Title = titleOf(d.Name)
	}
	if d.One == "" {
		d.One = strings.TrimSuffix(d.Title, "s")
	}
	d.Hidden = !show
	call.decl.Tables[d.Name] = d
	call.decl.TableOrder = append(call.decl.TableOrder, d.Name)
	return nil
}

func declareDerived(call *declaration) error {
	var table string
	d := &Derivation{Hook: Hook{Origin: call.origin()}}
	if err := call.Unpack("table", &table, "name", &d.Name, "fn", &d.Fn, "title?", &d.Title); err != nil {
		return err
	}
	if err := checkName(d.Name); err != nil {
		return call.Wrong("%w", err)
	}
	on := call.decl.Tables[table]
	if on == nil {
		return call.Wrong("there is no table %s (rules load in their order; use load() to have another rule first)", table)
	}
	if on.Column(d.Name) != nil || on.Derivation(d.Name) != nil || ReservedNames[d.Name] {
		return call.Wrong("%s has a column %s already", table, d.Name)
	}
	if d.Title == "" {
		d.Title = titleOf(d.Name)
	}
	on.Derived = append(on.Derived, d)
	return nil
}

// ReservedNames cannot be columns, because every row has them.
var ReservedNames = map[string]bool{"id": true, "table": true}

// checkName reports why a name cannot be one that scripts write.
func checkName(name string) error {
	if name == "" || len(name) > document.MaxTitle {
		return fmt.Errorf("a name of 1 to %d letters is needed", document.MaxTitle)
	}
	for i, r := range name {
		if r == '_' || r >= 'a' && r <= 'z' || i > 0 && r >= '0' && r <= '9' {
			continue
		}
		return fmt.Errorf("the name %q may have small letters, digits and _ only; titles are free", name)
	}
	return nil
}

// titleOf makes a title of a name: "spare_parts" becomes "Spare parts".
func titleOf(name string) string {
	s := strings.ReplaceAll(name, "_", " ")
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}
