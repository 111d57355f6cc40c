package ui

import (
	"fmt"
	"unicode/utf8"

	"github.com/maxence-charriere/go-app/v9/pkg/app"
)

// Limits of what is typed before there are rules that could state them, in characters.
const (
	nameLimit  = 40 // a person's name
	titleLimit = 80 // a game's name
)

// overLong says what is wrong with a text that is longer than it may be, in characters; else nothing. No limit is 0.
// Inputs have no limit of their own, as a browser cuts what is pasted without a word.
func overLong(text string, most int) string {
	if n := utf8.RuneCountInString(text); most > 0 && n > most {
		return fmt.Sprintf("At most %d characters; this has %d.", most, n)
	}
	return ""
}

// taken tells how much of its room a text has taken, once little is left, and what is wrong if there is none.
func taken(text string, most int) app.UI {
	n := utf8.RuneCountInString(text)
	if wrong := overLong(text, most); wrong != "" {
		return app.P().Class("wrong").Role("alert").DataSet("test", "over-long").Text(wrong)
	}
	if most <= 0 || 4*n < 3*most {
		return nil
	}
	return app.P().Class("help", "room").DataSet("test", "room").Text(itoa(n) + " of " + itoa(most) + " characters")
}

// bounded is a field for a text that has a limit.
func bounded(id, label, help, text string, most int, control app.UI) app.UI {
	return app.Div().Body(field(id, label, help, control), taken(text, most))
}
