package view

import (
	"strings"
	"unicode"
)

// Marks stand above and below the letter that they follow, and any number can follow one: a name with many would be
// painted over the lines around it. No language needs more on a letter than these.
const (
	marksShown   = 3
	accentsShown = 2 // of those that go with every script, such as accents
)

// Unstacked returns what somebody wrote with no more marks on a letter than a line has room for.
func Unstacked(s string) string {
	if strings.IndexFunc(s, isMark) < 0 {
		return s
	}
	marks := 0
	return strings.Map(func(r rune) rune {
		switch {
		case isMark(r):
			marks++
			if marks > marksShown || marks > accentsShown && unicode.Is(unicode.Inherited, r) {
				return -1
			}
		case !unicode.Is(unicode.Cf, r): // what is not seen ends no stack
			marks = 0
		}
		return r
	}, s)
}

func isMark(r rune) bool { return unicode.In(r, unicode.Mn, unicode.Me) }

// What others wrote may run from right to left. Where it stands in a sentence it is set apart from what is around it, or
// the marks and numbers beside it would change places (UAX #9). A name or title that stands alone has dir="auto".

// Marks that set text apart in its own direction.
const (
	firstStrongIsolate = '\u2068'
	popIsolate         = '\u2069'
)

// Isolated sets words that run from right to left apart from the rest of their sentence, also in sentences
// of rules, which may hold names. It leaves other sentences as they are, except for stacks of marks.
func Isolated(s string) string {
	s = Unstacked(s)
	if strings.IndexFunc(s, runsLeft) < 0 {
		return s
	}
	var out, gap strings.Builder
	within := false
	for _, r := range s {
		switch {
		case runsLeft(r):
			if !within {
				out.WriteRune(firstStrongIsolate)
			}
			within = true
			out.WriteString(gap.String())
			gap.Reset()
			out.WriteRune(r)
			continue
		case within && (r == ' ' || r == '-' || r == '\'' || r == '’' || unicode.Is(unicode.Mn, r)):
			gap.WriteRune(r) // belongs to the words if another follows
			continue
		case within:
			out.WriteRune(popIsolate)
			within = false
		}
		out.WriteString(gap.String())
		gap.Reset()
		out.WriteRune(r)
	}
	if within {
		out.WriteRune(popIsolate)
	}
	return out.String() + gap.String()
}

// runsLeft reports whether a letter is of a script that is written from right to left.
func runsLeft(r rune) bool {
	return r >= 0x0590 && r <= 0x08FF || r >= 0xFB1D && r <= 0xFDFF || r >= 0xFE70 && r <= 0xFEFC ||
		r >= 0x10800 && r <= 0x10FFF || r >= 0x1E800 && r <= 0x1EFFF
}
