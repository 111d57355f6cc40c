package rules

import (
	"fmt"

	"go.starlark.net/starlark"

	"peernomic/engine/rules/internal/calendar"
	"peernomic/engine/rules/internal/convert"
	"peernomic/engine/rules/sandbox"
)

// Advance moves the clock to a time (Unix ms) and runs the timers that are due on
// the way, each at its exact time. dice decides what a timer rolls; if it is nil, the
// first timer that rolls stops the clock before it. A move of the clock runs a bounded number of timers and of their
// steps: the rest wait for the next move, so that no rule can make one seal take for ever.
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

// DueTimers returns when the next timer is due, Unix ms, or 0.
func (w *World) DueTimers() int64 {
	if id := w.nextTimer(calendar.End); id != 0 {
		return w.int(tableTimers, id, "due")
	}
	return 0
}

func runSchedule(call *invocation) (starlark.Value, error) {
	var when int64
	var name, key string
	var data starlark.Value = starlark.NewDict(0)
	if err := call.Unpack("when", &when, "handler", &name, "args?", &data, "key?", &key); err != nil {
		return nil, err
	}
	if _, ok := call.w.decl.Handlers[name]; !ok {
		return nil, call.Wrong("no rule has a handler %q", name)
	}
	v, err := convert.Plain(data)
	if err != nil {
		return nil, call.Wrong("args: %w", err)
	}
	if err := call.cancel(key); err != nil {
		return nil, err
	}
	if len(call.w.state.Rows(tableTimers)) >= MaxPending {
		return nil, &Refusal{Code: CodeLimit, Rule: call.rule, Reason: fmt.Sprintf("%d timers are set already", MaxPending)}
	}
	_, err = call.w.newRow(tableTimers, cells{"due": max(when, call.w.now), "handler": name, "args": v, "key": key})
	return starlark.None, err
}

func runCancel(call *invocation) (starlark.Value, error) {
	var key string
	if err := call.Unpack("key", &key); err != nil {
		return nil, err
	}
	return starlark.None, call.cancel(key)
}

func (r *run) cancel(key string) error {
	if key == "" {
		return nil
	}
	w := r.w
	if err := r.meter.Spend(uint64(len(w.state.Rows(tableTimers)) + len(w.state.Rows(tableDecisions)))); err != nil {
		return err
	}
	if id := w.index(tableDecisions, func(id int64) bool { return w.text(tableDecisions, id, "key") == key }); id != 0 {
		if err := w.dropDecision(id); err != nil {
			return err
		}
	}
	if id := w.index(tableTimers, func(id int64) bool { return w.text(tableTimers, id, "key") == key }); id != 0 {
		return w.state.Remove(tableTimers, id)
	}
	return nil
}

// runCall calls a handler at once. Rules that cannot load from each other find
// each other's functions by the handler's name.
func runCall(call *invocation) (starlark.Value, error) {
	var name string
	var data starlark.Value = starlark.NewDict(0)
	if err := call.Unpack("handler", &name, "args?", &data); err != nil {
		return nil, err
	}
	h, ok := call.w.decl.Handlers[name]
	if !ok {
		return nil, call.Wrong("no rule has a handler %q", name)
	}
	v, err := convert.Plain(data)
	if err != nil {
		return nil, call.Wrong("args: %w", err)
	}
	return call.call(h, nil, convert.Starlark(v))
}
