package declare

import (
	"go.starlark.net/starlark"

	"peernomic/engine/rules/sandbox"
)

// loading is what a thread that loads a script declares for.
type loading struct {
	decl *Declarations
	rule string // title
}

const loadingKey = "peernomic loading"

// Begin has a thread declare for a rule.
func (d *Declarations) Begin(t *starlark.Thread, rule string) {
	t.SetLocal(loadingKey, &loading{decl: d, rule: rule})
}

// declaration is a call that declares something for the rule that is being loaded.
type declaration struct {
	*sandbox.Invocation
	*loading
}

// declares makes a function for the tops of scripts. Anywhere else it fails.
func declares(fn func(*declaration) error) sandbox.Func {
	return func(call *sandbox.Invocation) (starlark.Value, error) {
		l, ok := call.Thread.Local(loadingKey).(*loading)
		if !ok {
			return nil, call.Wrong("declarations stand at the top of a rule's script, not in a function that runs")
		}
		return starlark.None, fn(&declaration{call, l})
	}
}

// optionalFunction reads an argument that is a function or None.
func optionalFunction(call *sandbox.Invocation, name string, v starlark.Value) (starlark.Callable, error) {
	if v == nil || v == starlark.None {
		return nil, nil
	}
	fn, ok := v.(starlark.Callable)
	if !ok {
		return nil, call.Wrong("%s must be a function, not %s", name, v.Type())
	}
	return fn, nil
}

// origin is the place of the declaration that is being made: the line of the rule that
// loads, also where a function of another rule declares on its behalf.
func (d *declaration) origin() Origin {
	return Origin{Rule: d.rule, Line: lineIn(d.Thread, d.rule)}
}

// lineIn returns the line of a rule from which a call comes, or 0.
func lineIn(t *starlark.Thread, rule string) int {
	for depth := 1; depth < t.CallStackDepth(); depth++ {
		if pos := t.CallFrame(depth).Pos; pos.Filename() == rule {
			return int(pos.Line)
		}
	}
	return 0
}
