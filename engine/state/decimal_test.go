package state

import (
	"errors"
	"testing"
)

func TestDecimalCells(t *testing.T) {
	lo, hi := int64(0), int64(10)
	typ := Type{Kind: Decimal, Places: 2, Min: &lo, Max: &hi}
	for in, want := range map[any]Value{
		int64(3): int64(3), "3": int64(3), "3.00": int64(3), "0.20": Fraction("0.2"), "00.2": Fraction("0.2"), Fraction("9.99"): Fraction("9.99"), "-0": int64(0),
	} {
		if got, err := typ.Check(in); err != nil || got != want {
			t.Errorf("%#v is kept as %#v (%v), want %#v", in, got, err, want)
		}
	}
	for _, in := range []any{nil, true, "", "-", ".", "1.", ".5", "1e3", "+1", " 1", "1/2", "0x1", "1_0", "0.125", "10.01", "-0.01", int64(11), Fraction("junk"), "99999999999999999999", []any{}} {
		var wrong *Illegal
		if got, err := typ.Check(in); !errors.As(err, &wrong) {
			t.Errorf("%#v is kept as %#v (%v), want a refusal", in, got, err)
		}
	}
	if got := typ.Clamp(Fraction("10.5")); got != int64(10) {
		t.Errorf("10.5 is brought to %v, want 10", got)
	}
	if got := typ.Clamp(Fraction("-0.5")); got != int64(0) {
		t.Errorf("-0.5 is brought to %v, want 0", got)
	}
}

func TestDecimalsNeedTheirColumn(t *testing.T) {
	for _, typ := range []Type{{Kind: Data}, {Kind: Integer}, {Kind: Text}} {
		for _, v := range []Value{Fraction("0.5"), []any{Fraction("0.5")}, map[string]any{"a": []any{Fraction("0.5")}}} {
			if got, err := typ.Check(v); err == nil {
				t.Errorf("a column of %s took %v", typ.Kind, got)
			}
		}
	}
}
