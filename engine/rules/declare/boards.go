package declare

import "slices"

// Card says how the rows of a table look.
type Card struct {
	Table, Title string
	Hook
}

// Board is a page that is made of cards and other parts.
type Board struct {
	Name, Title string
	Of          string // the table of whose rows each has its own, or empty
	Hook
}

// Card returns how the rows of a table look, or nil.
func (d *Declarations) Card(table string) *Card {
	for _, c := range d.Cards {
		if c.Table == table {
			return c
		}
	}
	return nil
}

func declareCard(call *declaration) error {
	c := &Card{Hook: Hook{Origin: call.origin()}}
	if err := call.Unpack("table", &c.Table, "draw", &c.Fn, "title?", &c.Title); err != nil {
		return err
	}
	on := call.decl.Tables[c.Table]
	switch {
	case on == nil:
		return call.Wrong("there is no table %s (rules load in their order; use load() to have another rule first)", c.Table)
	case call.decl.Card(c.Table) != nil:
		return call.Wrong("the rows of %s have a card already", c.Table)
	case c.Title == "":
		c.Title = on.Title
	}
	call.decl.Cards = append(call.decl.Cards, c)
	return nil
}

func declareBoard(call *declaration) error {
	d := &Board{Hook: Hook{Origin: call.origin()}}
	if err := call.Unpack("name", &d.Name, "draw", &d.Fn, "of?", &d.Of, "title?", &d.Title); err != nil {
		return err
	}
	if err := checkName(d.Name); err != nil {
		return call.Wrong("%w", err)
	}
	if slices.ContainsFunc(call.decl.Boards, func(o *Board) bool { return o.Name == d.Name }) {
		return call.Wrong("there is a board %q already", d.Name)
	}
	if d.Of != "" && call.decl.Tables[d.Of] == nil {
		return call.Wrong("there is no table %s (rules load in their order; use load() to have another rule first)", d.Of)
	}
	if d.Title == "" {
		d.Title = titleOf(d.Name)
	}
	call.decl.Boards = append(call.decl.Boards, d)
	return nil
}
