package rules

import (
	"fmt"
	"maps"
	"slices"

	"go.starlark.net/starlark"

	"peernomic/engine/rules/declare"
	"peernomic/engine/state"
)

// Act is an action of a person: what their device signed, once it has its place and time.
type Act struct {
	Player int64
	Name   string         // of the action
	Args   map[string]any // bool, int64, string, []any, map[string]any; rows by their ids
	Time   int64          // Unix ms; never before the last
	Dice   DiceSource     // nil if the dice are not decided yet
}

// Do carries out an action, or refuses it. Both are logged: a refusal is part of the game's history.
func (w *World) Do(a Act) Outcome {
	args, err := state.Normalize(a.Args)
	r := &run{w: w, kind: EntryAct, player: a.Player, action: a.Name, time: max(a.Time, w.now), dice: a.Dice}
	r.args, _ = args.(map[string]any)
	if r.args == nil {
		r.args = map[string]any{}
	}
	return w.transact(r, func(r *run) error {
		if err != nil {
			return &Refusal{Code: CodeArgument, Reason: err.Error()}
		}
		if !w.state.Has(tablePlayers, a.Player) {
			return &Refusal{Code: CodeUnknown, Reason: "this person is not in the game"}
		}
		if w.isEntity(a.Player) {
			return &Refusal{Code: CodeUnknown, Reason: w.text(tablePlayers, a.Player, "name") + " is no person: only rules act for it"}
		}
		decl := w.decl.Action(a.Name)
		if decl == nil {
			return &Refusal{Code: CodeUnknown, Reason: fmt.Sprintf("the rules have no action %q", a.Name)}
		}
		r.rule = decl.Rule
		me := &row{w: w, table: tablePlayers, id: a.Player}
		r.discreet = w.isDiscreet(decl, me, r.args)
		if refused := w.closed(decl, me); refused != nil {
			return refused
		}
		kwargs, err := w.arguments(decl.Params, r.args, a.Player)
		if err != nil {
			return err
		}
		if _, err := r.call(declare.Hook{Fn: decl.Run, Origin: decl.Origin}, kwargs, me); err != nil {
			return err
		}
		if decl.Every != nil {
			if err := w.use(a.Player, decl.Every, r.time); err != nil {
				return err
			}
		}
		if !w.state.Has(tablePlayers, a.Player) || r.discreet {
			return nil
		}
		return w.state.Set(tablePlayers, a.Player, "acted", r.time)
	})
}

// isDiscreet reports whether the log must not name the person who acts. If an argument is wrong, the rule cannot be
// asked, and the log names nobody. A typo must not reveal who somebody is.
func (w *World) isDiscreet(a *declare.Action, me *row, args map[string]any) bool {
	if a.Discreet == nil {
		return false
	}
	kwargs, err := w.arguments(a.Params, args, me.id)
	if err != nil {
		return true
	}
	v, err := w.look(a.Discreet, kwargs, me)
	return err != nil || bool(v.Truth())
}

// arguments checks what a person sent against the parameters of an action, and returns it as scripts take it.
func (w *World) arguments(params []*declare.Param, args map[string]any, me int64) ([]starlark.Tuple, error) {
	wrong := func(p *declare.Param, format string, a ...any) error {
		return &Refusal{Code: CodeArgument, Reason: w.expandWords(p.Label) + ": " + fmt.Sprintf(format, a...)}
	}
	for _, name := range slices.Sorted(maps.Keys(args)) {
		if !slices.ContainsFunc(params, func(p *declare.Param) bool { return p.Name == name }) {
			return nil, &Refusal{Code: CodeArgument, Reason: fmt.Sprintf("there is no parameter %q", name)}
		}
	}
	var kwargs []starlark.Tuple
	for _, p := range params {
		v, given := args[p.Name]
		if !given || v == nil {
			if given && (p.Type.Plain.Kind == state.Ref || p.Type.Plain.Kind == state.Moment) && p.Optional {
				kwargs = append(kwargs, starlark.Tuple{starlark.String(p.Name), starlark.None})
				continue
			}
			if !p.Optional && p.Initial == nil {
				return nil, wrong(p, "this is needed")
			}
			initial, err := w.initialOf(p)
			if err != nil {
				return nil, err
			}
			kwargs = append(kwargs, starlark.Tuple{starlark.String(p.Name), initial})
			continue
		}
		t, err := w.resolveType(p.Type)
		if err != nil {
			return nil, err
		}
		checked, err := t.Check(v)
		if err != nil {
			return nil, wrong(p, "%s", err)
		}
		if t.Kind == state.Secret || t.Kind == state.Opening {
			if checked, err = secretArgument(checked, t, me); err != nil {
				return nil, wrong(p, "%s", err)
			}
		}
		if id, ok := checked.(int64); ok && t.Kind == state.Ref && !w.state.Has(t.Table, id) {
			return nil, &Refusal{Code: CodeUnknown, Reason: fmt.Sprintf("%s: there is no such %s", w.expandWords(p.Label), w.oneOf(t.Table))}
		}
		kwargs = append(kwargs, starlark.Tuple{starlark.String(p.Name), w.toStarlark(checked, t)})
	}
	return kwargs, nil
}

// initialOf returns the value of a parameter that was left out. A default that is a function of me only fills the form;
// it does not count here.
func (w *World) initialOf(p *declare.Param) (starlark.Value, error) {
	if p.Initial != nil {
		if _, computed := p.Initial.(starlark.Callable); !computed {
			return p.Initial, nil
		}
	}
	if p.Type.Plain.Kind == state.Choice {
		return starlark.None, nil // no choice was made
	}
	return w.toStarlark(p.Type.Plain.Zero(), p.Type.Plain), nil
}

// oneOf is what one row of a table is called.
func (w *World) oneOf(table string) string {
	if t := w.decl.Tables[table]; t != nil {
		return w.expandWords(t.One)
	}
	return table
}
