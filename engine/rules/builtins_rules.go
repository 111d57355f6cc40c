package rules

import (
	"go.starlark.net/starlark"
)

func runSubrules(call *invocation) (starlark.Value, error) {
	return aboutRule(call, func(w *World, id int64) starlark.Value {
		var out []starlark.Value
		if id != 0 {
			for _, sub := range w.siblings(w.int(tableRules, id, "section"), id) {
				out = append(out, starlark.String(w.expandWords(w.text(tableRules, sub, "title"))))
			}
		}
		return starlark.NewList(out)
	})
}

func runHasRule(call *invocation) (starlark.Value, error) {
	return aboutRule(call, func(_ *World, id int64) starlark.Value { return starlark.Bool(id != 0) })
}

func runRuleNumber(call *invocation) (starlark.Value, error) {
	return aboutRule(call, func(w *World, id int64) starlark.Value {
		if id == 0 {
			return starlark.String("")
		}
		return starlark.String(w.ruleNumber(id))
	})
}

func aboutRule(call *invocation, tell func(*World, int64) starlark.Value) (starlark.Value, error) {
	var title string
	if err := call.Unpack("title", &title); err != nil {
		return nil, err
	}
	return tell(call.w, call.w.ruleTitled(title)), nil
}

func runActionRule(call *invocation) (starlark.Value, error) {
	var name string
	if err := call.Unpack("name", &name); err != nil {
		return nil, err
	}
	if a := call.w.decl.Action(name); a != nil {
		return starlark.String(a.Rule), nil
	}
	return starlark.String(""), nil
}

func runWord(call *invocation) (starlark.Value, error) {
	var key string
	if err := call.Unpack("key", &key); err != nil {
		return nil, err
	}
	if v, ok := call.w.word(key); ok {
		return starlark.String(v), nil
	}
	return starlark.String(key), nil
}

func runOption(call *invocation) (starlark.Value, error) {
	var name string
	if err := call.Unpack("name", &name); err != nil {
		return nil, err
	}
	v, ok := call.w.option(name)
	if !ok {
		return nil, call.Wrong("no rule offers the option %q", name)
	}
	return starlark.String(v), nil
}
