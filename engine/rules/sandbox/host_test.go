package sandbox

import (
	"fmt"
	"testing"

	"go.starlark.net/starlark"
)

// thing is a value of a host, as rows of tables are: fields that are read and written,
// and a method, some with names that methods of texts and lists have.
type thing struct{ fields map[string]starlark.Value }

var _ starlark.HasSetField = (*thing)(nil)

func (x *thing) String() string        { return "thing" }
func (x *thing) Type() string          { return "thing" }
func (x *thing) Freeze()               {}
func (x *thing) Truth() starlark.Bool  { return true }
func (x *thing) Hash() (uint32, error) { return 7, nil }
func (x *thing) AttrNames() []string   { return []string{"double", "index", "title"} }

func (x *thing) Attr(name string) (starlark.Value, error) {
	if name == "double" {
		return starlark.NewBuiltin(name, func(_ *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
			return args[0].(starlark.Int).Add(args[0].(starlark.Int)), nil
		}), nil
	}
	return x.fields[name], nil
}

func (x *thing) SetField(name string, v starlark.Value) error {
	if name == "sealed" {
		return fmt.Errorf("sealed")
	}
	x.fields[name] = v
	return nil
}

func evaluateWith(m *Meter, source string, more starlark.StringDict) (starlark.StringDict, error) {
	env := Universe()
	for name, v := range more {
		env[name] = v
	}
	p, err := Compile("test", source, env.Has)
	if err != nil {
		return nil, err
	}
	return p.Init(NewThread("test", m), env)
}

func TestHostValuesAreUsedAsAnyOther(t *testing.T) {
	x := &thing{fields: map[string]starlark.Value{"title": starlark.String("a"), "index": starlark.MakeInt(3), "count": starlark.MakeInt(1)}}
	calls := 0
	once := starlark.NewBuiltin("once", func(*starlark.Thread, *starlark.Builtin, starlark.Tuple, []starlark.Tuple) (starlark.Value, error) {
		calls++
		return x, nil
	})
	globals, err := evaluateWith(NewMeter(ActBudget), `
x.title += "b"
x.index -= 1
x.count = x.count + x.index
once().count += x.double(4)
l = {"x": [x]}
l["x"][0].title += "c"
out = [x.title, x.index, x.count, x.double(5), x == x, x in l["x"], {x: 1}[x], hasattr(x, "title"), hasattr(x, "none"), getattr(x, "none", 4), str(x)]
`, starlark.StringDict{"x": x, "once": once})
	if err != nil {
		t.Fatal(Error(err).Backtrace)
	}
	if got, want := globals["out"].String(), `["abc", 2, 11, 10, True, True, 1, True, False, 4, "thing"]`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if calls != 1 {
		t.Errorf("what is assigned to was evaluated %d times, want once", calls)
	}
	for _, source := range []string{`x.sealed = 1`, `x.none += 1`, `x.none`, `x.find`, `x["title"]`, `x["title"] = 1`} {
		if _, err := evaluateWith(NewMeter(ActBudget), source, starlark.StringDict{"x": x}); err == nil || Error(err).Code != CodeScript || Error(err).Position.Line != 1 {
			t.Errorf("%s: got %v, want a failure of the script in line 1", source, err)
		}
	}
}

func TestOrderOfEvaluationIsKept(t *testing.T) {
	const source = `
log = []
def at(x, v):
    log.append(x)
    return v
def f():
    l, d = [0, 0], {}
    at("x", l)[at("i", 0)] = at("v", 1)
    at("d", d)[at("k", "a")] = at("w", 1)
    at("e", d)[at("m", "a")] += at("u", 1)
    at("a", 1) + at("b", 2) * at("c", 3)
    {at("k1", 1): at("v1", 1), at("k2", 2): at("v2", 2)}
    {at("k3", k): at("v3", k) for k in range(2)}
f()
out = log`
	plain, err := starlark.ExecFileOptions(dialect(), &starlark.Thread{}, "plain", source, nil)
	if err != nil {
		t.Fatal(err)
	}
	rewritten, err := evaluate(NewMeter(ActBudget), source)
	if err != nil {
		t.Fatal(Error(err).Backtrace)
	}
	if got, want := rewritten["out"].String(), plain["out"].String(); got != want {
		t.Errorf("rewritten %s\nas it is  %s", got, want)
	}
}

// TestWhatIsNotPredeclaredIsNotTheEvaluators compiles for a caller that predeclares
// nothing: the evaluator's own functions must not shine through.
func TestWhatIsNotPredeclaredIsNotTheEvaluators(t *testing.T) {
	for name := range starlark.Universe {
		if _, ok := universe[name]; !ok {
			t.Errorf("%s is neither replaced nor missing", name)
		}
	}
	p, err := Compile("test", `x = float("1")`, func(string) bool { return false })
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Init(NewThread("test", NewMeter(ActBudget)), nil); err == nil {
		t.Error("a script made a float")
	}
	if _, err := Compile("test", "x = $key(1)", func(string) bool { return true }); err == nil {
		t.Error("a script named a guard")
	}
}

func TestFailuresAreOfBoundedLengthAndNameNoGuard(t *testing.T) {
	_, err := evaluate(NewMeter(ActBudget), "def f():\n    return [] + {}\nf()")
	f := Error(err)
	if f.Code != CodeScript || f.Backtrace == "" {
		t.Fatalf("got %+v", f)
	}
	for _, r := range f.Backtrace {
		if r == '$' {
			t.Errorf("the backtrace names a guard:\n%s", f.Backtrace)
			break
		}
	}
	_, err = evaluate(NewMeter(ActBudget), `fail("é" * 100000)`)
	if f := Error(err); f.Code != CodeScript || len(f.Message) > MaxMessage || len(f.Backtrace) > MaxBacktrace {
		t.Errorf("a message of %d bytes and a backtrace of %d", len(f.Message), len(f.Backtrace))
	}
}

// TestWhatTheHostHandsOutIsCharged reads and writes large cells of a host value, over and
// over, and calls its functions with large arguments.
func TestWhatTheHostHandsOutIsCharged(t *testing.T) {
	wide := make(starlark.Tuple, 10_000)
	for i := range wide {
		wide[i] = starlark.MakeInt(i)
	}
	admitted := starlark.NewBuiltin("take", func(t *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		return starlark.None, Admit(t, args, kwargs)
	})
	for source, code := range map[string]Code{
		"for i in range(100000):\n    x.wide":                      CodeSteps,
		"for i in range(100000):\n    getattr(x, \"wide\")":        CodeSteps,
		"w = [0] * 10000\nfor i in range(100000):\n    x.wide = w": CodeSteps,
		"w = [0] * 10000\nfor i in range(100000):\n    take(w)":    CodeSteps,
		"w = [0] * 10000\nfor i in range(100000):\n    take(k=w)":  CodeSteps,
		"x.wide = (((0,) * 1000,) * 1000,) * 1000":                 CodeMemory,
		"take((((0,) * 1000,) * 1000,) * 1000)":                    CodeMemory,
		"for i in range(1000000):\n    take()":                     CodeSteps,
		"x.wide, y = 1, 2":                                         CodeSyntax,
		"for x.wide in range(3):\n    pass":                        CodeSyntax,
	} {
		x := &thing{fields: map[string]starlark.Value{"wide": wide}}
		m := NewMeter(ActBudget)
		if _, err := evaluateWith(m, source, starlark.StringDict{"x": x, "take": admitted}); err == nil || Error(err).Code != code {
			t.Errorf("%s:\ngot %v with %+v left, want %s", source, err, m.Left(), code)
		}
	}
}
