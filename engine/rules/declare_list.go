package rules

import (
	"maps"
	"slices"

	"go.starlark.net/starlark"
)

// Declared is one thing that a rule declares.
type Declared struct {
	What  string // the function that declares it: "column", "table", "action", …; "field" for columns of a table
	Name  string
	Title string // as people read it, with its placeholders
	Table string // of a column; the game's variables are in "game"
	Rule  string // title; empty for the kernel's own
	Line  int
	// Of tables and columns.
	Hidden, Edit, Derived bool
	// Of categories: the icons that they take; of keywords: the words; of actions: their parameters.
	Names []string
	// Unfit tells why the functions that were given with it cannot be called, or its parameters
	// cannot be filled in; empty if they can.
	Unfit []string
}

// list returns everything that is declared.
func (d *declarations) list() []Declared {
	var out []Declared
	add := func(what, name, title string, at origin, more Declared) {
		more.What, more.Name, more.Title, more.Rule, more.Line = what, name, title, at.rule, at.line
		out = append(out, more)
	}
	for _, name := range d.tableOrder {
		t := d.tables[name]
		add("table", t.name, t.title, t.origin, Declared{Hidden: t.hidden, Unfit: fit("label", t.label, 1)})
		for _, c := range t.columns {
			what := "field"
			switch t.name {
			case playersTable:
				what = "column"
			case gameTable:
				what = "variable"
			}
			add(what, c.name, c.title, c.origin, Declared{Table: name, Hidden: c.hidden, Edit: c.edit, Unfit: c.typ.unfit()})
		}
		for _, c := range t.derived {
			add("derived", c.name, c.title, c.origin, Declared{Table: name, Derived: true, Unfit: fit("fn", c.fn, 1)})
		}
	}
	for _, a := range d.actions {
		who, _ := a.who.(starlark.Callable)
		unfit := slices.Concat(fitNamed("run", a.run, 1, a.params), fit("who", who, 1), fit("guard", a.guard, 1), fitNamed("discreet", a.discreet, 1, a.params), fitNamed("private", a.private, 2, a.params), unfitParams(a.params))
		var params []string
		for _, p := range a.params {
			params = append(params, p.name)
		}
		add("action", a.name, a.title, a.origin, Declared{Unfit: unfit, Names: params})
	}
	for _, name := range slices.Sorted(maps.Keys(d.measures)) {
		m := d.measures[name]
		add("measure", m.name, m.name, m.origin, Declared{Unfit: slices.Concat(fitNamed("run", m.run, 0, m.params), fitNamed("check", m.check, 0, m.params), unfitParams(m.params))})
	}
	hooks := func(what string, of map[string]hook, given int) {
		for _, name := range slices.Sorted(maps.Keys(of)) {
			add(what, name, name, of[name].origin, Declared{Unfit: fit("fn", of[name].fn, given)})
		}
	}
	hooks("handler", d.handlers, 1)
	hooks("matter", d.matters, 1)
	hooks("live", d.lives, 0)
	hooks("closing", d.closings, 1)
	for _, h := range d.recognise {
		add("recognise", "recognise", "recognise", h.origin, Declared{Unfit: fit("fn", h.fn, 1)})
	}
	for _, h := range d.waits {
		add("waits", "waits", "waits", h.origin, Declared{Unfit: fit("fn", h.fn, 1)})
	}
	lists := func(what string, of map[string][]hook, given func(name string) int) {
		for _, name := range slices.Sorted(maps.Keys(of)) {
			for _, h := range of[name] {
				add(what, name, name, h.origin, Declared{Unfit: fit("fn", h.fn, given(name))})
			}
		}
	}
	lists("on", d.events, func(name string) int {
		if name == "founded" || name == "amended" {
			return 0
		}
		return 1
	})
	lists("on_change", d.changes, func(string) int { return 3 })
	for _, question := range slices.Sorted(maps.Keys(d.answers)) {
		for _, h := range d.answers[question] {
			add("answer", question, question, h.origin, Declared{}) // who asks says how much it is given
		}
	}
	for _, h := range d.gates {
		add("gate", "", "", h.origin, Declared{Unfit: fit("fn", h.fn, 2)})
	}
	for _, p := range d.pages {
		add("page", p.name, p.title, p.origin, Declared{Unfit: fit("show", p.fn, 0)})
	}
	for _, c := range d.cards {
		add("card", c.table, c.title, c.origin, Declared{Unfit: fit("draw", c.fn, 1)})
	}
	for _, b := range d.boards {
		given := 1
		if b.of != "" {
			given = 2
		}
		add("board", b.name, b.title, b.origin, Declared{Unfit: fit("draw", b.fn, given)})
	}
	for _, c := range d.categories {
		add("category", c.name, c.title, c.origin, Declared{Names: c.icons})
	}
	for _, i := range d.icons {
		add("icon", i.name, i.title, i.origin, Declared{})
	}
	for _, k := range d.keywords {
		add("keyword", k.key, k.one, k.origin, Declared{Names: []string{k.one, k.many}})
	}
	for _, e := range d.entities {
		add("entity", e.name, e.name, e.origin, Declared{})
	}
	for _, o := range d.options {
		add("option", o.name, o.name, o.origin, Declared{})
	}
	return out
}
