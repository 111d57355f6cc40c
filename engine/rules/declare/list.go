package declare

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

// List returns everything that is declared.
func (d *Declarations) List() []Declared {
	var out []Declared
	add := func(what, name, title string, at Origin, more Declared) {
		more.What, more.Name, more.Title, more.Rule, more.Line = what, name, title, at.Rule, at.Line
		out = append(out, more)
	}
	for _, name := range d.TableOrder {
		t := d.Tables[name]
		add("table", t.Name, t.Title, t.Origin, Declared{Hidden: t.Hidden, Unfit: fit("label", t.Label, 1)})
		for _, c := range t.Columns {
			what := "field"
			switch t.Name {
			case PlayersTable:
				what = "column"
			case GameTable:
				what = "variable"
			}
			add(what, c.Name, c.Title, c.Origin, Declared{Table: name, Hidden: c.Hidden, Edit: c.Edit, Unfit: c.Type.unfit()})
		}
		for _, c := range t.Derived {
			add("derived", c.Name, c.Title, c.Origin, Declared{Table: name, Derived: true, Unfit: fit("fn", c.Fn, 1)})
		}
	}
	for _, a := range d.Actions {
		who, _ := a.Who.(starlark.Callable)
		unfit := slices.Concat(fitNamed("run", a.Run, 1, a.Params), fit("who", who, 1), fit("guard", a.Guard, 1), fitNamed("discreet", a.Discreet, 1, a.Params), fitNamed("private", a.Private, 2, a.Params), unfitParams(a.Params))
		var params []string
		for _, p := range a.Params {
			params = append(params, p.Name)
		}
		add("action", a.Name, a.Title, a.Origin, Declared{Unfit: unfit, Names: params})
	}
	for _, name := range slices.Sorted(maps.Keys(d.Measures)) {
		m := d.Measures[name]
		add("measure", m.Name, m.Name, m.Origin, Declared{Unfit: slices.Concat(fitNamed("run", m.Run, 0, m.Params), fitNamed("check", m.Check, 0, m.Params), unfitParams(m.Params))})
	}
	hooks := func(what string, of map[string]Hook, given int) {
		for _, name := range slices.Sorted(maps.Keys(of)) {
			add(what, name, name, of[name].Origin, Declared{Unfit: fit("fn", of[name].Fn, given)})
		}
	}
	hooks("handler", d.Handlers, 1)
	hooks("matter", d.Matters, 1)
	hooks("live", d.Lives, 0)
	hooks("closing", d.Closings, 1)
	for _, h := range d.Recognise {
		add("recognise", "recognise", "recognise", h.Origin, Declared{Unfit: fit("fn", h.Fn, 1)})
	}
	for _, h := range d.Waits {
		add("waits", "waits", "waits", h.Origin, Declared{Unfit: fit("fn", h.Fn, 1)})
	}
	lists := func(what string, of map[string][]Hook, given func(name string) int) {
		for _, name := range slices.Sorted(maps.Keys(of)) {
			for _, h := range of[name] {
				add(what, name, name, h.Origin, Declared{Unfit: fit("fn", h.Fn, given(name))})
			}
		}
	}
	lists("on", d.Events, func(name string) int {
		if name == "founded" || name == "amended" {
			return 0
		}
		return 1
	})
	lists("on_change", d.Changes, func(string) int { return 3 })
	for _, question := range slices.Sorted(maps.Keys(d.Answers)) {
		for _, h := range d.Answers[question] {
			add("answer", question, question, h.Origin, Declared{}) // who asks says how much it is given
		}
	}
	for _, h := range d.Gates {
		add("gate", "", "", h.Origin, Declared{Unfit: fit("fn", h.Fn, 2)})
	}
	for _, p := range d.Pages {
		add("page", p.Name, p.Title, p.Origin, Declared{Unfit: fit("show", p.Fn, 0)})
	}
	for _, c := range d.Cards {
		add("card", c.Table, c.Title, c.Origin, Declared{Unfit: fit("draw", c.Fn, 1)})
	}
	for _, b := range d.Boards {
		given := 1
		if b.Of != "" {
			given = 2
		}
		add("board", b.Name, b.Title, b.Origin, Declared{Unfit: fit("draw", b.Fn, given)})
	}
	for _, c := range d.Categories {
		add("category", c.Name, c.Title, c.Origin, Declared{Names: c.Icons})
	}
	for _, i := range d.Icons {
		add("icon", i.Name, i.Title, i.Origin, Declared{})
	}
	for _, k := range d.Keywords {
		add("keyword", k.Key, k.One, k.Origin, Declared{Names: []string{k.One, k.Many}})
	}
	for _, e := range d.Entities {
		add("entity", e.Name, e.Name, e.Origin, Declared{})
	}
	for _, o := range d.Options {
		add("option", o.Name, o.Name, o.Origin, Declared{})
	}
	return out
}
