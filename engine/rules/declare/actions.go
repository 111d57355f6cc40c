package declare

import (
	"fmt"
	"slices"

	"go.starlark.net/starlark"

	"peernomic/engine/rules/document"
	"peernomic/engine/rules/sandbox"
	"peernomic/engine/state"
)

// paramValue is what param() returns.
type paramValue struct{ Param }

func (p *paramValue) String() string { return p.Name }

func (p *paramValue) Type() string { return "param" }

func (p *paramValue) Freeze() {}

func (p *paramValue) Truth() starlark.Bool { return true }

func (p *paramValue) Hash() (uint32, error) { return 0, fmt.Errorf("a param cannot be a key") }

func makeParam(call *sandbox.Invocation) (starlark.Value, error) {
	p := &paramValue{}
	var typ, choices, initial starlark.Value
	if err := call.Unpack("name", &p.Name, "type", &typ, "label?", &p.Label, "choices?", &choices,
		"default?", &initial, "optional?", &p.Optional, "help?", &p.Help); err != nil {
		return nil, err
	}
	if err := checkName(p.Name); err != nil {
		return nil, call.Wrong("%w", err)
	}
	var ok bool
	if p.Param.Type, ok = typ.(*Type); !ok {
		return nil, call.Wrong("the type of %s must be one such as integer() or text(), not %s", p.Name, typ.Type())
	}
	var err error
	if p.Choices, err = optionalFunction(call, "choices", choices); err != nil {
		return nil, err
	}
	if initial != nil && initial != starlark.None {
		p.Initial = initial
	}
	if p.Label == "" {
		p.Label = titleOf(p.Name)
	}
	return p, nil
}

// unpackParams reads a list of what param() returned.
func unpackParams(call *sandbox.Invocation, list starlark.Iterable) ([]*Param, error) {
	var params []*Param
	if list == nil {
		return nil, nil
	}
	for e := range starlark.Elements(list) {
		p, ok := e.(*paramValue)
		if !ok {
			return nil, call.Wrong("params must be made with param(), not %s", e.Type())
		}
		if slices.ContainsFunc(params, func(q *Param) bool { return q.Name == p.Name }) {
			return nil, call.Wrong("there are two params %s", p.Name)
		}
		params = append(params, &p.Param)
	}
	return params, nil
}

func declareAction(call *declaration) error {
	a := &Action{Origin: call.origin(), Who: starlark.String("player")}
	var params starlark.Iterable
	var guard, every, private, discreet starlark.Value
	if err := call.Unpack("name", &a.Name, "run", &a.Run, "params?", &params, "who?", &a.Who, "guard?", &guard,
		"every?", &every, "group?", &a.Group, "help?", &a.Help, "dice?", &a.Dice, "form?", &a.Form, "title?", &a.Title, "private?", &private, "discreet?", &discreet); err != nil {
		return err
	}
	if a.Name == "" || len(a.Name) > document.MaxTitle {
		return call.Wrong("a name is needed, of at most %d bytes", document.MaxTitle)
	}
	if call.decl.Action(a.Name) != nil || a.Name == ActionDecide {
		return call.Wrong("there is an action %q already", a.Name)
	}
	var err error
	if a.Params, err = unpackParams(call.Invocation, params); err != nil {
		return err
	}
	if a.Guard, err = optionalFunction(call.Invocation, "guard", guard); err != nil {
		return err
	}
	if a.Private, err = optionalFunction(call.Invocation, "private", private); err != nil {
		return err
	}
	if a.Discreet, err = optionalFunction(call.Invocation, "discreet", discreet); err != nil {
		return err
	}
	switch who := a.Who.(type) {
	case starlark.String:
		if who != "player" && who != "anyone" {
			return call.Wrong(`who must be "player", "anyone" or a function, not %s`, who)
		}
	case starlark.Callable:
	default:
		return call.Wrong(`who must be "player", "anyone" or a function, not %s`, who.Type())
	}
	if every != nil && every != starlark.None {
		c, ok := every.(*Cadence)
		if !ok {
			return call.Wrong("every must be daily(), weekly(), per_day() or once(), not %s", every.Type())
		}
		own := *c
		if own.Share == "" {
			own.Share = a.Name
		}
		a.Every = &own
	}
	if a.Title == "" {
		a.Title = a.Name
	}
	call.decl.Actions = append(call.decl.Actions, a)
	return nil
}

func declareMeasure(call *declaration) error {
	m := &Measure{Origin: call.origin()}
	var params starlark.Iterable
	var check starlark.Value
	if err := call.Unpack("name", &m.Name, "run", &m.Run, "params?", &params, "check?", &check, "help?", &m.Help); err != nil {
		return err
	}
	if call.decl.Measures[m.Name] != nil {
		return call.Wrong("there is a measure %q already", m.Name)
	}
	var err error
	if m.Params, err = unpackParams(call.Invocation, params); err != nil {
		return err
	}
	for _, p := range m.Params {
		if k := p.Type.Plain.Kind; k == state.Secret || k == state.Opening {
			return call.Wrong("a proposal is public: its parameter %s cannot be of the type %s", p.Name, k)
		}
	}
	if m.Check, err = optionalFunction(call.Invocation, "check", check); err != nil {
		return err
	}
	call.decl.Measures[m.Name] = m
	return nil
}

func declareGate(call *declaration) error {
	return declareHook(call, func(d *Declarations) *[]Hook { return &d.Gates })
}
