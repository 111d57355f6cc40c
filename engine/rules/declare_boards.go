package rules

import (
	"fmt"
	"slices"

	"go.starlark.net/starlark"
)

// cardDecl says how the rows of a table look.
type cardDecl struct {
	table, title string
	hook
}

// boardDecl is a page that is made of cards and other parts.
type boardDecl struct {
	name, title string
	of          string // the table of whose rows each has its own, or empty
	hook
}

func (d *declarations) card(table string) *cardDecl {
	for _, c := range d.cards {
		if c.table == table {
			return c
		}
	}
	return nil
}

func declareCard(t *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	l, err := whileLoading(t, b)
	if err != nil {
		return nil, err
	}
	c := &cardDecl{hook: hook{origin: l.origin(t)}}
	if err := starlark.UnpackArgs(b.Name(), args, kwargs, "table", &c.table, "draw", &c.fn, "title?", &c.title); err != nil {
		return nil, err
	}
	on := l.decl.tables[c.table]
	switch {
	case on == nil:
		return nil, fmt.Errorf("%s: there is no table %s (rules load in their order; use load() to have another rule first)", b.Name(), c.table)
	case l.decl.card(c.table) != nil:
		return nil, fmt.Errorf("%s: the rows of %s have a card already", b.Name(), c.table)
	case c.title == "":
		c.title = on.title
	}
	l.decl.cards = append(l.decl.cards, c)
	return starlark.None, nil
}

func declareBoard(t *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	l, err := whileLoading(t, b)
	if err != nil {
		return nil, err
	}
	d := &boardDecl{hook: hook{origin: l.origin(t)}}
	if err := starlark.UnpackArgs(b.Name(), args, kwargs, "name", &d.name, "draw", &d.fn, "of?", &d.of, "title?", &d.title); err != nil {
		return nil, err
	}
	if err := checkName(d.name); err != nil {
		return nil, fmt.Errorf("%s: %w", b.Name(), err)
	}
	if slices.ContainsFunc(l.decl.boards, func(o *boardDecl) bool { return o.name == d.name }) {
		return nil, fmt.Errorf("%s: there is a board %q already", b.Name(), d.name)
	}
	if d.of != "" && l.decl.tables[d.of] == nil {
		return nil, fmt.Errorf("%s: there is no table %s (rules load in their order; use load() to have another rule first)", b.Name(), d.of)
	}
	if d.title == "" {
		d.title = titleOf(d.name)
	}
	l.decl.boards = append(l.decl.boards, d)
	return starlark.None, nil
}
