package rules

import (
	"go.starlark.net/starlark"
)

func runAsk(call *invocation) (starlark.Value, error) {
	if len(call.Args) == 0 || len(call.Kwargs) > 0 {
		return nil, call.Wrong("the question is needed, and then what it is about, without names")
	}
	question, ok := starlark.AsString(call.Args[0])
	if !ok {
		return nil, call.Wrong("the question is a text, not %s", call.Args[0].Type())
	}
	var out []starlark.Value
	for _, h := range call.w.decl.Answers[question] {
		v, err := call.call(h, nil, call.Args[1:]...)
		if err != nil {
			return nil, err
		}
		if v != starlark.None {
			out = append(out, v)
		}
	}
	return starlark.NewList(out), nil
}
