package ui

import (
	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"peernomic/app/view"
)

// decisionCard draws a choice that waits for me.
func decisionCard(f *Frame, d view.Decision) app.UI {
	key := "decide-" + itoa(d.ID)
	busy := f.Busy(key)
	body := []app.UI{
		app.P().Class("kicker").Body(icon("dice"), app.Span().Text("The dice have fallen: you choose")),
		app.H2().Class("card-title").Text(d.Question),
		when(d.Shut != "", func() app.UI { return app.P().Class("quiet").Text(d.Shut + ".") }),
		app.Div().Class("row").Role("group").Aria("label", d.Question).Body(each(d.Options, func(_ int, c view.Choice) app.UI {
			return button(c.Label, func(ctx app.Context, _ app.Event) {
				f.Act(key, c.Label, "Decide", map[string]any{"decision": d.ID, "choice": c.Value}, nil)
			}, d.ID, c.Label).Class("btn-main").Disabled(busy || d.Shut != "").DataSet("test", "choose-"+slug(c.Label))
		})...),
	}
	if d.Until != 0 {
		body = append(body, app.P().Class("quiet", "card-until").Body(icon("wait"),
			app.Span().Body(app.Text("If you say nothing "), until(d.Until, f.Now()), app.Text(": “"+d.Otherwise+"”"))))
	}
	return app.Article().Class("card", "card-decide").DataSet("test", "decision").Body(keyed(key, body...))
}
