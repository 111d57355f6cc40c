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
