package rules

import (
	"maps"
	"slices"

	"go.starlark.net/starlark"

	"peernomic/engine/rules/declare"
	"peernomic/engine/rules/internal/convert"
	"peernomic/engine/rules/sandbox"
	"peernomic/engine/state"
)

// Choice is one of the values that a parameter offers.
type Choice struct {
	Value state.Value
	Label string
}

// ParamView is a parameter of an action, for a form.
type ParamView struct {
	Name, Label, Help string
	Kind              state.Kind
	Form              string // "amendments", or empty
	Secret            bool   // what is given is sealed; the rest says what may be given
	Table             string // of a reference
	Min, Max          *int64
	MaxLen            int
	Optional          bool
	Initial           state.Value // nil if there is none
	Choices           []Choice
	Listed            bool // Choices is all there is to choose from
}

// ActionView is an action as somebody finds it now.
type ActionView struct {
	Name, Title, Group, Help string
	Dice, Form, Rule         string
	Every                    string   // how often somebody may take it; empty if that is not limited
	Refused                  *Refusal // nil if the action is open
	Params                   []ParamView
}

// Actions returns all actions as they are for a person now, in the order in which the
// rules declare them. Parameters are worked out for the open ones only.
func (w *World) Actions(player int64) []ActionView {
	if !w.state.Has(tablePlayers, player) {
		return nil
	}
	var out []ActionView
	me := &row{w: w, table: tablePlayers, id: player}
	meter := sandbox.NewMeter(sandbox.PageBudget)
	for _, a := range w.decl.Actions {
		v := ActionView{Name: a.Name, Title: w.expandWords(a.Title), Group: w.expandWords(a.Group), Help: w.expandWords(a.Help), Dice: a.Dice, Form: a.Form, Rule: w.expandWords(a.Rule), Every: a.Every.Words()}
		w.tryOn(meter, func(*run) {
			if v.Refused = w.closed(a, me); v.Refused == nil {
				v.Params = w.params(a.Params, me)
				return
			}
			v.Refused.Rule = w.expandWords(v.Refused.Rule)
		})
		out = append(out, v)
	}
	return out
}

// ActionNames returns the names of all actions, in the order in which the rules declare
// them.
func (w *World) ActionNames() []string {
	out := make([]string, len(w.decl.Actions))
	for i, a := range w.decl.Actions {
		out[i] = a.Name
	}
	return out
}

// MeasureView is something that a proposal can do besides amending.
type MeasureView struct {
	Name, Help, Rule string
	Params           []ParamView
}

// Measures returns what proposals can do, by name.
func (w *World) Measures(player int64) []MeasureView {
	var out []MeasureView
	for _, name := range slices.Sorted(maps.Keys(w.decl.Measures)) {
		m := w.decl.Measures[name]
		w.try(func(*run) {
			out = append(out, MeasureView{Name: name, Help: w.expandWords(m.Help), Rule: w.expandWords(m.Rule), Params: w.params(m.Params, &row{w: w, table: tablePlayers, id: player})})
		})
	}
	return out
}

func (w *World) params(decls []*declare.Param, me *row) []ParamView {
	var out []ParamView
	for _, p := range decls {
		t, err := w.resolveType(p.Type)
		if err != nil {
			t = p.Type.Plain
		}
		secret := t.Of != nil
		if secret {
			t = *t.Of
		}
		v := ParamView{Name: p.Name, Secret: secret, Label: w.expandWords(p.Label), Help: w.expandWords(p.Help), Kind: t.Kind, Form: p.Type.Form, Table: t.Table,
			Min: t.Min, Max: t.Max, MaxLen: t.MaxLen, Optional: p.Optional || p.Initial != nil}
		initial := p.Initial
		if fn, ok := initial.(starlark.Callable); ok {
			if initial, err = w.look(fn, nil, me); err != nil {
				initial = nil
			}
		}
		if initial != nil {
			v.Initial, _ = convert.Plain(initial) // what cannot be shown is not offered
		}
		switch {
		case p.Choices != nil:
			v.Listed = true
			if list, err := w.look(p.Choices, nil, me); err == nil {
				v.Choices = w.choices(list, t)
			}
		case t.Kind == state.Choice || t.Kind == state.Several:
			v.Listed = true
			for _, c := range t.Choices {
				v.Choices = append(v.Choices, Choice{c, w.expandWords(c)})
			}
		case t.Kind == state.Ref:
			v.Listed = true
			for _, id := range w.state.Rows(t.Table) {
				if t.Table == tablePlayers && w.text(t.Table, id, "standing") != StandingPlayer {
					continue
				}
				if v.Choices = append(v.Choices, Choice{id, w.label(t.Table, id)}); len(v.Choices) == declare.MaxChoices {
					break
				}
			}
		}
		out = append(out, v)
	}
	return out
}

// choices reads what a choices function returned: values, or pairs of value and label.
func (w *World) choices(v starlark.Value, t state.Type) []Choice {
	it, ok := v.(starlark.Iterable)
	if !ok {
		return nil
	}
	var out []Choice
	for e := range starlark.Elements(it) {
		label := ""
		if pair, ok := e.(starlark.Tuple); ok && len(pair) == 2 {
			label, _ = starlark.AsString(pair[1])
			e = pair[0]
		}
		plain, err := convert.Plain(e)
		if err != nil || len(out) == declare.MaxChoices {
			continue
		}
		if label == "" {
			label = w.show(plain, t)
		}
		out = append(out, Choice{plain, w.expandWords(label)})
	}
	return out
}

// HasTable reports whether there is a table with this name.
func (w *World) HasTable(name string) bool { return w.decl.Tables[name] != nil }

// ColumnType returns what a column holds and reports whether it is declared. Derived
// columns have no type.
func (w *World) ColumnType(table, column string) (state.Type, bool) {
	t := w.decl.Tables[table]
	if t == nil {
		return state.Type{}, false
	}
	c := t.Column(column)
	if c == nil {
		return state.Type{}, false
	}
	return c.Type.Plain, true
}

// ActionTypes returns the types of an action's parameters by their names; nil if there
// is no such action.
func (w *World) ActionTypes(name string) map[string]state.Type {
	a := w.decl.Action(name)
	if a == nil {
		return nil
	}
	return paramTypes(a.Params)
}

// MeasureTypes returns the types of a measure's parameters by their names; nil if
// there is no such measure.
func (w *World) MeasureTypes(name string) map[string]state.Type {
	m := w.decl.Measures[name]
	if m == nil {
		return nil
	}
	return paramTypes(m.Params)
}

func paramTypes(params []*declare.Param) map[string]state.Type {
	types := map[string]state.Type{}
	for _, p := range params {
		types[p.Name] = p.Type.Plain
	}
	return types
}
