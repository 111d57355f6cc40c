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

// Heading is the head of a page.
func Heading(title string, under ...app.UI) app.UI {
	body := []app.UI{Alone(app.H1().ID("page-title").TabIndex(-1), title)}
	if len(under) > 0 {
		body = append(body, app.P().Class("under").Body(under...))
	}
	return app.Header().Class("page-head").Body(body...)
}

// Empty says that a list has nothing in it and why that is fine.
func Empty(text string) app.UI {
	return app.P().Class("empty").Text(view.Isolated(text))
}

// Problems shows what is wrong, by rule and line.
func Problems(list []view.Problem, lead string) app.UI {
	return app.Div().Class("problems").DataSet("test", "problems").Role("status").Body(
		app.P().Body(Icon("warn"), app.Span().Text(lead)),
		app.Ul().Body(Each(list, func(_ int, q view.Problem) app.UI {
			where := q.Rule
			if q.Line > 0 {
				where = JoinWords(where, "line "+Itoa(q.Line))
			}
			return app.Li().Body(app.Strong().Text(where), app.Text(" "+q.Message))
		})...))
}
