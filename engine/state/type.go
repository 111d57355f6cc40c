package state

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// Kind is the kind of a column's values.
type Kind string

// The kinds. Their names are what rule authors read.
const (
	Integer Kind = "integer" // int64
	Decimal Kind = "decimal" // int64 if whole, else Fraction
	Text    Kind = "text"    // one line
	Prose   Kind = "prose"   // several lines, Markdown
	Flag    Kind = "flag"    // bool
	Choice  Kind = "choice"  // one of a list of texts
	Several Kind = "several" // a list of texts out of Type.Choices
	Ref     Kind = "row"     // id of a row of Type.Table, or nil
	Moment  Kind = "moment"  // Unix ms, or nil
	Secret  Kind = "secret"  // a sealed value, or nil
	Opening Kind = "opening" // the opening of a sealed value
	Data    Kind = "data"    // anything that a cell can hold
)

// Type says which values a column or a parameter takes.
type Type struct {
	Kind    Kind
	Min     *int64   // numbers: smallest legal value, if there is one
	Max     *int64   // numbers: largest legal value, if there is one
	Places  int      // Decimal: how many digits behind the point it may have
	MaxLen  int      // Text, Prose: longest, in characters; Several: how many at most
	Choices []string // Choice, Several: the legal texts
	Table   string   // Ref: which table
	Of      *Type    // Secret: what is sealed
}

// Illegal is the error of a value outside its type.
type Illegal struct{ Reason string }

func (e *Illegal) Error() string { return e.Reason }

func illegal(format string, args ...any) error {
	return &Illegal{Reason: fmt.Sprintf(format, args...)}
}

// Check returns v as the type holds it. Nil is legal for references and moments
// only. It fails with [*Illegal].
func (t Type) Check(v any) (Value, error) {
	n, err := Normalize(v)
	if err != nil {
		return nil, illegal("%s", err)
	}
	switch t.Kind {
	case Integer:
		i, ok := n.(int64)
		if !ok {
			return nil, illegal("a whole number is needed, not %s", describe(n))
		}
		if t.Min != nil && i < *t.Min {
			return nil, illegal("%d is below %d", i, *t.Min)
		}
		if t.Max != nil && i > *t.Max {
			return nil, illegal("%d is above %d", i, *t.Max)
		}
	case Decimal:
		return t.checkDecimal(n)
	case Text, Prose:
		s, ok := n.(string)
		if !ok {
			return nil, illegal("text is needed, not %s", describe(n))
		}
		if t.MaxLen > 0 && utf8.RuneCountInString(s) > t.MaxLen {
			return nil, illegal("text is longer than %d characters", t.MaxLen)
		}
		if r, ok := hidden(s, t.Kind); ok {
			return nil, illegal("text holds the character %U, which is not seen", r)
		}
	case Flag:
		if _, ok := n.(bool); !ok {
			return nil, illegal("yes or no is needed, not %s", describe(n))
		}
	case Choice:
		s, ok := n.(string)
		if !ok || !slices.Contains(t.Choices, s) {
			return nil, illegal("%s is not one of %s", describe(n), strings.Join(t.Choices, ", "))
		}
	case Several:
		list, ok := n.([]any)
		if !ok {
			return nil, illegal("a list is needed, not %s", describe(n))
		}
		if len(list) > t.MaxLen {
			return nil, illegal("%d are too many: at most %d", len(list), t.MaxLen)
		}
		for _, e := range list {
			if s, ok := e.(string); !ok || !slices.Contains(t.Choices, s) {
				return nil, illegal("%s is not one of %s", describe(e), strings.Join(t.Choices, ", "))
			}
		}
	case Ref, Moment:
		if _, ok := n.(int64); !ok && n != nil {
			return nil, illegal("%s is no %s", describe(n), t.Kind)
		}
	case Secret, Opening:
		if _, ok := n.(map[string]any); !ok && n != nil {
			return nil, illegal("%s is not sealed", describe(n))
		}
	case Data:
		if holdsDecimal(n) {
			return nil, illegal("a number with a point needs a column of its own, of the type decimal()")
		}
	default:
		return nil, illegal("unknown type %q", t.Kind)
	}
	return n, nil
}

// Clamp returns the legal value nearest to v: numbers are brought into range;
// everything else is left as it is.
func (t Type) Clamp(v Value) Value {
	if d, ok := v.(Fraction); ok {
		return t.clampDecimal(d)
	}
	i, ok := v.(int64)
	if !ok || t.Kind != Integer && t.Kind != Decimal {
		return v
	}
	if t.Min != nil {
		i = max(i, *t.Min)
	}
	if t.Max != nil {
		i = min(i, *t.Max)
	}
	return i
}

// Zero returns the default value of a column of this type.
func (t Type) Zero() Value {
	switch t.Kind {
	case Integer, Decimal:
		return t.Clamp(int64(0))
	case Text, Prose:
		return ""
	case Flag:
		return false
	case Choice:
		if len(t.Choices) > 0 {
			return t.Choices[0]
		}
		return ""
	case Several:
		return []any{}
	default:
		return nil
	}
}

func describe(v Value) string {
	switch v := v.(type) {
	case nil:
		return "nothing"
	case string:
		if len(v) > 40 {
			v = v[:40] + "…"
		}
		return fmt.Sprintf("%q", v)
	case []any:
		return "a list"
	case map[string]any:
		return "a map"
	default:
		return fmt.Sprint(v)
	}
}
