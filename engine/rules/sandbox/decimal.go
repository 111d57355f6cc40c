package sandbox

import (
	"fmt"
	"math/big"
	"strings"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// Decimal is an exact number that is not whole, as scripts compute with it. Whole results
// are integers again, so that equal numbers are equal whatever they were computed from.
type Decimal struct{ r *big.Rat }

var (
	_ starlark.HasBinary = Decimal{}
	_ starlark.HasUnary  = Decimal{}
)

// NewDecimal returns r as a script holds it: an integer if it is whole. It fails if r has
// more than [MaxPlaces] digits behind the point or is wider than [MaxIntBits].
func NewDecimal(r *big.Rat) (starlark.Value, error) {
	if r.Num().BitLen() > MaxIntBits {
		return nil, errWide()
	}
	if r.IsInt() {
		return starlark.MakeBigInt(new(big.Int).Set(r.Num())), nil
	}
	if places, exact := r.FloatPrec(); !exact || places > MaxPlaces {
		return nil, fmt.Errorf("a number would have more than %d digits behind the point", MaxPlaces)
	}
	return Decimal{r}, nil
}

// Rat returns the number's value, which must not be changed.
func (d Decimal) Rat() *big.Rat { return d.r }

func (d Decimal) String() string {
	places, _ := d.r.FloatPrec()
	return d.r.FloatString(places)
}

// Type is what type() says.
func (d Decimal) Type() string { return "decimal" }

// Freeze does nothing: a number cannot be changed.
func (d Decimal) Freeze() {}

// Truth is true: zero is whole.
func (d Decimal) Truth() starlark.Bool { return true }

// Hash fails: to have a key of a dict that means a number, write it as text.
func (d Decimal) Hash() (uint32, error) {
	return 0, fmt.Errorf("a decimal cannot be a key: use str()")
}

// CompareSameType compares two decimals.
func (d Decimal) CompareSameType(op syntax.Token, y starlark.Value, _ int) (bool, error) {
	return holds(op, d.r.Cmp(y.(Decimal).r)), nil
}

// Binary computes with a decimal and another number.
func (d Decimal) Binary(op syntax.Token, y starlark.Value, side starlark.Side) (starlark.Value, error) {
	a, b := d.r, rational(y)
	if b == nil {
		return nil, nil // not implemented
	}
	if side == starlark.Right {
		a, b = b, a
	}
	out := new(big.Rat)
	switch op {
	case syntax.PLUS:
		out.Add(a, b)
	case syntax.MINUS:
		out.Sub(a, b)
	case syntax.STAR:
		out.Mul(a, b)
	case syntax.SLASHSLASH, syntax.PERCENT:
		if b.Sign() == 0 {
			return nil, fmt.Errorf("a number is divided by zero")
		}
		out.Quo(a, b)
		// Div rounds down, as the denominator is positive.
		out.SetInt(new(big.Int).Div(out.Num(), out.Denom()))
		if op == syntax.PERCENT {
			out.Sub(a, new(big.Rat).Mul(b, out))
		}
	default:
		return nil, nil
	}
	return NewDecimal(out)
}

// Unary is -d and +d.
func (d Decimal) Unary(op syntax.Token) (starlark.Value, error) {
	switch op {
	case syntax.MINUS:
		return Decimal{new(big.Rat).Neg(d.r)}, nil
	case syntax.PLUS:
		return d, nil
	}
	return nil, nil
}

// rational returns a number's value, nil of anything else.
func rational(v starlark.Value) *big.Rat {
	switch v := v.(type) {
	case Decimal:
		return v.r
	case starlark.Int:
		return new(big.Rat).SetInt(v.BigInt())
	}
	return nil
}

// compare does what the language's comparison does, and compares decimals with integers.
func compare(op syntax.Token, x, y starlark.Value) (bool, error) {
	_, xDec := x.(Decimal)
	_, yDec := y.(Decimal)
	if xDec != yDec {
		if a, b := rational(x), rational(y); a != nil && b != nil {
			return holds(op, a.Cmp(b)), nil
		}
	}
	return starlark.Compare(op, x, y)
}

// holds reports what an operator says of the sign of a difference.
func holds(op syntax.Token, sign int) bool {
	switch op {
	case syntax.EQL:
		return sign == 0
	case syntax.NEQ:
		return sign != 0
	case syntax.LT:
		return sign < 0
	case syntax.LE:
		return sign <= 0
	case syntax.GT:
		return sign > 0
	default:
		return sign >= 0
	}
}

// guardDecimal makes the number that a literal says: $decimal("0.25").
func guardDecimal(_ *Meter, _ *starlark.Thread, args starlark.Tuple) (starlark.Value, error) {
	r, _ := new(big.Rat).SetString(string(args[0].(starlark.String))) // the rewriter has read it
	return NewDecimal(r)
}

// isDecimal reports whether a literal is digits, a point and digits, none too many.
func isDecimal(raw string) bool {
	whole, fraction, point := strings.Cut(raw, ".")
	return point && len(raw) <= MaxLiteral && len(fraction) <= MaxPlaces && digits(whole) && digits(fraction)
}

func digits(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }
