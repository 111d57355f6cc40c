package rules

import (
	"strings"

	"go.starlark.net/starlark"
	"go.starlark.net/starlarkstruct"

	"peernomic/engine/state"
)

// touch is one place that an amendment changes: a rule, or what a rule declares.
type touch struct {
	op      string
	rule    string      // title of the rule; "" for what the kernel declares
	title   string      // of the rule afterwards, if its text is changed
	parent  string      // title of the rule above
	section int64       // its number; 0 if no rule is touched
	column  string      // "players.name", the key of a keyword, or the name of a measure
	row     int64       // whose cell is set
	value   state.Value // to what
}

func (c touch) toStarlark() starlark.Value {
	return starlarkstruct.FromStringDict(starlarkstruct.Default, starlark.StringDict{
		"op": starlark.String(c.op), "rule": starlark.String(c.rule), "title": starlark.String(c.title), "parent": starlark.String(c.parent),
		"section": starlark.MakeInt64(c.section), "what": starlark.String(c.column),
		"row": starlark.MakeInt64(c.row), "value": plainToStarlark(c.value),
	})
}

// touched tells what amendments would change, by the rules as they are now. What they
// name and is not there, they do not touch.
func (w *World) touched(list []any) []touch {
	var out []touch
	for _, item := range list {
		m, _ := item.(map[string]any)
		a := amendment(m)
		switch op := a.text("op"); op {
		case "enact":
			out = append(out, w.touchedPlace(a))
		case "amend", "repeal":
			if id := w.ruleTitled(a.text("rule")); id != 0 {
				c := w.touchedRule(op, id)
				c.title = titleIn(a.text("text"))
				out = append(out, c)
			}
		case "move":
			if id := w.ruleTitled(a.text("rule")); id != 0 {
				to := w.touchedPlace(a)
				to.rule = w.text(tableRules, id, "title")
				out = append(out, w.touchedRule(op, id), to)
			}
		case "set", "create", "remove":
			c := w.touchedCell(op, a.text("table"), a.text("column"))
			c.row, _ = a["row"].(int64)
			c.value = a["value"]
			out = append(out, c)
		case "keyword":
			for _, k := range w.decl.keywords {
				if k.key == a.text("key") {
					out = append(out, w.declared(op, k.rule, k.key))
				}
			}
		case "measure":
			if m := w.decl.measures[a.text("name")]; m != nil {
				out = append(out, w.declared(op, m.rule, m.name))
			}
		}
	}
	return out
}

// touchedPlace is where an amendment puts a rule.
func (w *World) touchedPlace(a amendment) touch {
	c := touch{op: a.text("op"), title: titleIn(a.text("text"))}
	c.rule = c.title
	if section, parent, err := (&run{w: w}).place(a); err == nil {
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
	t := w.decl.tables[table]
	if t == nil {
		return touch{op: op, column: table}
	}
	if c := t.column(name); c != nil {
		return w.declared(op, c.rule, table+"."+name)
	}
	return w.declared(op, t.rule, table)
}

func (w *World) declared(op, rule, what string) touch {
	c := touch{op: op, column: what}
	if id := w.ruleTitled(rule); id != 0 {
		c = w.touchedRule(op, id)
		c.column = what
	}
	return c
}

// titleIn returns the title that a rule's document gives it, or "".
func titleIn(text string) string {
	first, _, _ := strings.Cut(text, "\n")
	title, _ := strings.CutPrefix(first, "# ")
	if title == first {
		return ""
	}
	return strings.TrimSpace(title)
}

func (w *World) sectionNumber(section int64) int64 {
	for i, s := range w.state.Rows(tableSections) {
		if s == section {
			return int64(i + 1)
		}
	}
	return 0
}

func runTouched(t *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	list, err := unpackAmendments(b, args, kwargs)
	if err != nil {
		return nil, err
	}
	r, err := running(t, b)
	if err != nil {
		return nil, err
	}
	if err := r.meter.Spend(uint64(len(list) * (1 + len(r.w.state.Rows(tableRules))/8))); err != nil {
		return nil, err
	}
	var out []starlark.Value
	for _, c := range r.w.touched(list) {
		out = append(out, c.toStarlark())
	}
	return starlark.NewList(out), nil
}
