package rules

import (
	"fmt"
	"slices"

	"go.starlark.net/starlark"

	"peernomic/engine/rules/document"
	"peernomic/engine/state"
)

// paramValue is what param() returns.
type paramValue struct{ paramDecl }

func (p *paramValue) String() string { return p.name }

func (p *paramValue) Type() string { return "param" }

func (p *paramValue) Freeze() {}

func (p *paramValue) Truth() starlark.Bool { return true }

func (p *paramValue) Hash() (uint32, error) { return 0, fmt.Errorf("a param cannot be a key") }

func makeParam(_ *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	p := &paramValue{}
	var typ, choices, initial starlark.Value
	if err := starlark.UnpackArgs(b.Name(), args, kwargs, "name", &p.name, "type", &typ, "label?", &p.label, "choices?", &choices,
		"default?", &initial, "optional?", &p.optional, "help?", &p.help); err != nil {
		return nil, err
	}
	if err := checkName(p.name); err != nil {
		return nil, fmt.Errorf("%s: %w", b.Name(), err)
	}
	var ok bool
	if p.paramDecl.typ, ok = typ.(*typeValue); !ok {
		return nil, fmt.Errorf("%s: the type of %s must be one such as integer() or text(), not %s", b.Name(), p.name, typ.Type())
	}
	var err error
	if p.choices, err = optionalFunction(b, "choices", choices); err != nil {
		return nil, err
	}
	if initial != nil && initial != starlark.None {
		p.initial = initial
	}
	if p.label == "" {
		p.label = titleOf(p.name)
	}
	return p, nil
}

func unpackParams(b *starlark.Builtin, list starlark.Iterable) ([]*paramDecl, error) {
	var params []*paramDecl
	if list == nil {
		return nil, nil
	}
	for e := range starlark.Elements(list) {
		p, ok := e.(*paramValue)
		if !ok {
			return nil, fmt.Errorf("%s: params must be made with param(), not %s", b.Name(), e.Type())
		}
		if slices.ContainsFunc(params, func(q *paramDecl) bool { return q.name == p.name }) {
			return nil, fmt.Errorf("%s: there are two params %s", b.Name(), p.name)
		}
		params = append(params, &p.paramDecl)
	}
	return params, nil
}

func declareAction(t *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	l, err := whileLoading(t, b)
	if err != nil {
		return nil, err
	}
	a := &actionDecl{origin: l.origin(t), who: starlark.String("player")}
	var params starlark.Iterable
	var guard, every, private, discreet starlark.Value
	if err := starlark.UnpackArgs(b.Name(), args, kwargs, "name", &a.name, "run", &a.run, "params?", &params, "who?", &a.who, "guard?", &guard,
		"every?", &every, "group?", &a.group, "help?", &a.help, "dice?", &a.dice, "form?", &a.form, "title?", &a.title, "private?", &private, "discreet?", &discreet); err != nil {
		return nil, err
	}
	if a.name == "" || len(a.name) > document.MaxTitle {
		return nil, fmt.Errorf("%s: a name is needed, of at most %d bytes", b.Name(), document.MaxTitle)
	}
	if l.decl.action(a.name) != nil || a.name == decideName {
		return nil, fmt.Errorf("%s: there is an action %q already", b.Name(), a.name)
	}
	if a.params, err = unpackParams(b, params); err != nil {
		return nil, err
	}
	if a.guard, err = optionalFunction(b, "guard", guard); err != nil {
		return nil, err
	}
	if a.private, err = optionalFunction(b, "private", private); err != nil {
		return nil, err
	}
	if a.discreet, err = optionalFunction(b, "discreet", discreet); err != nil {
		return nil, err
	}
	switch who := a.who.(type) {
	case starlark.String:
		if who != "player" && who != "anyone" {
			return nil, fmt.Errorf(`%s: who must be "player", "anyone" or a function, not %s`, b.Name(), who)
		}
	case starlark.Callable:
	default:
		return nil, fmt.Errorf(`%s: who must be "player", "anyone" or a function, not %s`, b.Name(), who.Type())
	}
	if every != nil && every != starlark.None {
		c, ok := every.(*cadence)
		if !ok {
			return nil, fmt.Errorf("%s: every must be daily(), weekly(), per_day() or once(), not %s", b.Name(), every.Type())
		}
		own := *c
		if own.share == "" {
			own.share = a.name
		}
		a.every = &own
	}
	if a.title == "" {
		a.title = a.name
	}
	l.decl.actions = append(l.decl.actions, a)
	return starlark.None, nil
}

func declareMeasure(t *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	l, err := whileLoading(t, b)
	if err != nil {
		return nil, err
	}
	m := &measureDecl{origin: l.origin(t)}
	var params starlark.Iterable
	var check starlark.Value
	if err := starlark.UnpackArgs(b.Name(), args, kwargs, "name", &m.name, "run", &m.run, "params?", &params, "check?", &check, "help?", &m.help); err != nil {
		return nil, err
	}
	if l.decl.measures[m.name] != nil {
		return nil, fmt.Errorf("%s: there is a measure %q already", b.Name(), m.name)
	}
	if m.params, err = unpackParams(b, params); err != nil {
		return nil, err
	}
	for _, p := range m.params {
		if k := p.typ.typ.Kind; k == state.Secret || k == state.Opening {
			return nil, fmt.Errorf("%s: a proposal is public: its parameter %s cannot be of the type %s", b.Name(), p.name, k)
		}
	}
	if m.check, err = optionalFunction(b, "check", check); err != nil {
		return nil, err
	}
	l.decl.measures[m.name] = m
	return starlark.None, nil
}

func declareGate(t *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	return declareHook(t, b, args, kwargs, func(d *declarations) *[]hook { return &d.gates })
}
