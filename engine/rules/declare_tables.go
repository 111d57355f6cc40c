package rules

import (
	"fmt"
	"strings"

	"go.starlark.net/starlark"

	"peernomic/engine/rules/document"
	"peernomic/engine/rules/internal/convert"
)

func unpackColumn(b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (*column, error) {
	c := &column{}
	var typ starlark.Value
	var initial starlark.Value
	illegal, show := "refuse", true
	if err := starlark.UnpackArgs(b.Name(), args, kwargs, "name", &c.name, "type", &typ, "default?", &initial, "title?", &c.title,
		"doc?", &c.doc, "illegal?", &illegal, "edit?", &c.edit, "show?", &show); err != nil {
		return nil, err
	}
	if err := checkName(c.name); err != nil {
		return nil, fmt.Errorf("%s: %w", b.Name(), err)
	}
	t, ok := typ.(*typeValue)
	if !ok {
		return nil, fmt.Errorf("%s: the type of %s must be one such as integer() or text(), not %s", b.Name(), c.name, typ.Type())
	}
	c.typ, c.hidden = t, !show
	switch illegal {
	case "refuse":
	case "clamp":
		c.clamp = true
	default:
		return nil, fmt.Errorf(`%s: illegal must be "refuse" or "clamp", not %q`, b.Name(), illegal)
	}
	if c.title == "" {
		c.title = titleOf(c.name)
	}
	c.initial = t.typ.Zero()
	if initial != nil && initial != starlark.None {
		v, err := convert.Plain(initial)
		if err != nil {
			return nil, fmt.Errorf("%s: default of %s: %w", b.Name(), c.name, err)
		}
		if t.choices == nil {
			if v, err = t.typ.Check(v); err != nil {
				return nil, fmt.Errorf("%s: default of %s: %w", b.Name(), c.name, err)
			}
		}
		c.initial = v
	}
	return c, nil
}

func addColumn(t *starlark.Thread, l *loading, b *starlark.Builtin, table string, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	c, err := unpackColumn(b, args, kwargs)
	if err != nil {
		return nil, err
	}
	on := l.decl.tables[table]
	if on.column(c.name) != nil || on.derivation(c.name) != nil || reservedNames[c.name] {
		return nil, fmt.Errorf("%s: there is a %s already", b.Name(), c.name)
	}
	c.origin = l.origin(t)
	on.columns = append(on.columns, c)
	return starlark.None, nil
}

func declareColumn(t *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	l, err := whileLoading(t, b)
	if err != nil {
		return nil, err
	}
	return addColumn(t, l, b, playersTable, args, kwargs)
}

func declareVariable(t *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	l, err := whileLoading(t, b)
	if err != nil {
		return nil, err
	}
	return addColumn(t, l, b, gameTable, args, kwargs)
}

// fieldValue is what field() returns.
type fieldValue struct{ column }

func (f *fieldValue) String() string { return f.name }

func (f *fieldValue) Type() string { return "field" }

func (f *fieldValue) Freeze() {}

func (f *fieldValue) Truth() starlark.Bool { return true }

func (f *fieldValue) Hash() (uint32, error) { return 0, fmt.Errorf("a field cannot be a key") }

func makeField(t *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	c, err := unpackColumn(b, args, kwargs)
	if err != nil {
		return nil, err
	}
	c.origin = origin{rule: t.Name, line: lineIn(t, t.Name)}
	return &fieldValue{*c}, nil
}

func declareTable(t *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	l, err := whileLoading(t, b)
	if err != nil {
		return nil, err
	}
	d := &tableDecl{origin: l.origin(t)}
	var columns starlark.Iterable
	show, edit := true, false
	var label starlark.Value
	if err := starlark.UnpackArgs(b.Name(), args, kwargs, "name", &d.name, "columns", &columns, "title?", &d.title, "one?", &d.one, "label?", &label, "show?", &show, "edit?", &edit); err != nil {
		return nil, err
	}
	if err := checkName(d.name); err != nil {
		return nil, fmt.Errorf("%s: %w", b.Name(), err)
	}
	if l.decl.tables[d.name] != nil {
		return nil, fmt.Errorf("%s: there is a table %s already", b.Name(), d.name)
	}
	if d.label, err = optionalFunction(b, "label", label); err != nil {
		return nil, err
	}
	for e := range starlark.Elements(columns) {
		f, ok := e.(*fieldValue)
		if !ok {
			return nil, fmt.Errorf("%s: columns must be made with field(), not %s", b.Name(), e.Type())
		}
		if d.column(f.name) != nil || reservedNames[f.name] {
			return nil, fmt.Errorf("%s: there is a column %s already", b.Name(), f.name)
		}
		c := f.column
		if c.rule != l.rule { // a list of columns that another rule made
			c.origin = d.origin
		}
		c.edit = c.edit || edit
		d.columns = append(d.columns, &c)
	}
	if d.title == "" {
		d.title = titleOf(d.name)
	}
	if d.one == "" {
		d.one = strings.TrimSuffix(d.title, "s")
	}
	d.hidden = !show
	l.decl.tables[d.name] = d
	l.decl.tableOrder = append(l.decl.tableOrder, d.name)
	return starlark.None, nil
}

func declareDerived(t *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	l, err := whileLoading(t, b)
	if err != nil {
		return nil, err
	}
	var table string
	d := &derivation{hook: hook{origin: l.origin(t)}}
	if err := starlark.UnpackArgs(b.Name(), args, kwargs, "table", &table, "name", &d.name, "fn", &d.fn, "title?", &d.title); err != nil {
		return nil, err
	}
	if err := checkName(d.name); err != nil {
		return nil, fmt.Errorf("%s: %w", b.Name(), err)
	}
	on := l.decl.tables[table]
	if on == nil {
		return nil, fmt.Errorf("%s: there is no table %s (rules load in their order; use load() to have another rule first)", b.Name(), table)
	}
	if on.column(d.name) != nil || on.derivation(d.name) != nil || reservedNames[d.name] {
		return nil, fmt.Errorf("%s: %s has a column %s already", b.Name(), table, d.name)
	}
	if d.title == "" {
		d.title = titleOf(d.name)
	}
	on.derived = append(on.derived, d)
	return starlark.None, nil
}

// reservedNames cannot be columns, because every row has them.
var reservedNames = map[string]bool{"id": true, "table": true}

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
