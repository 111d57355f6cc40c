package kit

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"peernomic/app/view"
)

func sameChoices(a, b []view.Choice) bool {
	return slices.EqualFunc(a, b, func(x, y view.Choice) bool { return x.Label == y.Label && EqualValue(x.Value, y.Value) })
}

func keepChoice(old, now view.Param, typed string) string {
	i, err := strconv.Atoi(typed)
	if err != nil || i < 0 || i >= len(old.Choices) {
		return defaultText(now)
	}
	for j, c := range now.Choices {
		if EqualValue(c.Value, old.Choices[i].Value) {
			return strconv.Itoa(j)
		}
	}
	return ""
}

// EqualValue reports whether two values of choices are the same.
func EqualValue(a, b any) bool {
	switch a.(type) {
	case nil, bool, int64, string:
		return a == b
	}
	return false
}

func defaultText(p view.Param) string {
	if Chosen(p) {
		for i, c := range p.Choices {
			if p.Default != nil && EqualValue(c.Value, p.Default) {
				return strconv.Itoa(i)
			}
		}
		if len(p.Choices) == 1 && !p.Optional {
			return "0"
		}
		return ""
	}
	switch v := p.Default.(type) {
	case nil:
		return ""
	case bool:
		if v {
			return "yes"
		}
		return ""
	case int64:
		return strconv.FormatInt(v, 10)
	case string:
		return v
	default:
		return fmt.Sprint(v)
	}
}

// Chosen reports whether a parameter takes one of its choices. What is typed is then the place of the
// choice in their list.
func Chosen(p view.Param) bool {
	switch p.Kind {
	case "several":
		return false
	case "choice", "player", "row", "icon":
		return true
	}
	return p.Listed || len(p.Choices) > 0
}

// ReadParam reads what was typed for a parameter: the value, nil if it was left out, or what is wrong
// in a sentence.
func ReadParam(p view.Param, text string) (value any, problem string) {
	if Chosen(p) {
		if text == "" {
			if p.Optional {
				return nil, ""
			}
			return nil, "Choose one."
		}
		i, err := strconv.Atoi(text)
		if err != nil || i < 0 || i >= len(p.Choices) {
			return nil, "This choice is gone; choose again."
		}
		return p.Choices[i].Value, ""
	}
	switch p.Kind {
	case "several":
		list := []any{}
		for _, i := range picked(p, text) {
			list = append(list, p.Choices[i].Value)
		}
		if len(list) == 0 && p.Optional {
			return nil, ""
		}
		if p.MaxLen > 0 && len(list) > p.MaxLen {
			return nil, fmt.Sprintf("At most %d of them; these are %d.", p.MaxLen, len(list))
		}
		return list, ""
	case "flag":
		return text == "yes", ""
	case "integer":
		text = strings.TrimSpace(text)
		if text == "" && p.Optional {
			return nil, ""
		}
		n, err := strconv.ParseInt(text, 10, 64)
		switch {
		case errors.Is(err, strconv.ErrRange):
			return nil, beyond(p, n)
		case err != nil:
			return nil, "A whole number is needed, such as 12."
		case p.Min != nil && n < *p.Min:
			return nil, fmt.Sprintf("At least %d.", *p.Min)
		case p.Max != nil && n > *p.Max:
			return nil, fmt.Sprintf("At most %d.", *p.Max)
		}
		return n, ""
	case "decimal":
		text = strings.Replace(strings.TrimSpace(text), ",", ".", 1)
		if text == "" && p.Optional {
			return nil, ""
		}
		// The rules judge range and places; they name both.
		if _, err := strconv.ParseFloat(text, 64); err != nil {
			return nil, "A number is needed, such as 12 or 0.25."
		}
		return text, ""
	case "moment":
		if text == "" && p.Optional {
			return nil, ""
		}
		t, err := time.ParseInLocation("2006-01-02T15:04", text, time.Local)
		if err != nil {
			return nil, "A day and a time are needed."
		}
		return t.UnixMilli(), ""
	default:
		if strings.TrimSpace(text) == "" {
			if p.Optional {
				return nil, ""
			}
			return nil, "This cannot be empty."
		}
		if wrong := OverLong(text, p.MaxLen); wrong != "" {
			return nil, wrong
		}
		return text, ""
	}
}

// beyond says how far a number may go that has more digits than any may have; n is the end that it is beyond.
func beyond(p view.Param, n int64) string {
	switch {
	case n > 0 && p.Max != nil:
		return fmt.Sprintf("At most %d.", *p.Max)
	case n > 0:
		return fmt.Sprintf("That is more than a number can be here: at most %d.", n)
	case p.Min != nil:
		return fmt.Sprintf("At least %d.", *p.Min)
	}
	return fmt.Sprintf("That is less than a number can be here: at least %d.", n)
}

// picked are the places in the choices that a form holds for several of them, in order.
func picked(p view.Param, text string) []int {
	var list []int
	for _, s := range strings.Split(text, ",") {
		if i, err := strconv.Atoi(s); err == nil && i >= 0 && i < len(p.Choices) {
			list = append(list, i)
		}
	}
	return list
}

// RangeText says between which bounds a number has to be, or nothing without bounds.
func RangeText(lo, hi *int64) string {
	switch {
	case lo != nil && hi != nil:
		return fmt.Sprintf("From %d to %d.", *lo, *hi)
	case lo != nil:
		return fmt.Sprintf("%d or more.", *lo)
	case hi != nil:
		return fmt.Sprintf("%d or less.", *hi)
	}
	return ""
}
