package convert

import (
	"math/big"
	"reflect"
	"strings"
	"testing"

	"go.starlark.net/starlark"
	"pgregory.net/rapid"

	"peernomic/engine/state"
)

// What a cell keeps is the same after a script has held it.
func TestValuesComeBackFromScripts(t *testing.T) {
	leaf := rapid.OneOf(
		rapid.Just[any](nil),
		rapid.Map(rapid.Bool(), func(b bool) any { return b }),
		rapid.Map(rapid.Int64(), func(i int64) any { return i }),
		rapid.Map(rapid.String(), func(s string) any { return s }),
		rapid.Map(rapid.SampledFrom([]string{"0.25", "-3.5", "12345.678"}), func(s string) any { return state.Fraction(s) }),
	)
	value := rapid.OneOf(leaf,
		rapid.Map(rapid.SliceOfN(leaf, 0, 5), func(l []any) any { return append([]any{}, l...) }),
		rapid.Map(rapid.MapOfN(rapid.String(), leaf, 0, 5), func(m map[string]any) any { return m }),
	)
	rapid.Check(t, func(t *rapid.T) {
		v, err := state.Normalize(value.Draw(t, "value"))
		if err != nil {
			t.Skip("not a value of cells")
		}
		got, err := Plain(Starlark(v))
		if err != nil || !reflect.DeepEqual(got, v) {
			t.Errorf("%#v comes back as %#v: %v", v, got, err)
		}
	})
}

func TestWhatCannotBeKept(t *testing.T) {
	deep := starlark.Value(starlark.None)
	for range state.MaxDepth + 2 {
		deep = starlark.NewList([]starlark.Value{deep})
	}
	numbered := starlark.NewDict(1)
	if err := numbered.SetKey(starlark.MakeInt(1), starlark.None); err != nil {
		t.Fatal(err)
	}
	for want, v := range map[string]starlark.Value{
		"nested more than":  deep,
		"is not text":       numbered,
		"cannot be kept":    starlark.NewBuiltin("f", nil),
		"number 1000000000": starlark.MakeBigInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(30), nil)),
	} {
		if got, err := Plain(v); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s is kept as %v, %v; want %q", v.Type(), got, err, want)
		}
	}
	if got := Mend("é"[:1] + "a"); got != "\uFFFDa" {
		t.Errorf("a cut character becomes %q", got)
	}
}
