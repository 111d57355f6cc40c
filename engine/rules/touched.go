package rules

import (
	"go.starlark.net/starlark"
	"go.starlark.net/starlarkstruct"

	"peernomic/engine/rules/amendment"
	"peernomic/engine/rules/document"
	"peernomic/engine/rules/internal/convert"
	"peernomic/engine/state"
)

// touch is one place that an amendment changes: a rule, or what a rule declares. Rules decide by it what a proposal may
// change.
type touch struct {
	op      string      // what happens there: "amend" however a text is changed, "set" however a cell is
	rule    string      // title of the rule; "" for what the kernel declares
	title   string      // of the rule afterwards, if its text is changed
	text    string      // what it says then
	parent  string      // title of the rule above
	section int64       // its number; 0 if no rule is touched
	column  string      // "players.name", the key of a keyword, or the name of a measure
	row     int64       // whose cell is set
	value   state.Value // to what
}

func (c touch) toStarlark() starlark.Value {
	return starlarkstruct.FromStringDict(starlarkstruct.Default, starlark.StringDict{
		"op": starlark.String(c.op), "rule": starlark.String(c.rule), "title": starlark.String(c.title), "text": starlark.String(c.text), "parent": starlark.String(c.parent),
		"section": starlark.MakeInt64(c.section), "what": starlark.String(c.column),
		"row": starlark.MakeInt64(c.row), "value": convert.Starlark(c.value),
	})
}

// touches tells what an amendment would change, by the rules as they are now. It touches nothing if what it names is
// not there. It finds rules and places as [run.carryOut] does, so that no name escapes a rule that asks.
func (w *World) touches(a amendment.Amendment) []touch {
	if change, ok := cellsChanged(a); ok {
		return w.touchedCells(change)
	}
	switch a := a.(type) {
	case *amendment.Enact:
		to := w.touchedPlace(a.Op(), a.Place)
		to.title, to.text = document.TitleIn(a.Text), a.Text
		to.rule = to.title
		return []touch{to}
	case *amendment.Amend, *amendment.Replace:
		if id, text, err := w.rewritten(a); id != 0 {
			c := w.touchedRule("amend", id)
			if written, ok := a.(*amendment.Amend); ok && err != nil {
				text = written.Text
			}
			c.title, c.text = document.TitleIn(text), text
			return []touch{c}
		}
	case *amendment.Repeal:
		if id, err := w.ruleOf(a.Rule); err == nil {
			return []touch{w.touchedRule(a.Op(), id)}
		}
	case *amendment.Move:
		if id, err := w.ruleOf(a.Rule); err == nil {
			to := w.touchedPlace(a.Op(), a.Place)
			to.rule = w.text(tableRules, id, "title")
			return []touch{w.touchedRule(a.Op(), id), to}
		}
	case *amendment.Create:
		return []touch{w.touchedCell(a.Op(), a.Table, "")}
	case *amendment.Remove:
		c := w.touchedCell(a.Op(), a.Table, "")
		c.row = a.Row
		return []touch{c}
	case *amendment.Keyword:
		for _, k := range w.decl.Keywords {
			if k.Key == a.Key {
				return []touch{w.declared(a.Op(), k.Rule, k.Key)}
			}
		}
	case *amendment.Measure:
		if m := w.decl.Measures[a.Name]; m != nil {
			return []touch{w.declared(a.Op(), m.Rule, m.Name)}
		}
	}
	return nil
}

// touchedPlace is where an amendment puts a rule.
func (w *World) touchedPlace(op string, at amendment.Place) touch {
	c := touch{op: op}
	if section, parent, err := w.placeOf(at); err == nil {
		c.section = w.sectionNumber(section)
		c.parent = w.text(tableRules, parent, "title")
	}
	return c
}

func (w *World) touchedRule(op string, id int64) touch {
	return touch{op: op, rule: w.text(tableRules, id, "title"), section: w.sectionNumber(w.int(tableRules, id, "section")),
		parent: w.text(tableRules, w.int(tableRules, id, "parent"), "title")}
}

// touchedCell is a change of gamestate: it touches the rule that declares it.
func (w *World) touchedCell(op, table, name string) touch {
	t := w.decl.Tables[table]
	if t == nil {
		return touch{op: op, column: table}
	}
	if c := t.Column(name); c != nil {
		return w.declared(op, c.Rule, table+"."+name)
	}
	return w.declared(op, t.Rule, table)
}

func (w *World) declared(op, rule, what string) touch {
	c := touch{op: op, column: what}
	if id := w.ruleTitled(rule); id != 0 {
		c = w.touchedRule(op, id)
		c.column = what
	}
	return c
}

func (w *World) sectionNumber(section int64) int64 {
	for i, s := range w.state.Rows(tableSections) {
		if s == section {
			return int64(i + 1)
		}
	}
	return 0
}

func runTouched(call *invocation) (starlark.Value, error) {
	list, err := unpackAmendments(call.Invocation)
	if err != nil {
		return nil, err
	}
	if err := call.meter.Spend(uint64(len(list) * (1 + len(call.w.state.Rows(tableRules))/8))); err != nil {
		return nil, err
	}
	var out []starlark.Value
	for _, item := range list {
		a, err := amendment.Decode(item)
		if err != nil {
			continue // it can never be carried out
		}
		for _, c := range call.w.touches(a) {
			out = append(out, c.toStarlark())
		}
	}
	return starlark.NewList(out), nil
}
