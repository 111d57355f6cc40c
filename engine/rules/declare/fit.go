package declare

import (
	"fmt"
	"slices"

	"go.starlark.net/starlark"

	"peernomic/engine/state"
)

// fit tells why a function cannot be called with so many values, or returns nil.
func fit(role string, fn starlark.Callable, given int) []string {
	return fitNamed(role, fn, given, nil)
}

// fitNamed tells why a function cannot be called with so many values and then, by their names,
// the parameters of an action or a measure.
func fitNamed(role string, fn starlark.Callable, given int, params []*Param) []string {
	f, ok := fn.(*starlark.Function) // a function of the kernel looks at its arguments itself
	if !ok {
		return nil
	}
	var out []string
	named := f.NumParams()
	if f.HasVarargs() {
		named--
	}
	if f.HasKwargs() {
		named--
	}
	places := named - f.NumKwonlyParams()
	if given > places && !f.HasVarargs() {
		out = append(out, fmt.Sprintf("%s is called with %s, and %s takes %d", role, number(given, "value"), f.Name(), places))
	}
	for i := range named {
		name, _ := f.Param(i)
		offered := slices.ContainsFunc(params, func(p *Param) bool { return p.Name == name })
		switch {
		case i < min(given, places) && offered:
			out = append(out, fmt.Sprintf("%s of %s is given by its place, so no parameter can be called so", name, f.Name()))
		case i >= min(given, places) && !offered && f.ParamDefault(i) == nil:
			out = append(out, fmt.Sprintf("%s needs %q, which %s is not given", f.Name(), name, role))
		}
	}
	for _, p := range params {
		takes := f.HasKwargs()
		for i := range named {
			name, _ := f.Param(i)
			takes = takes || name == p.Name
		}
		if !takes {
			out = append(out, fmt.Sprintf("%s does not take its parameter %q", f.Name(), p.Name))
		}
	}
	return out
}

func number(n int, one string) string {
	if n == 1 {
		return "one " + one
	}
	return fmt.Sprintf("%d %ss", n, one)
}

// unfitParams tells which parameters nobody can ever fill in.
func unfitParams(params []*Param) []string {
	var out []string
	for _, p := range params {
		out = append(out, fit("choices of "+p.Name, p.Choices, 1)...)
		if fn, ok := p.Initial.(starlark.Callable); ok {
			out = append(out, fit("default of "+p.Name, fn, 1)...)
		}
		if p.Choices != nil || !p.Optional {
			out = append(out, p.Type.unfit()...)
		}
	}
	return out
}

// unfit tells why no value is of the type.
func (t *Type) unfit() []string {
	out := fit("choice", t.Choices, 0)
	switch {
	case t.Plain.Kind == state.Choice && t.Choices == nil && len(t.Plain.Choices) == 0:
		out = append(out, "there is nothing to choose from")
	case t.Plain.Kind == state.Integer && t.Plain.Min != nil && t.Plain.Max != nil && *t.Plain.Min > *t.Plain.Max:
		out = append(out, fmt.Sprintf("no number is from %d to %d", *t.Plain.Min, *t.Plain.Max))
	}
	return out
}
