package ui

import (
	"strings"

	"github.com/maxence-charriere/go-app/v9/pkg/app"
)

// What others wrote may run from right to left. Where it stands in a sentence it is set apart from what is around it, or
// the marks and numbers beside it would change places (UAX #9).

// named is a name within a sentence.
func named(name string) app.UI { return app.Elem("bdi").Text(name) }

// Isolated sets a name or title apart within a text that is no markup. What has no letter that runs from right to left is
// left as it is.
func Isolated(s string) string {
	if strings.IndexFunc(s, runsLeft) < 0 {
		return s
	}
	return "\u2068" + s + "\u2069"
}

// runsLeft reports whether a letter is of a script that is written from right to left.
func runsLeft(r rune) bool {
	return r >= 0x0590 && r <= 0x08FF || r >= 0xFB1D && r <= 0xFDFF || r >= 0xFE70 && r <= 0xFEFC ||
		r >= 0x10800 && r <= 0x10FFF || r >= 0x1E800 && r <= 0x1EFFF
}
