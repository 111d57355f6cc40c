package rules

import (
	"fmt"

	"go.starlark.net/starlark"

	"peernomic/engine/rules/declare"
	"peernomic/engine/rules/internal/convert"
	"peernomic/engine/rules/sandbox"
)

// closed tells why an action is not open to somebody now, or returns nil. It asks in the order of what is cheap and
// general: standing, gates, the action's guard, its cadence. The first that says no counts, the same everywhere.
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

// waitValue is what wait() returns: a reason with the time at which it ends.
type waitValue struct {
	reason string
	until  int64
}

func (v *waitValue) String() string        { return v.reason }
func (v *waitValue) Type() string          { return "wait" }
func (v *waitValue) Freeze()               {}
func (v *waitValue) Truth() starlark.Bool  { return true }
func (v *waitValue) Hash() (uint32, error) { return 0, fmt.Errorf("a wait cannot be a key") }

func unpackReason(call *sandbox.Invocation) (string, int64, error) {
	if len(call.Args) == 1 && len(call.Kwargs) == 0 {
		if w, ok := call.Args[0].(*waitValue); ok {
			return w.reason, w.until, nil
		}
	}
	var reason string
	var until starlark.Value = starlark.None
	if err := call.Unpack("reason", &reason, "until?", &until); err != nil {
		return "", 0, err
	}
	if until == starlark.None {
		return reason, 0, nil
	}
	ms, err := convert.Int64(until)
	return reason, ms, err
}

func runWait(call *sandbox.Invocation) (starlark.Value, error) {
	reason, until, err := unpackReason(call)
	if err != nil {
		return nil, err
	}
	return &waitValue{reason, until}, nil
}

func runRefuse(call *invocation) (starlark.Value, error) {
	reason, until, err := unpackReason(call.Invocation)
	if err != nil {
		return nil, err
	}
	return nil, &Refusal{Code: CodeRefused, Rule: call.rule, Reason: reason, Until: until}
}
