package declare

import (
	"fmt"

	"go.starlark.net/starlark"

	"peernomic/engine/rules/internal/convert"
	"peernomic/engine/rules/sandbox"
	"peernomic/engine/state"
)

// Type is a type as scripts hold it: integer(min=0), row("things"), … Two types may be the same for cells and differ in
// what rules compute of them.
type Type struct {
	Plain state.Type
	// Choices computes the legal texts of a choice when they depend on the rules; then Plain has none.
	Choices starlark.Callable
	People  starlark.Callable // of a secret: its readers; nil if it is the person who makes it
	Opens   starlark.Callable // of an opening: which secret it shows
	// Form tells the app of a type that a plain kind does not: "amendments".
	Form string
}

var _ starlark.Value = (*Type)(nil)

func (t *Type) String() string        { return string(t.Plain.Kind) }
func (t *Type) Type() string          { return "type" }
func (t *Type) Freeze()               {}
func (t *Type) Truth() starlark.Bool  { return true }
func (t *Type) Hash() (uint32, error) { return 0, fmt.Errorf("a type cannot be a key") }

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
	return func(call *sandbox.Invocation) (starlark.Value, error) {
		if err := call.Unpack(); err != nil {
			return nil, err
		}
		return &Type{Plain: state.Type{Kind: kind}, Form: form}, nil
	}
}

func makeInteger(call *sandbox.Invocation) (starlark.Value, error) {
	var lo, hi starlark.Value = starlark.None, starlark.None
	if err := call.Unpack("min?", &lo, "max?", &hi); err != nil {
		return nil, err
	}
	return bounded(call, state.Type{Kind: state.Integer}, lo, hi)
}

func makeDecimal(call *sandbox.Invocation) (starlark.Value, error) {
	places := 2
	var lo, hi starlark.Value = starlark.None, starlark.None
	if err := call.Unpack("places?", &places, "min?", &lo, "max?", &hi); err != nil {
		return nil, err
	}
	if places < 1 || places > state.MaxPlaces {
		return nil, call.Wrong("places must be from 1 to %d", state.MaxPlaces)
	}
	return bounded(call, state.Type{Kind: state.Decimal, Places: places}, lo, hi)
}

// bounded makes a type of numbers from lo to hi; None is no bound.
func bounded(call *sandbox.Invocation, t state.Type, lo, hi starlark.Value) (starlark.Value, error) {
	for _, bound := range []struct {
		v  starlark.Value
		to **int64
	}{{lo, &t.Min}, {hi, &t.Max}} {
		if bound.v == starlark.None {
			continue
		}
		i, err := convert.Int64(bound.v)
		if err != nil {
			return nil, call.Wrong("%w", err)
		}
		*bound.to = &i
	}
	return &Type{Plain: t}, nil
}

func makeText(kind state.Kind, longest int) sandbox.Func {
	return func(call *sandbox.Invocation) (starlark.Value, error) {
		n := longest
		if err := call.Unpack("max?", &n); err != nil {
			return nil, err
		}
		if n < 1 || n > state.MaxText/4 {
			return nil, call.Wrong("max must be from 1 to %d", state.MaxText/4)
		}
		return &Type{Plain: state.Type{Kind: kind, MaxLen: n}}, nil
	}
}

func makeChoice(call *sandbox.Invocation) (starlark.Value, error) {
	var options starlark.Value
	if err := call.Unpack("options", &options); err != nil {
		return nil, err
	}
	t := &Type{Plain: state.Type{Kind: state.Choice}}
	return t, offer(call, t, options)
}

// offer has a type allow the texts in options, or those that they return as a function.
func offer(call *sandbox.Invocation, t *Type, options starlark.Value) error {
	if fn, ok := options.(starlark.Callable); ok {
		t.Choices = fn
		return nil
	}
	texts, err := convert.Texts(options)
	if err != nil {
		return call.Wrong("options must be texts or a function: %w", err)
	}
	t.Plain.Choices = texts
	return nil
}

func makeSeveral(call *sandbox.Invocation) (starlark.Value, error) {
	var options starlark.Value
	most := 10
	if err := call.Unpack("options", &options, "max?", &most); err != nil {
		return nil, err
	}
	if most < 1 || most > MaxChoices {
		return nil, call.Wrong("max must be from 1 to %d", MaxChoices)
	}
	t := &Type{Plain: state.Type{Kind: state.Several, MaxLen: most}}
	return t, offer(call, t, options)
}

func makePlayer(call *sandbox.Invocation) (starlark.Value, error) {
	if err := call.Unpack(); err != nil {
		return nil, err
	}
	return &Type{Plain: state.Type{Kind: state.Ref, Table: PlayersTable}}, nil
}

func makeRow(call *sandbox.Invocation) (starlark.Value, error) {
	var table string
	if err := call.Unpack("table", &table); err != nil {
		return nil, err
	}
	return &Type{Plain: state.Type{Kind: state.Ref, Table: table}}, nil
}

func makeSecret(call *sandbox.Invocation) (starlark.Value, error) {
	var of, readers starlark.Value
	if err := call.Unpack("type", &of, "readers?", &readers); err != nil {
		return nil, err
	}
	inner, ok := of.(*Type)
	if !ok {
		return nil, call.Wrong("the type must be one such as integer() or text(), not %s", of.Type())
	}
	switch inner.Plain.Kind {
	case state.Integer, state.Text, state.Flag, state.Choice, state.Several:
	default:
		return nil, call.Wrong("a secret is an integer(), text(), flag(), choice() or several(), not %s", inner.Plain.Kind)
	}
	if inner.Choices != nil {
		return nil, call.Wrong("its choices must be a list, so that they are the same when it is opened")
	}
	t := &Type{Plain: state.Type{Kind: state.Secret, Of: &inner.Plain}}
	var err error
	t.People, err = optionalFunction(call, "readers", readers)
	return t, err
}

func makeOpening(call *sandbox.Invocation) (starlark.Value, error) {
	t := &Type{Plain: state.Type{Kind: state.Opening}}
	if err := call.Unpack("of", &t.Opens); err != nil {
		return nil, err
	}
	return t, nil
}
