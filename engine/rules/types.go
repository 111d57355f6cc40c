package rules

import (
	"fmt"

	"go.starlark.net/starlark"

	"peernomic/engine/rules/internal/convert"
	"peernomic/engine/rules/sandbox"
	"peernomic/engine/state"
)

// typeValue is a type as scripts hold it: integer(min=0), row("things"), …
type typeValue struct {
	typ state.Type
	// choices computes the legal texts of a choice when they depend on the rules.
	choices starlark.Callable
	people  starlark.Callable // Secret: who reads it; nil: who makes it
	opens   starlark.Callable // Opening: which secret it shows
	// form tells the app of a type that a plain kind does not: "icon", "amendments".
	form string
}

var _ starlark.Value = (*typeValue)(nil)

func (t *typeValue) String() string        { return string(t.typ.Kind) }
func (t *typeValue) Type() string          { return "type" }
func (t *typeValue) Freeze()               {}
func (t *typeValue) Truth() starlark.Bool  { return true }
func (t *typeValue) Hash() (uint32, error) { return 0, fmt.Errorf("a type cannot be a key") }

// Types are the functions that make types.
var Types = sandbox.Builtins{
	{"integer", `integer(min=None, max=None): whole numbers, within the bounds if they are given.`, makeInteger},
	{"decimal", `decimal(places=2, min=None, max=None): exact numbers with at most so many digits behind the point, 1 to 9; the bounds are whole.`, makeDecimal},
	{"text", `text(max=200): one line of text of at most max characters.`, makeText(state.Text, 200)},
	{"prose", `prose(max=20000): Markdown of several lines, of at most max characters.`, makeText(state.Prose, 20000)},
	{"flag", `flag(): yes or no, True or False.`, makePlain(state.Flag, "")},
	{"choice", `choice(options): one of a list of texts, or of what a function returns when it is asked.`, makeChoice},
	{"several", `several(options, max=10): a list of at most max texts out of the options, or out of what a function returns when it is asked, in any order, also repeated.`, makeSeveral},
	{"player", `player(): somebody who plays, or None.`, makePlayer},
	{"row", `row(table): a row of a table, or None.`, makeRow},
	{"moment", `moment(): a point in time, in milliseconds since 1970, or None.`, makePlain(state.Moment, "")},
	{"data", `data(): anything: numbers, texts, lists, dicts.`, makePlain(state.Data, "")},
	{"secret", `secret(type, readers=None): a value that only its readers know until it is opened. As a parameter it takes a value of the type: the device of whoever acts commits to it before all and seals a copy for each reader; readers(me) names them, or it is me alone. A column of this type keeps it; secret.by is who committed to it.`, makeSecret},
	{"opening", `opening(of): a parameter that shows a secret to all; of(me) returns which, or None. The device of whoever acts adds it by itself; reveal() reads it.`, makeOpening},
	{"amendments", `amendments(): a list of changes to rules and gamestate, as a proposal carries them.`, makePlain(state.Data, "amendments")},
}

func makePlain(kind state.Kind, form string) sandbox.Func {
	return func(_ *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		if err := starlark.UnpackArgs(b.Name(), args, kwargs); err != nil {
			return nil, err
		}
		return &typeValue{typ: state.Type{Kind: kind}, form: form}, nil
	}
}

func makeInteger(_ *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var lo, hi starlark.Value = starlark.None, starlark.None
	if err := starlark.UnpackArgs(b.Name(), args, kwargs, "min?", &lo, "max?", &hi); err != nil {
		return nil, err
	}
	return bounded(b, state.Type{Kind: state.Integer}, lo, hi)
}

func makeDecimal(_ *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	places := 2
	var lo, hi starlark.Value = starlark.None, starlark.None
	if err := starlark.UnpackArgs(b.Name(), args, kwargs, "places?", &places, "min?", &lo, "max?", &hi); err != nil {
		return nil, err
	}
	if places < 1 || places > state.MaxPlaces {
		return nil, fmt.Errorf("%s: places must be from 1 to %d", b.Name(), state.MaxPlaces)
	}
	return bounded(b, state.Type{Kind: state.Decimal, Places: places}, lo, hi)
}

// bounded makes a type of numbers from lo to hi; None is no bound.
func bounded(b *starlark.Builtin, t state.Type, lo, hi starlark.Value) (starlark.Value, error) {
	for _, bound := range []struct {
		v  starlark.Value
		to **int64
	}{{lo, &t.Min}, {hi, &t.Max}} {
		if bound.v == starlark.None {
			continue
		}
		i, err := convert.Int64(bound.v)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", b.Name(), err)
		}
		*bound.to = &i
	}
	return &typeValue{typ: t}, nil
}

func makeText(kind state.Kind, longest int) sandbox.Func {
	return func(_ *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		n := longest
		if err := starlark.UnpackArgs(b.Name(), args, kwargs, "max?", &n); err != nil {
			return nil, err
		}
		if n < 1 || n > state.MaxText/4 {
			return nil, fmt.Errorf("%s: max must be from 1 to %d", b.Name(), state.MaxText/4)
		}
		return &typeValue{typ: state.Type{Kind: kind, MaxLen: n}}, nil
	}
}

func makeChoice(_ *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var options starlark.Value
	if err := starlark.UnpackArgs(b.Name(), args, kwargs, "options", &options); err != nil {
		return nil, err
	}
	t := &typeValue{typ: state.Type{Kind: state.Choice}}
	return t, t.offer(b, options)
}

// offer has a type allow the texts in options, or those that they return as a function.
func (t *typeValue) offer(b *starlark.Builtin, options starlark.Value) error {
	if fn, ok := options.(starlark.Callable); ok {
		t.choices = fn
		return nil
	}
	texts, err := convert.Texts(options)
	if err != nil {
		return fmt.Errorf("%s: options must be texts or a function: %w", b.Name(), err)
	}
	t.typ.Choices = texts
	return nil
}

func makeSeveral(_ *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var options starlark.Value
	most := 10
	if err := starlark.UnpackArgs(b.Name(), args, kwargs, "options", &options, "max?", &most); err != nil {
		return nil, err
	}
	if most < 1 || most > MaxChoices {
		return nil, fmt.Errorf("%s: max must be from 1 to %d", b.Name(), MaxChoices)
	}
	t := &typeValue{typ: state.Type{Kind: state.Several, MaxLen: most}}
	return t, t.offer(b, options)
}

func makePlayer(_ *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	if err := starlark.UnpackArgs(b.Name(), args, kwargs); err != nil {
		return nil, err
	}
	return &typeValue{typ: state.Type{Kind: state.Ref, Table: playersTable}}, nil
}

func makeRow(_ *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var table string
	if err := starlark.UnpackArgs(b.Name(), args, kwargs, "table", &table); err != nil {
		return nil, err
	}
	return &typeValue{typ: state.Type{Kind: state.Ref, Table: table}}, nil
}

func makeSecret(_ *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var of, readers starlark.Value
	if err := starlark.UnpackArgs(b.Name(), args, kwargs, "type", &of, "readers?", &readers); err != nil {
		return nil, err
	}
	inner, ok := of.(*typeValue)
	if !ok {
		return nil, fmt.Errorf("%s: the type must be one such as integer() or text(), not %s", b.Name(), of.Type())
	}
	switch inner.typ.Kind {
	case state.Integer, state.Text, state.Flag, state.Choice, state.Several:
	default:
		return nil, fmt.Errorf("%s: a secret is an integer(), text(), flag(), choice() or several(), not %s", b.Name(), inner.typ.Kind)
	}
	if inner.choices != nil {
		return nil, fmt.Errorf("%s: its choices must be a list, so that they are the same when it is opened", b.Name())
	}
	t := &typeValue{typ: state.Type{Kind: state.Secret, Of: &inner.typ}}
	var err error
	t.people, err = optionalFunction(b, "readers", readers)
	return t, err
}

func makeOpening(_ *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	t := &typeValue{typ: state.Type{Kind: state.Opening}}
	if err := starlark.UnpackArgs(b.Name(), args, kwargs, "of", &t.opens); err != nil {
		return nil, err
	}
	return t, nil
}
