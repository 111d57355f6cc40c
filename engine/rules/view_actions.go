package rules

import (
	"maps"
	"slices"

	"go.starlark.net/starlark"

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
	for _, a := range w.decl.actions {
		v := ActionView{Name: a.name, Title: w.expandWords(a.title), Group: w.expandWords(a.group), Help: w.expandWords(a.help), Dice: a.dice, Form: a.form, Rule: w.expandWords(a.rule), Every: a.every.words()}
		w.tryOn(meter, func(*run) {
			if v.Refused = w.closed(a, me); v.Refused == nil {
				v.Params = w.params(a.params, me)
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
	out := make([]string, len(w.decl.actions))
	for i, a := range w.decl.actions {
		out[i] = a.name
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
	for _, name := range slices.Sorted(maps.Keys(w.decl.measures)) {
		m := w.decl.measures[name]
		w.try(func(*run) {
			out = append(out, MeasureView{Name: name, Help: w.expandWords(m.help), Rule: w.expandWords(m.rule), Params: w.params(m.params, &row{w: w, table: tablePlayers, id: player})})
		})
	}
	return out
}

func (w *World) params(decls []*paramDecl, me *row) []ParamView {
	var out []ParamView
	for _, p := range decls {
		t, err := w.resolveType(p.typ)
		if err != nil {
			t = p.typ.typ
		}
		secret := t.Of != nil
		if secret {
			t = *t.Of
		}
		v := ParamView{Name: p.name, Secret: secret, Label: w.expandWords(p.label), Help: w.expandWords(p.help), Kind: t.Kind, Form: p.typ.form, Table: t.Table,
			Min: t.Min, Max: t.Max, MaxLen: t.MaxLen, Optional: p.optional || p.initial != nil}
		initial := p.initial
		if fn, ok := initial.(starlark.Callable); ok {
			if initial, err = w.look(fn, nil, me); err != nil {
				initial = nil
			}
		}
		if initial != nil {
			v.Initial, _ = convert.Plain(initial) // what cannot be shown is not offered
		}
		switch {
		case p.choices != nil:
			v.Listed = true
			if list, err := w.look(p.choices, nil, me); err == nil {
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
				if v.Choices = append(v.Choices, Choice{id, w.label(t.Table, id)}); len(v.Choices) == MaxChoices {
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
		if err != nil || len(out) == MaxChoices {
			continue
		}
		if label == "" {
			label = w.show(plain, t)
		}
		out = append(out, Choice{plain, w.expandWords(label)})
	}
	return out
}
