package kit

import (
	"fmt"
	"time"
	"unicode/utf8"

	"github.com/maxence-charriere/go-app/v9/pkg/app"
)

// Field is a labelled control with help under it.
func Field(id, label, help string, control app.UI) app.UI {
	body := []app.UI{app.Label().For(id).Text(label), control}
	if help != "" {
		body = append(body, app.P().Class("help").ID(id+"-help").Text(help))
	}
	return app.Div().Class("field").Body(body...)
}

// Bounded is a field for a text that has a limit.
func Bounded(id, label, help, text string, most int, control app.UI) app.UI {
	return app.Div().Body(Field(id, label, help, control), taken(text, most))
}

// OverLong says what is wrong with a text that is longer than it may be, in characters; else nothing. No limit is 0.
// Inputs have no limit of their own, as a browser cuts what is pasted without a word.
func OverLong(text string, most int) string {
	if n := utf8.RuneCountInString(text); most > 0 && n > most {
		return fmt.Sprintf("At most %d characters; this has %d.", most, n)
	}
	return ""
}

// taken tells how much of its room a text has taken, once little is left, and what is wrong if there is none.
func taken(text string, most int) app.UI {
	n := utf8.RuneCountInString(text)
	if wrong := OverLong(text, most); wrong != "" {
		return app.P().Class("wrong").Role("alert").DataSet("test", "over-long").Text(wrong)
	}
	if most <= 0 || 4*n < 3*most {
		return nil
	}
	return app.P().Class("help", "room").DataSet("test", "room").Text(Itoa(n) + " of " + Itoa(most) + " characters")
}

// Into returns a handler that keeps what an input holds.
func Into(s *string) app.EventHandler {
	return func(ctx app.Context, _ app.Event) { *s = ctx.JSSrc().Get("value").String() }
}

// SetValue writes into an input from outside, which rendering never does.
func SetValue(id, value string) {
	if e := app.Window().GetElementByID(id); e.Truthy() {
		e.Set("value", value)
	}
}

// TypingPause is how long the keyboard must rest before what was typed is kept and checked.
const TypingPause = 500 * time.Millisecond
