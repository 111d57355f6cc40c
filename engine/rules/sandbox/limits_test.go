package sandbox

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"go.starlark.net/starlark"
)

func params(n int) string {
	var names []string
	for i := range n {
		names = append(names, fmt.Sprintf("p%d=0", i))
	}
	return strings.Join(names, ", ")
}

func chain(n int) string {
	var b strings.Builder
	b.WriteString("def f0():\n    return 0\n")
	for i := 1; i < n; i++ {
		fmt.Fprintf(&b, "def f%d():\n    return f%d()\n", i, i-1)
	}
	fmt.Fprintf(&b, "f%d()\n", n-1)
	return b.String()
}

// TestLimits evaluates at the edge of each limit, where nothing fails, and past it.
func TestLimits(t *testing.T) {
	for _, c := range []struct {
		limit    string
		at, past string
		code     Code
	}{
		{"MaxSource", "#" + strings.Repeat("x", MaxSource-1), "#" + strings.Repeat("x", MaxSource), CodeSyntax},
		{"MaxIdentifier", strings.Repeat("x", MaxIdentifier) + " = 1", strings.Repeat("x", MaxIdentifier+1) + " = 1", CodeSyntax},
		{"MaxParams", "def f(" + params(MaxParams) + "):\n    pass", "def f(" + params(MaxParams+1) + "):\n    pass", CodeSyntax},
		{"MaxTreeDepth", "x = 1" + strings.Repeat(" + 1", MaxTreeDepth-2), "x = 1" + strings.Repeat(" + 1", MaxTreeDepth-1), CodeSyntax},
		// The frames are those of the chain, the script itself and $enter.
		{"MaxCalls", chain(MaxCalls - 2), chain(MaxCalls - 1), CodeSteps},
		{"MaxIntBits", fmt.Sprintf("x = 1 << %d", MaxIntBits-1), fmt.Sprintf("x = 1 << %d", MaxIntBits), CodeMemory},
		{"MaxIntBits, multiplied", fmt.Sprintf("x = (1 << %d) * 2", MaxIntBits-2), fmt.Sprintf("x = (1 << %d) * 2", MaxIntBits-1), CodeMemory},
		{"MaxIntBits, written", "x = 0x" + strings.Repeat("f", MaxIntBits/4), "x = 0x1" + strings.Repeat("f", MaxIntBits/4), CodeSyntax},
		{"MaxString", fmt.Sprintf(`x = "aa" * %d`, MaxString/2), fmt.Sprintf(`x = "aa" * %d`, MaxString/2+1), CodeMemory},
		{"MaxString, added", fmt.Sprintf(`x = "aa" * %d + "bb"`, MaxString/2-1), fmt.Sprintf(`x = "aa" * %d + "bbb"`, MaxString/2-1), CodeMemory},
		{"MaxRange", fmt.Sprintf("x = range(%d)", MaxRange), fmt.Sprintf("x = range(%d)", MaxRange+1), CodeMemory},
		{"MaxValueDepth", nested(MaxValueDepth), nested(MaxValueDepth + 1), CodeMemory},
		{"MaxKept", fmt.Sprintf("x = (1,) * %d", MaxKept-1), fmt.Sprintf("x = (1,) * %d", MaxKept), CodeMemory},
	} {
		t.Run(c.limit, func(t *testing.T) {
			if _, err := evaluate(NewMeter(ActBudget), c.at); err != nil {
				t.Errorf("at the limit: %v", Error(err))
			}
			if _, err := evaluate(NewMeter(ActBudget), c.past); err == nil || Error(err).Code != c.code {
				t.Errorf("past the limit: %v, want %s", err, c.code)
			}
		})
	}
}

// nested writes a list that is n deep.
func nested(n int) string {
	return fmt.Sprintf("def f():\n    l = 0\n    for i in range(%d):\n        l = [l]\n    return str(l)\nx = f()", n)
}

func TestMaxEvaluations(t *testing.T) {
	for _, deep := range []int{MaxEvaluations, MaxEvaluations + 1} {
		m, depth := NewMeter(ActBudget), 1
		env := starlark.StringDict{}
		env["again"] = starlark.NewBuiltin("again", func(_ *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
			if depth++; depth > deep {
				return starlark.None, nil
			}
			return Call(NewThread("inner", m), args[0].(starlark.Callable), args, nil)
		})
		_, err := evaluateWith(m, "def f(g):\n    again(g)\nagain(lambda g: again(g))", env)
		if deep <= MaxEvaluations && err != nil {
			t.Errorf("%d evaluations: %v", deep, err)
		}
		if deep > MaxEvaluations && (err == nil || Error(err).Code != CodeSteps) {
			t.Errorf("%d evaluations: %v, want %s", deep, err, CodeSteps)
		}
	}
}

func TestMeterSpendsAndCharges(t *testing.T) {
	m := NewMeter(Budget{Steps: 10, Memory: 100})
	if err := m.Spend(10); err != nil {
		t.Error(err)
	}
	if err := m.Charge(100); err != nil {
		t.Error(err)
	}
	if got := m.Left(); got != (Budget{}) {
		t.Errorf("left %+v, want nothing", got)
	}
	if err := m.Spend(1); err == nil || Error(err).Code != CodeSteps {
		t.Errorf("one step too many: %v", err)
	}
	if err := NewMeter(ActBudget).Charge(ActBudget.Memory + 1); err == nil || Error(err).Code != CodeMemory {
		t.Errorf("one byte too many: %v", err)
	}
	if err := NewMeter(ActBudget).Charge(-1); err == nil {
		t.Error("a negative charge was accepted")
	}
}

// TestExhaustionCannotBeOverlooked has a host function that goes on after a failure.
func TestExhaustionCannotBeOverlooked(t *testing.T) {
	for _, c := range []struct {
		spend func(*Meter) error
		code  Code
	}{
		{func(m *Meter) error { return m.Spend(1 << 40) }, CodeSteps},
		{func(m *Meter) error { return m.Charge(1 << 40) }, CodeMemory},
	} {
		m, calls := NewMeter(ActBudget), 0
		env := starlark.StringDict{"attempt": starlark.NewBuiltin("attempt", func(*starlark.Thread, *starlark.Builtin, starlark.Tuple, []starlark.Tuple) (starlark.Value, error) {
			calls++
			if err := c.spend(m); err == nil {
				return nil, errors.New("it was not refused")
			}
			return starlark.None, nil
		})}
		_, err := evaluateWith(m, "for i in range(1000):\n    attempt()", env)
		if err == nil || Error(err).Code != c.code {
			t.Errorf("got %v, want %s", err, c.code)
		}
		if calls != 1 {
			t.Errorf("%s: the script went on to the call %d", c.code, calls)
		}
	}
}

func TestWeigh(t *testing.T) {
	list := starlark.NewList(nil)
	if err := list.Append(list); err != nil {
		t.Fatal(err)
	}
	shared := starlark.Tuple{starlark.None}
	for range 30 {
		shared = starlark.Tuple{shared, shared}
	}
	for name, v := range map[string]starlark.Value{"cyclic": list, "shared": shared, "long": starlark.String(strings.Repeat("a", 2000))} {
		if _, err := Weigh(v, 1000); err == nil || Error(err).Code != CodeMemory {
			t.Errorf("%s: got %v, want %s", name, err, CodeMemory)
		}
	}
	for _, v := range []starlark.Value{starlark.String("a\x00\"é\xff"), starlark.MakeInt(-12345), starlark.Tuple{starlark.None, starlark.True}, starlark.NewList([]starlark.Value{starlark.MakeInt(1).Lsh(200)})} {
		n, err := Weigh(v, MaxWeight)
		if err != nil || n < int64(len(v.String())) {
			t.Errorf("%s weighs %d (%v), less than it takes to write it", v, n, err)
		}
	}
}
