package state

import (
	"math/big"
	"slices"
	"strings"
)

// Fraction is an exact number that is not whole, written with a point: "-0.25". Whole
// numbers are int64 wherever they come from, so that equal numbers are equal values.
type Fraction string

// NewDecimal returns r as a cell holds it: an int64 if r is whole, a [Fraction] if it has
// at most [MaxPlaces] digits behind the point. It fails with [*Illegal].
func NewDecimal(r *big.Rat) (Value, error) {
	places, exact := r.FloatPrec()
	switch {
	case !exact || places > MaxPlaces:
		return nil, illegal("a number may have %d digits behind the point", MaxPlaces)
	case places > 0 && r.Num().BitLen() > 63 || places == 0 && !r.Num().IsInt64():
		return nil, illegal("the number is too large")
	case places == 0:
		return r.Num().Int64(), nil
	default:
		return Fraction(r.FloatString(places)), nil
	}
}

// ParseDecimal reads digits with at most one point and a sign before them: 12, -0.25, 3.0. It fails with [*Illegal].
func ParseDecimal(s string) (Value, error) {
	digits := strings.TrimPrefix(s, "-")
	whole, fraction, point := strings.Cut(digits, ".")
	if len(digits) > MaxDigits || !isDigits(whole) || point && !isDigits(fraction) {
		return nil, illegal("%s is not a number such as 12 or 0.25", describe(s))
	}
	r, _ := new(big.Rat).SetString(s)
	return NewDecimal(r)
}

func isDigits(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}

// Rat returns the number's value.
func (d Fraction) Rat() *big.Rat {
	r, _ := new(big.Rat).SetString(string(d))
	return r
}

// Number returns the number that a value is, or nil if it is none.
func Number(v Value) *big.Rat {
	switch v := v.(type) {
	case int64:
		return new(big.Rat).SetInt64(v)
	case Fraction:
		return v.Rat()
	}
	return nil
}

// checkDecimal returns v as a number of at most places digits behind the point.
func (t Type) checkDecimal(v Value) (Value, error) {
	if s, ok := v.(string); ok {
		var err error
		if v, err = ParseDecimal(s); err != nil {
			return nil, err
		}
	}
	r := Number(v)
	if r == nil {
		return nil, illegal("a number is needed, not %s", describe(v))
	}
	if places, _ := r.FloatPrec(); places > t.Places {
		return nil, illegal("%v has more digits behind the point than %d", v, t.Places)
	}
	if t.Min != nil && r.Cmp(new(big.Rat).SetInt64(*t.Min)) < 0 {
		return nil, illegal("%v is below %d", v, *t.Min)
	}
	if t.Max != nil && r.Cmp(new(big.Rat).SetInt64(*t.Max)) > 0 {
		return nil, illegal("%v is above %d", v, *t.Max)
	}
	return v, nil
}

// clampDecimal brings a number into range.
func (t Type) clampDecimal(d Fraction) Value {
	r := d.Rat()
	switch {
	case r == nil:
	case t.Min != nil && r.Cmp(new(big.Rat).SetInt64(*t.Min)) < 0:
		return *t.Min
	case t.Max != nil && r.Cmp(new(big.Rat).SetInt64(*t.Max)) > 0:
		return *t.Max
	}
	return d
}

// holdsDecimal reports whether an arbitrary value holds a [Fraction]. Such a value would come back as
// text.
func holdsDecimal(v Value) bool {
	switch v := v.(type) {
	case Fraction:
		return true
	case []any:
		return slices.ContainsFunc(v, holdsDecimal)
	case map[string]any:
		for _, e := range v {
			if holdsDecimal(e) {
				return true
			}
		}
	}
	return false
}
