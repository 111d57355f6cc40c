package rules

import (
	"errors"
	"fmt"

	"go.starlark.net/starlark"

	"peernomic/engine/rules/declare"
	"peernomic/engine/rules/sandbox"
	"peernomic/engine/state"
)

// run is one transaction: an action, a timer, or a look.
//
// A world has one at a time, World.run. Scripts hold values that outlive a call, above all the name game, and these find
// the transaction there; everything else is handed it. All that rules do in a transaction counts on one meter, so that
// what they set off costs the person who acts.
type run struct {
	w        *World
	kind     EntryKind
	player   int64  // who acts; 0 for timers and looks
	action   string // name of the action, or of a timer's handler
	rule     string // title of the rule whose function runs
	args     map[string]any
	time     int64      // Unix ms
	dice     DiceSource // nil if the dice are not decided yet
	readOnly bool       // a function that only looks runs, within whatever else
	discreet bool       // who acts is not named
	outside  bool       // a convention's: no rule is told of it
	depth    int        // calls of rules' functions within each other
	meter    *sandbox.Meter
	// What is logged if the transaction is carried out.
	changes []Change
	rolls   []Roll
	notes   []string
}

// runKey is the transaction in a thread's locals. A thread that loads a script has none.
const runKey = "peernomic run"

// errOnlyDeclares is what the top of a script is told when it reads, writes or rolls.
var errOnlyDeclares = errors.New("the top of a script only declares: this belongs into a function")

// transact runs fn as one transaction: it is carried out completely or not at all,
// and logged in either case.
func (w *World) transact(r *run, fn func(*run) error) Outcome {
	r.meter = sandbox.NewMeter(sandbox.ActBudget)
	if r.time > w.now {
		w.setNow(r.time)
	}
	mark := w.state.Mark()
	w.run = r
	err := fn(r)
	w.run = nil
	if err == nil && len(r.changes) > MaxChanges {
		err = &Refusal{Code: CodeLimit, Reason: fmt.Sprintf("one action may make %d changes, and this makes %d", MaxChanges, len(r.changes))}
	}
	e := Entry{Kind: r.kind, Time: r.time, Player: r.player, Action: r.action, Rule: w.expandWords(r.rule), Args: r.args, Changes: r.changes, Rolls: r.rolls, Notes: r.notes}
	if r.discreet {
		e.Player = 0
	}
	if err != nil {
		w.state.Revert(mark)
		e.Refused = refuse(err, r.rule)
		e.Refused.Rule = w.expandWords(e.Refused.Rule)
		e.Changes, e.Rolls, e.Notes = nil, nil, nil
	}
	return Outcome{w.record(e)}
}

// call runs a rule's function in the transaction. An error is a [*Refusal] that names the rule.
func (r *run) call(h declare.Hook, kwargs []starlark.Tuple, args ...starlark.Value) (starlark.Value, error) {
	if r.depth >= MaxHooks {
		return nil, &Refusal{Code: CodeLimit, Rule: h.Rule, Reason: fmt.Sprintf("events set off events more than %d deep", MaxHooks)}
	}
	outer := r.rule
	r.depth++
	r.rule = h.Rule
	thread := sandbox.NewThread(h.Rule, r.meter)
	thread.SetLocal(runKey, r)
	v, err := sandbox.Call(thread, h.Fn, args, kwargs)
	r.depth--
	if err != nil {
		return nil, refuse(err, h.Rule)
	}
	r.rule = outer
	return v, nil
}

// look calls a function that only looks: guards, choices, labels, assessments. Within a transaction it counts on its
// meter; outside it gets a small budget of its own.
func (w *World) look(fn starlark.Callable, kwargs []starlark.Tuple, args ...starlark.Value) (starlark.Value, error) {
	r := w.run
	if r == nil {
		r = &run{w: w, time: w.now, readOnly: true, meter: sandbox.NewMeter(sandbox.LookBudget)}
		w.run = r
		defer func() { w.run = nil }()
	}
	writable := !r.readOnly
	r.readOnly = true
	v, err := r.call(declare.Hook{Fn: fn, Origin: declare.Origin{Rule: r.rule}}, kwargs, args...)
	r.readOnly = !writable
	return v, err
}

// derive computes a derived column of a row.
func (w *World) derive(d *declare.Derivation, on *row) (starlark.Value, error) {
	return w.look(d.Fn, nil, on)
}

// fire tells the rules of an event.
func (r *run) fire(event string, args ...starlark.Value) error {
	if r.outside {
		return nil
	}
	for _, h := range r.w.decl.Events[event] {
		if _, err := r.call(h, nil, args...); err != nil {
			return err
		}
	}
	return nil
}

// fireChange tells the rules that a cell changed.
func (r *run) fireChange(table string, id int64, c *declare.Column, old, now state.Value) error {
	if r.outside {
		return nil
	}
	on := &row{w: r.w, table: table, id: id}
	for _, h := range r.w.decl.Changes[table+"."+c.Name] {
		if _, err := r.call(h, nil, on, r.w.toStarlark(old, c.Type.Plain), r.w.toStarlark(now, c.Type.Plain)); err != nil {
			return err
		}
	}
	if table == tablePlayers && c.Name == "standing" {
		switch {
		case now == StandingPlayer:
			return r.fire("joined", on)
		case old == StandingPlayer:
			return r.fire("left", on)
		}
	}
	return nil
}

// changed logs a change.
func (r *run) changed(c Change) {
	c.Rule, c.Label = r.w.expandWords(r.rule), r.w.label(c.Table, c.Row)
	r.changes = append(r.changes, c)
}
