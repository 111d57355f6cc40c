package rules

import (
	"errors"
	"fmt"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"peernomic/engine/rules/declare"
	"peernomic/engine/rules/sandbox"
	"peernomic/engine/secret"
	"peernomic/engine/state"
)

// sealedValue is a secret as scripts hold it: they see who committed to it, and nothing of
// what it says.
type sealedValue struct {
	w    *World
	of   state.Type
	kept secret.Secret
}

var _ starlark.Comparable = (*sealedValue)(nil)

func (s *sealedValue) String() string        { return "sealed" }
func (s *sealedValue) Type() string          { return "secret" }
func (s *sealedValue) Freeze()               {}
func (s *sealedValue) Truth() starlark.Bool  { return true }
func (s *sealedValue) Hash() (uint32, error) { return 0, fmt.Errorf("a secret cannot be a key") }
func (s *sealedValue) AttrNames() []string   { return []string{"by"} }
func (s *sealedValue) Attr(name string) (starlark.Value, error) {
	if name == "by" {
		return s.w.toStarlark(s.kept.Author, state.Type{Kind: state.Ref, Table: tablePlayers}), nil
	}
	return nil, nil
}

func (s *sealedValue) Cell() state.Value { return s.kept.Cell() }

// CompareSameType finds commitments equal, not what was committed to.
func (s *sealedValue) CompareSameType(op syntax.Token, y starlark.Value, _ int) (bool, error) {
	same := s.kept.Commitment == y.(*sealedValue).kept.Commitment
	switch op {
	case syntax.EQL:
		return same, nil
	case syntax.NEQ:
		return !same, nil
	}
	return false, fmt.Errorf("secrets have no order")
}

// openingValue is what shows a secret, as scripts hold it; only reveal() reads it.
type openingValue struct{ secret.Opening }

func (o *openingValue) String() string        { return "opening" }
func (o *openingValue) Type() string          { return "opening" }
func (o *openingValue) Freeze()               {}
func (o *openingValue) Truth() starlark.Bool  { return true }
func (o *openingValue) Hash() (uint32, error) { return 0, fmt.Errorf("an opening cannot be a key") }

// runReveal gives what a secret says, if the opening is its own.
func runReveal(call *sandbox.Invocation) (starlark.Value, error) {
	var s, o starlark.Value
	if err := call.Unpack("secret", &s, "opening", &o); err != nil {
		return nil, err
	}
	kept, ok := s.(*sealedValue)
	if !ok {
		return nil, call.Wrong("a secret is needed, not %s", s.Type())
	}
	opening, ok := o.(*openingValue)
	if !ok {
		return nil, call.Wrong("an opening is needed, not %s", o.Type())
	}
	if err := kept.kept.Check(opening.Opening); err != nil {
		return nil, &Refusal{Code: CodeArgument, Reason: err.Error()}
	}
	v, err := kept.of.Check(opening.Value)
	if err != nil {
		return nil, &Refusal{Code: CodeArgument, Reason: fmt.Sprintf("what was committed to is not allowed: %s", err)}
	}
	return kept.w.toStarlark(v, kept.of), nil
}

// secretArgument reads an argument that the acting device has made: a secret by the person
// who acts, or an opening.
func secretArgument(v state.Value, t state.Type, me int64) (state.Value, error) {
	if t.Kind == state.Opening {
		_, err := secret.ParseOpening(v)
		return v, err
	}
	s, err := secret.Parse(v)
	if err == nil && s.Author != me {
		err = errors.New("somebody else committed to this")
	}
	return v, err
}

// SecretParam is a parameter that the acting device makes of what the person says or of
// what it can open.
type SecretParam struct {
	Name    string
	Of      *state.Type // of a secret: what it says; nil of an opening
	Readers []int64     // of a secret: the people who can read it
	Opens   state.Value // of an opening: the cell of the secret that it shows
}

// SecretParams returns the secrets and openings among an action's parameters, as they are
// for a person now. It fails with a [*Refusal].
func (w *World) SecretParams(player int64, action string) ([]SecretParam, error) {
	decl := w.decl.Action(action)
	if decl == nil {
		return nil, nil
	}
	var out []SecretParam
	var failed error
	me := &row{w: w, table: tablePlayers, id: player}
	w.try(func(*run) {
		for _, p := range decl.Params {
			switch t := p.Type; t.Plain.Kind {
			case state.Secret:
				s := SecretParam{Name: p.Name, Of: t.Plain.Of, Readers: []int64{player}}
				if t.People != nil {
					s.Readers, failed = w.readers(t.People, me)
				}
				out = append(out, s)
			case state.Opening:
				v, err := w.look(t.Opens, nil, me)
				if err != nil {
					failed = err
					return
				}
				s := SecretParam{Name: p.Name}
				if sealed, ok := v.(*sealedValue); ok {
					s.Opens = sealed.kept.Cell()
				}
				out = append(out, s)
			}
		}
	})
	if failed != nil {
		return nil, refuse(failed, decl.Rule)
	}
	return out, nil
}

// readers asks a rule for the people who can read a secret of mine.
func (w *World) readers(fn starlark.Callable, me *row) ([]int64, error) {
	v, err := w.look(fn, nil, me)
	if err != nil {
		return nil, err
	}
	it, ok := v.(starlark.Iterable)
	if !ok {
		return nil, fmt.Errorf("readers must return a list of players, not %s", v.Type())
	}
	var out []int64
	for e := range starlark.Elements(it) {
		p, ok := e.(*row)
		if !ok || p.table != tablePlayers {
			return nil, fmt.Errorf("readers must return a list of players, not of %s", e.Type())
		}
		out = append(out, p.id)
	}
	return out, nil
}

// Private asks an action's rule what only the device of the acting person can judge. args are as the person gave them,
// before secrets are sealed. read returns what a secret says, if the device can open it. Private returns nil if the rule
// has no objection. The answer binds nobody: it keeps an honest player from a mistake that would show when the secret is
// opened.
func (w *World) Private(player int64, action string, args map[string]any, read func(cell state.Value) (state.Value, bool)) *Refusal {
	decl := w.decl.Action(action)
	if decl == nil || decl.Private == nil {
		return nil
	}
	var refused *Refusal
	me := &row{w: w, table: tablePlayers, id: player}
	reader := sandbox.Func(func(call *sandbox.Invocation) (starlark.Value, error) {
		var v starlark.Value
		if err := call.Unpack("secret", &v); err != nil {
			return nil, err
		}
		s, ok := v.(*sealedValue)
		if !ok {
			return starlark.None, nil
		}
		said, ok := read(s.kept.Cell())
		if !ok {
			return starlark.None, nil
		}
		return w.toStarlark(said, s.of), nil
	}).Builtin("read")
	w.try(func(*run) {
		kwargs, err := w.plainArguments(decl.Params, args)
		if err != nil {
			refused = refuse(err, decl.Rule)
			return
		}
		v, err := w.look(decl.Private, kwargs, me, reader)
		if err != nil {
			refused = refuse(err, decl.Rule)
			return
		}
		refused = reasonOf(v, decl.Rule)
	})
	return refused
}

// plainArguments are an action's arguments before they are sealed: secrets as what they say, and no openings.
func (w *World) plainArguments(params []*declare.Param, args map[string]any) ([]starlark.Tuple, error) {
	var plain []*declare.Param
	for _, p := range params {
		switch p.Type.Plain.Kind {
		case state.Secret:
			said := *p
			said.Type = &declare.Type{Plain: *p.Type.Plain.Of}
			plain = append(plain, &said)
		case state.Opening:
		default:
			plain = append(plain, p)
		}
	}
	return w.arguments(plain, args, 0)
}
