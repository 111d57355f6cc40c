package pages

import (
	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"peernomic/app/frame"
	"peernomic/app/kit"
	"peernomic/app/view"
)

// decisionCard draws a choice that waits for me.
func decisionCard(f *frame.Frame, d view.Decision) app.UI {
	key := "decide-" + kit.Itoa(d.ID)
	busy := f.Busy(key)
	body := []app.UI{
		app.P().Class("kicker").Body(kit.Icon("dice"), app.Span().Text("The dice have fallen: you choose")),
		app.H2().Class("card-title").Text(d.Question),
		kit.When(d.Shut != "", func() app.UI { return app.P().Class("quiet").Text(d.Shut + ".") }),
		app.Div().Class("row").Role("group").Aria("label", d.Question).Body(kit.Each(d.Options, func(_ int, c view.Choice) app.UI {
			return kit.Button(c.Label, func(app.Context, app.Event) {
				f.Act(key, c.Label, "Decide", map[string]any{"decision": d.ID, "choice": c.Value}, nil)
			}, d.ID, c.Label).Class("btn-main").Disabled(busy || d.Shut != "").DataSet("test", "choose-"+kit.Slug(c.Label))
		})...),
	}
	if d.Until != 0 {
		body = append(body, app.P().Class("quiet", "card-until").Body(kit.Icon("wait"),
			app.Span().Body(app.Text("If you say nothing "), kit.Until(d.Until, f.Now()), app.Text(": “"+d.Otherwise+"”"))))
	}
	return app.Article().Class("card", "card-decide").DataSet("test", "decision").Body(kit.Keyed(key, body...))
}
