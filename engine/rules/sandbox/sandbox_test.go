package sandbox

import (
	"testing"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// ordinary are programs that set out, each computed once as it is and once rewritten.
var ordinary = []string{
	`out = 1 + 2 * 3 - 7 // 2 % 3`,
	`out = (1 << 10) | 3 & 5 ^ 9`,
	`out = "a" + "b" * 3 + "%s-%d" % ("x", 5)`,
	`out = [1, 2] + [3] * 2 + [x * x for x in range(5) if x % 2 == 0]`,
	`out = {k: v for k, v in [("a", 1), ("b", 2)]}`,
	`out = sorted([3, 1, 2], key=lambda x: -x) + list(reversed([1, 2])) + [max(1, 2), min([4, 3])]`,
	`out = ["x,y".split(","), "-".join(["a", "b"]), "aXb".replace("X", "--"), "{}:{b}".format(1, b=2), " a ".strip(), "Ab".upper()]`,
	`out = [any([0, 1]), all([]), zip([1], [2]), enumerate(["a"]), len({"a": 1}), str([1, "a", None]), repr("x"), int("12"), abs(-3)]`,
	`
def f():
    l = [1, 2, 3]
    k = l
    l += [4]
    l[0] += 10
    l[-1] *= 2
    d = {"a": [1]}
    d["a"] += [2]
    d["b"] = 5
    d["b"] -= 1
    d |= {"c": 1}
    return [l, k, d, l == k, l[1:3], l[::-1], 2 in l, "z" not in d, d.get("q", 9), d.items()]
out = f()`,
	`
def f(a, b=2, *args, **kwargs):
    return [a, b, args, kwargs]
out = [f(1), f(1, 3, *[4, 5], **{"x": 6}), f(b=1, a=0)]`,
	`
def f():
    out = []
    for i, (a, b) in enumerate([(1, 2), (3, 4)]):
        if a < b and not i or a == 3:
            out.append((i, a, b))
        elif a:
            break
    s = set([1, 2]) | set([3])
    return [out, 3 in s, (1, (2, 3)) in {(1, (2, 3)): 0}, [] if out else None, -1, +2, ~3]
out = f()`,
	`
x = [3]
def f():
    n = 1
    n += 2
    n -= 1
    n *= 7
    n //= 2
    n %= 5
    n <<= 3
    n >>= 1
    n |= 1
    n ^= 2
    n &= 15
    return n
out = [f(), x[0], x.index(3), getattr(x, "pop")(), hasattr("s", "join"), type(x)]`,
}

func TestRewritingKeepsTheMeaning(t *testing.T) {
	for _, source := range ordinary {
		opts := &syntax.FileOptions{TopLevelControl: true, Set: true}
		plain, err := starlark.ExecFileOptions(opts, &starlark.Thread{}, "plain", source, nil)
		if err != nil {
			t.Fatalf("%s\nas it is: %v", source, err)
		}
		rewritten, err := evaluate(NewMeter(ActBudget), source)
		if err != nil {
			t.Fatalf("%s\nrewritten: %v", source, Error(err).Backtrace)
		}
		if got, want := rewritten["out"].String(), plain["out"].String(); got != want {
			t.Errorf("%s\nrewritten %s\nas it is  %s", source, got, want)
		}
	}
}

func TestFailuresNameTheLine(t *testing.T) {
	for _, c := range []struct {
		source string
		line   int
		code   Code
	}{
		{"x = 1\ny = \"a\" + 1", 2, CodeScript},
		{"\n\nx = [1][5]", 3, CodeScript},
		{"def f():\n    d = {}\n    d[\"a\"] += 1\nf()", 3, CodeScript},
		{"x = 1\n\nfail(\"no\")", 3, CodeScript},
		{"x = (", 1, CodeSyntax},
		{"x = y", 1, CodeSyntax},
		{"x = 1\ny = 3 / 2", 2, CodeSyntax},
		{"def f():\n    for i in range(1000000):\n        for j in range(1000000):\n            pass\nf()", 3, CodeSteps},
	} {
		_, err := evaluate(NewMeter(ActBudget), c.source)
		if err == nil {
			t.Errorf("%q did not fail", c.source)
			continue
		}
		if f := Error(err); f.Position.Line != c.line && f.Code != CodeSteps || f.Code != c.code {
			t.Errorf("%q: %s at line %d (%s), want %s at line %d", c.source, f.Code, f.Position.Line, f.Message, c.code, c.line)
		}
	}
}

// TestNestedEvaluationsShareTheBudget calls back into a script from a built-in function.
func TestNestedEvaluationsShareTheBudget(t *testing.T) {
	m := NewMeter(ActBudget)
	env := Universe()
	env["again"] = starlark.NewBuiltin("again", func(_ *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
		return Call(NewThread("inner", m), args[0].(starlark.Callable), nil, nil)
	})
	p, err := Compile("test", `
def inner():
    for i in range(10000):
        pass
def outer():
    for i in range(1000):
        again(inner)
outer()`, env.Has)
	if err != nil {
		t.Fatal(err)
	}
	_, err = p.Init(NewThread("outer", m), env)
	if err == nil || Error(err).Code != CodeSteps {
		t.Fatalf("got %v, want the common budget used up", err)
	}
}

func TestPanicInAHostValueIsAFailure(t *testing.T) {
	m := NewMeter(ActBudget)
	env := Universe()
	env["crash"] = starlark.NewBuiltin("crash", func(*starlark.Thread, *starlark.Builtin, starlark.Tuple, []starlark.Tuple) (starlark.Value, error) {
		panic("a bug")
	})
	p, err := Compile("test", "crash()", env.Has)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Init(NewThread("test", m), env); err == nil || Error(err).Code != CodeInternal {
		t.Fatalf("got %v, want an internal failure", err)
	}
}

func FuzzCompile(f *testing.F) {
	for _, source := range ordinary {
		f.Add(source)
	}
	f.Add("x = $add(1)")
	f.Add("def f(:")
	f.Fuzz(func(t *testing.T, source string) {
		m := NewMeter(Budget{Steps: 20_000, Memory: 1 << 20})
		if _, err := evaluate(m, source); err != nil && Error(err).Code == CodeInternal {
			t.Fatalf("%q: %v", source, err)
		}
	})
}

func BenchmarkRewritten(b *testing.B) {
	const source = `
def f():
    n = 0
    for i in range(5000):
        n = (n + i * 7) % 1000
        if n == 3 or n < 2:
            n += 1
    return n
out = f()`
	b.Run("plain", func(b *testing.B) {
		for b.Loop() {
			if _, err := starlark.ExecFileOptions(&syntax.FileOptions{}, &starlark.Thread{}, "plain", source, nil); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("rewritten", func(b *testing.B) {
		for b.Loop() {
			if _, err := evaluate(NewMeter(ActBudget), source); err != nil {
				b.Fatal(err)
			}
		}
	})
}
