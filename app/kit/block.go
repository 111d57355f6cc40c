package kit

import (
	"peernomic/app/view"
	"strings"

	"github.com/maxence-charriere/go-app/v9/pkg/app"
)

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

// Facts shows names with values.
func Facts(facts []view.Fact) app.UI {
	return app.Dl().Class("facts").Body(Each(facts, func(_ int, f view.Fact) app.UI {
		dd := app.Dd()
		if f.Code {
			dd = dd.Class("hex")
		}
		return app.Div().DataSet("test", "fact-"+Slug(f.Name)).Body(app.Dt().Text(f.Name), dd.Text(f.Value),
			When(f.Help != "", func() app.UI { return app.Dd().Class("fact-help").Text(f.Help) }))
	})...)
}

// Code shows a script with line numbers that are not part of its text.
func Code(code string, first int) app.UI {
	lines := strings.Split(strings.TrimRight(code, "\n"), "\n")
	return app.Div().Class("code").TabIndex(0).Role("region").Aria("label", "Script").Body(
		app.Pre().Class("gutter").Aria("hidden", "true").Text(numbers(first, len(lines))),
		app.Pre().Class("code-text").DataSet("test", "script").Body(app.Code().Text(strings.Join(lines, "\n"))))
}

func numbers(first, n int) string {
	var b strings.Builder
	for i := range n {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(Itoa(first + i))
	}
	return b.String()
}
