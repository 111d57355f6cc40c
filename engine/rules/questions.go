package rules

import (
	"fmt"

	"go.starlark.net/starlark"
)

func runAsk(t *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	if len(args) == 0 || len(kwargs) > 0 {
		return nil, fmt.Errorf("%s: the question is needed, and then what it is about, without names", b.Name())
	}
	question, ok := starlark.AsString(args[0])
	if !ok {
		return nil, fmt.Errorf("%s: the question is a text, not %s", b.Name(), args[0].Type())
	}
	r, err := running(t, b)
	if err != nil {
		return nil, err
	}
	var out []starlark.Value
	for _, h := range r.w.decl.Answers[question] {
		v, err := r.call(h, nil, args[1:]...)
		if err != nil {
			return nil, err
		}
		if v != starlark.None {
			out = append(out, v)
		}
	}
	return starlark.NewList(out), nil
}
