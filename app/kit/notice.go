package kit

import (
	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"peernomic/app/view"
)

// Notice is a paragraph that must not be missed. Its kind is "good", "bad", "wait"
// or "note".
func Notice(kind string, body ...app.UI) app.HTMLDiv {
	glyph := map[string]string{"good": "check", "bad": "warn", "wait": "wait"}[kind]
	if glyph == "" {
		glyph = "comment"
	}
	return app.Div().Class("notice", "notice-"+kind).
		Body(Icon(glyph), app.Div().Class("notice-text").Body(body...))
}

// Note is a notice of one sentence.
func Note(kind, text string) app.HTMLDiv { return Notice(kind, app.P().Text(view.Isolated(text))) }

// Waits says what something tentative waits for.
func Waits(text string) app.UI {
	if text == "" {
		text = "not yet in its place: waiting for the relay"
	}
	return app.P().Class("waits").DataSet("test", "tentative").Body(Icon("wait"), app.Span().Text("Tentative: "+view.Isolated(text)))
}
