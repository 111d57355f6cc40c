package sandbox

import (
	"fmt"
	"math/big"
	"testing"

	"go.starlark.net/starlark"
	"pgregory.net/rapid"
)

func TestDecimals(t *testing.T) {
	for source, want := range map[string]string{
		"0.1 + 0.2 == 0.3":                      "True",
		"0.2 * 5":                               "1",
		"0.2 * 5 == 1":                          "True",
		"type(0.2 * 5) + type(1.0) + type(0.1)": `"intintdecimal"`,
		"2 - 0.75":                              "1.25",
		"-0.5 + +0.25":                          "-0.25",
		"7.5 // 2":                              "3",
		"-7.5 // 2":                             "-4",
		"-7.5 % 2":                              "0.5",
		"[1.5 > 1, 1 < 1.5, 2 <= 1.5, 1.5 >= 1.5]": "[True, True, False, True]",
		"[1.5 == 1, 1 != 1.5, 1.5 == \"1.5\"]":     "[False, True, False]",
		"max(1, 1.5, 1.25)":                        "1.5",
		"sorted([2, 1.5, -0.5, 1])":                "[-0.5, 1, 1.5, 2]",
		"str(00.250) + \"%s\" % -1.5":              `"0.25-1.5"`,
		"[x for x in [0.5] if x]":                  "[0.5]",
	} {
		globals, err := evaluate(NewMeter(ActBudget), "out = "+source)
		if err != nil {
			t.Errorf("%s: %v", source, err)
		} else if got := globals["out"].String(); got != want {
			t.Errorf("%s is %s, want %s", source, got, want)
		}
	}
}

func TestDecimalsFail(t *testing.T) {
	for _, source := range []string{"0.5 / 2", "0.5 // 0", "0.5 % 0", "0.5 + \"a\"", "\"a\" * 0.5", "[1] * 1.5", "0.5 < \"a\"", "{0.5: 1}", "range(1.5)", "[1, 2][0.5]",
		"0.5 | 1", "1.0e5", ".5", "1.", "0x1.8", "0.1234567890123456789", "1 // 0.3 * 0.000000001 * 0.0000000001"} {
		if globals, err := evaluate(NewMeter(ActBudget), "out = "+source); err == nil {
			t.Errorf("%s is %s, want a failure", source, globals["out"])
		}
	}
}

// Decimals are held against fractions, which are exact by themselves.
func TestDecimalsAreExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		number := func(name string) (string, *big.Rat) {
			s := fmt.Sprintf("%d.%0*d", rapid.IntRange(0, 1000).Draw(t, name), rapid.IntRange(1, 4).Draw(t, name+" places"), rapid.IntRange(0, 9).Draw(t, name+" end"))
			r, _ := new(big.Rat).SetString(s)
			return s, r
		}
		a, ra := number("a")
		b, rb := number("b")
		globals, err := evaluate(NewMeter(ActBudget), fmt.Sprintf("x = %s\ny = %s\nout = [x + y, x - y, x * y, x < y, x == y]", a, b))
		if err != nil {
			t.Fatal(err)
		}
		out := globals["out"].(*starlark.List)
		for i, want := range []*big.Rat{new(big.Rat).Add(ra, rb), new(big.Rat).Sub(ra, rb), new(big.Rat).Mul(ra, rb)} {
			if got := rational(out.Index(i)); got == nil || got.Cmp(want) != 0 {
				t.Errorf("%s and %s: %s, want %s", a, b, out.Index(i), want)
			}
		}
		if less, same := bool(out.Index(3).Truth()), bool(out.Index(4).Truth()); less != (ra.Cmp(rb) < 0) || same != (ra.Cmp(rb) == 0) {
			t.Errorf("%s < %s is %v, == is %v", a, b, less, same)
		}
	})
}
