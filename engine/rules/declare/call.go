package declare

import (
	"fmt"

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

// invocation is a call of a function of this package.
type invocation struct {
	thread *starlark.Thread
	name   string // of the function
	args   starlark.Tuple
	kwargs []starlark.Tuple
}

// declaration is a call that declares something for the rule that is being loaded.
type declaration struct {
	invocation
	*loading
}

// declares makes a function for the tops of scripts. Anywhere else it fails.
func declares(fn func(*declaration) error) sandbox.Func {
	return func(t *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		call := invocation{t, b.Name(), args, kwargs}
		l, ok := t.Local(loadingKey).(*loading)
		if !ok {
			return nil, call.wrong("declarations stand at the top of a rule's script, not in a function that runs")
		}
		return starlark.None, fn(&declaration{call, l})
	}
}

// makes makes a function that returns a value of this package.
func makes(fn func(*invocation) (starlark.Value, error)) sandbox.Func {
	return func(t *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		return fn(&invocation{t, b.Name(), args, kwargs})
	}
}

// unpack reads the arguments: pairs of a name and the place for its value (see [starlark.UnpackArgs]).
func (call *invocation) unpack(pairs ...any) error {
	return starlark.UnpackArgs(call.name, call.args, call.kwargs, pairs...)
}

// wrong is an error that names the function.
func (call *invocation) wrong(format string, args ...any) error {
	return fmt.Errorf("%s: %w", call.name, fmt.Errorf(format, args...))
}

// function reads an argument that is a function or None.
func (call *invocation) function(name string, v starlark.Value) (starlark.Callable, error) {
	if v == nil || v == starlark.None {
		return nil, nil
	}
	fn, ok := v.(starlark.Callable)
	if !ok {
		return nil, call.wrong("%s must be a function, not %s", name, v.Type())
	}
	return fn, nil
}

// origin is the place of the declaration that is being made: the line of the rule that
// loads, also where a function of another rule declares on its behalf.
func (d *declaration) origin() Origin {
	return Origin{Rule: d.rule, Line: d.lineIn(d.rule)}
}

// lineIn returns the line of a rule from which the call comes, or 0.
func (call *invocation) lineIn(rule string) int {
	for depth := 1; depth < call.thread.CallStackDepth(); depth++ {
		if pos := call.thread.CallFrame(depth).Pos; pos.Filename() == rule {
			return int(pos.Line)
		}
	}
	return 0
}
