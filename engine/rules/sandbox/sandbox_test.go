package sandbox

import (
	"os"
	"path/filepath"
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
def f():
    "Documented."
    d = {i: str(i) for i in range(40) if i % 3}
    d.pop(1)
    d.update({"a": 1}, b=2)
    d.setdefault("c", 3)
    e = dict(d)
    d.clear()
    e["x"], e["y"] = 1, [2]
    e["y"] += [3]
    for e["z"] in range(3):
        pass
    return [d, e, e == dict(e), e.popitem(), e.keys(), e.values(), {} == {}, {1: {2: 3}} == {1: {2: 3}}]
out = f()`,
	`
def f():
    s = set([3, 1, 2])
    t = set([2, 5])
    s.add(9)
    s.discard(4)
    s.remove(1)
    return [s | t, s & t, s - t, s ^ t, s.union(t), s.intersection(t), s.difference(t), s.symmetric_difference(t), s < t, s >= set([3]), s.issubset(t), s.pop(), len(s)]
out = f()`,
	`
def f():
    l = [3, 1]
    l.append(2)
    l.insert(1, 7)
    l.extend((8, 9))
    l.remove(1)
    l += range(2)
    return [l, l.pop(), l.pop(0), l.index(8), l * 2, sorted(l, reverse=True), sorted(["b", "A", "c"], key=lambda s: s.lower()), max(l), min("b", "a"), max([1, 5, 5], key=lambda x: -x)]
out = f()`,
	`out = ["%s %r %d %x %%" % ("a", "b", 3, 255), "%(k)s" % {"k": 1}, "{}-{}".format(1, "x"), "{a!r}{b}".format(a="q", b=[1])]`,
	`out = [s for s in "a b  c".split()] + "a,b,c".rsplit(",", 1) + "x\ny\n".splitlines() + list("a=b".partition("=")) + [c for c in "héy".codepoints()] + [c for c in "ab".elems()] + [o for o in "é".codepoint_ords()]`,
	`out = ["abc".startswith(("x", "ab")), "abc".endswith("c"), "banana".count("an"), "banana".rfind("an"), "banana"[1:-1:2], "x".join([]), "Title case".title(), "  x".lstrip(), "xxay".strip("xy"), "a".isalpha(), "v1".removeprefix("v"), "b" in "abc"]`,
	`out = [1 << 200, (1 << 200) - 1, -7 // 2, -7 % 3, 7 & 3 | 8 ^ 1, 5 - -3, +4, 100000 * 100000, int("-0x1f", 16), 0x10 + 1, 1 < 2, 2 >= 3, 1 == 1, [1, 2] < [1, 3], (1, "a") == (1, "a"), None == None, not 0]`,
	`
def outer(n):
    total = [0]
    def add(x, times=2, *rest, **named):
        total[0] += x * times + len(rest) + len(named)
        return add if False else total[0]
    add(1)
    add(2, 3, 4, 5, k=1)
    add(*[1, 2], **{"a": 1, "b": 2})
    return [total, (lambda a, b=3: a + b)(1), [f(2) for f in [lambda x: x + 1, lambda x: x * n]]]
out = outer(10)`,
	`
rows = [(n, n * n) for n in range(10)]
out = [[a + b for a, b in rows if b > 3], {a: b for a, b in rows}, [[x, y] for x in range(3) for y in range(x)], {k: [v for v in range(k)] for k in range(3)}, [x for x in [1] if x for y in [2]]]`,
	`
if 1 < 2:
    total = []
for i in [1, 2, 3]:
    if i == 2:
        continue
    total.append(i)
out = total`,
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
		plain, err := starlark.ExecFileOptions(dialect(), &starlark.Thread{}, "plain", source, nil)
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
		{"def f(x):\n    return (x +\n        1)\nf([])", 2, CodeScript},
		{"x = {}\n\nx[[]] = 1", 3, CodeScript},
		{"x = [1,\n  [2][3]]", 2, CodeScript},
		{"def f():\n    nothing()\nf()", 2, CodeSyntax},
		{"# title\n\nx = 1.5e3", 3, CodeSyntax},
		{"x = ()\nx.f", 2, CodeScript},
		{"x = [1]\nx.push(1)", 2, CodeScript},
		{"x = [1]\nx.pop(9)", 2, CodeScript},
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
	hostile, err := filepath.Glob("testdata/hostile/*.star")
	if err != nil || len(hostile) == 0 {
		f.Fatal("no hostile scripts", err)
	}
	for _, file := range hostile {
		source, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		if len(source) < 1000 {
			f.Add(string(source))
		}
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
