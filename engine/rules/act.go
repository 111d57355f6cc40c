package rules

import (
	"fmt"
	"maps"
	"slices"

	"go.starlark.net/starlark"

	"peernomic/engine/rules/declare"
	"peernomic/engine/rules/internal/convert"
	"peernomic/engine/rules/sandbox"
	"peernomic/engine/state"
)

// Act is something that somebody does.
type Act struct {
	Player int64
	Name   string         // of the action
	Args   map[string]any // bool, int64, string, []any, map[string]any; rows by their ids
	Time   int64          // Unix ms; never before the last
	Dice   DiceSource     // nil if the dice are not decided yet
}

// Do carries out an action, or refuses it. Either is logged.
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

// isDiscreet tells whether an action is not to be logged under its doer's name. Where that cannot be
// asked, because an argument is wrong, it is not: a mistake must not give anybody away.
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

// closed tells why an action is not open to somebody now, or returns nil.
func (w *World) closed(a *declare.Action, me *row) *Refusal {
	refused := func(fn starlark.Callable, rule string, args ...starlark.Value) *Refusal {
		v, err := w.look(fn, nil, args...)
		if err != nil {
			return refuse(err, rule)
		}
		return reasonOf(v, rule)
	}
	switch who := a.Who.(type) {
	case starlark.String:
		if who == "player" && w.text(tablePlayers, me.id, "standing") != StandingPlayer {
			return &Refusal{Code: CodeClosed, Rule: a.Rule, Reason: "only players can do this"}
		}
	case starlark.Callable:
		if r := refused(who, a.Rule, me); r != nil {
			return r
		}
	}
	for _, g := range w.decl.Gates {
		if r := refused(g.Fn, g.Rule, me, starlark.String(a.Name)); r != nil {
			return r
		}
	}
	if a.Guard != nil {
		if r := refused(a.Guard, a.Rule, me); r != nil {
			return r
		}
	}
	if a.Every != nil {
		if r := w.spent(me.id, a.Every, w.now); r != nil {
			r.Rule = a.Rule
			return r
		}
	}
	return nil
}

// reasonOf reads what a guard returned: None, a reason, or wait(reason, until).
func reasonOf(v starlark.Value, rule string) *Refusal {
	switch v := v.(type) {
	case starlark.NoneType:
		return nil
	case starlark.String:
		return &Refusal{Code: CodeClosed, Rule: rule, Reason: string(v)}
	case *waitValue:
		return &Refusal{Code: CodeClosed, Rule: rule, Reason: v.reason, Until: v.until}
	default:
		return &Refusal{Code: CodeScript, Rule: rule, Reason: fmt.Sprintf("a guard must return None, a text or wait(), not %s", v.Type())}
	}
}

// waitValue is what wait() returns.
type waitValue struct {
	reason string
	until  int64
}

func (v *waitValue) String() string        { return v.reason }
func (v *waitValue) Type() string          { return "wait" }
func (v *waitValue) Freeze()               {}
func (v *waitValue) Truth() starlark.Bool  { return true }
func (v *waitValue) Hash() (uint32, error) { return 0, fmt.Errorf("a wait cannot be a key") }

// arguments checks what me sent against the parameters that an action declares.
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

// initialOf returns what an omitted parameter is. A function of me as the default is
// for the form only: who omits the parameter gets nothing.
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

func (w *World) oneOf(table string) string {
	if t := w.decl.Tables[table]; t != nil {
		return w.expandWords(t.One)
	}
	return table
}

// Force carries out amendments from outside the rules: a scenario's. It is logged, and refused as a whole if one cannot be carried out.
func (w *World) Force(amendments []any, time int64) Outcome {
	r := &run{w: w, kind: EntryForce, time: max(time, w.now), args: map[string]any{"amendments": amendments}}
	return w.transact(r, func(r *run) error { return r.apply(amendments) })
}

// Advance moves the clock to a time (Unix ms) and runs the timers that are due on
// the way, each at its exact time. dice decides what a timer rolls; if it is nil, the
// first timer that rolls stops the clock before it.
func (w *World) Advance(time int64, dice func(timer int64) DiceSource) []Outcome {
	var out []Outcome
	steps := uint64(0)
	for range MaxTimers {
		if steps > MaxTimerSteps {
			break
		}
		id := w.nextTimer(time)
		if id == 0 {
			break
		}
		mark := w.state.Mark()
		due := max(w.int(tableTimers, id, "due"), w.now)
		name := w.text(tableTimers, id, "handler")
		args, _ := w.state.Get(tableTimers, id, "args")
		decision := w.int(tableTimers, id, "decision")
		if decision != 0 {
			name = ActionDecide
		}
		if err := w.state.Remove(tableTimers, id); err != nil {
			break
		}
		r := &run{w: w, kind: EntryTimer, action: name, time: due}
		if dice != nil {
			r.dice = dice(id)
		}
		o := w.transact(r, func(r *run) error {
			if decision != 0 {
				return r.lapse(decision)
			}
			h, ok := w.decl.Handlers[name]
			if !ok {
				return &Refusal{Code: CodeUnknown, Reason: fmt.Sprintf("the rules have no handler %q any more", name)}
			}
			r.rule = h.Rule
			_, err := r.call(h, nil, convert.Starlark(args))
			return err
		})
		if o.Refused != nil && o.Refused.Code == CodeWaiting {
			w.state.Revert(mark)
			return out
		}
		if decision != 0 && o.Refused != nil {
			// What cannot go on must not wait for ever.
			if err := w.dropDecision(decision); err != nil {
				break
			}
		}
		steps += sandbox.ActBudget.Steps - r.meter.Left().Steps
		out = append(out, o)
	}
	if time > w.now {
		w.setNow(time)
	}
	return out
}

// nextTimer returns the timer to run first among those due by a time, or 0.
func (w *World) nextTimer(time int64) int64 {
	var next, nextDue int64
	for _, id := range w.state.Rows(tableTimers) {
		if due := w.int(tableTimers, id, "due"); due <= time && (next == 0 || due < nextDue) {
			next, nextDue = id, due
		}
	}
	return next
}
