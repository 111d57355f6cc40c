package kit

import (
	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"peernomic/app/view"
)

// Changes shows changes as lines of old and new.
func Changes(changes []view.Change) app.UI {
	if len(changes) == 0 {
		return nil
	}
	return app.Ul().Class("changes").Body(Each(changes, func(_ int, c view.Change) app.UI {
		var what []app.UI
		if c.Row != "" {
			what = append(what, app.Span().Class("change-row").Body(Named(c.Row)))
		}
		what = append(what, app.Span().Class("change-column").Text(c.Column))
		if c.Old != "" || c.New != "" {
			what = append(what,
				Alone(app.Span().Class("change-old"), OrDash(c.Old)),
				app.Span().Class("change-arrow").Aria("label", "becomes").Text("→"),
				Alone(app.Span().Class("change-new"), OrDash(c.New)))
		}
		return app.Li().Body(what...)
	})...)
}

// Outcomes shows what an action would do, one block for each way it may fall.
func Outcomes(p *view.Preview) app.UI {
	if p.Refused != "" {
		return Note("bad", "It would be refused: "+p.Refused).DataSet("test", "preview")
	}
	body := []app.UI{app.P().Class("quiet").Text("If it happened now. Nothing has been done yet.")}
	if len(p.Outcomes) == 0 {
		body = append(body, app.P().Text("Nothing in the game would change."))
	}
	for _, o := range p.Outcomes {
		var head []app.UI
		if o.Chance != "" {
			head = append(head, app.Strong().Text(o.Chance), app.Text(" "))
		}
		if o.Dice != "" {
			head = append(head, app.Span().Class("quiet").Text(o.Dice))
		}
		if len(o.Changes) == 0 && len(o.Notes) == 0 {
			head = append(head, app.Span().Text("nothing changes"))
		}
		body = append(body, app.Div().Class("outcome").Body(
			app.P().Body(head...),
			Changes(o.Changes),
			app.Ul().Class("notes").Body(Each(o.Notes, func(_ int, n string) app.UI { return app.Li().Text(view.Isolated(n)) })...),
		))
	}
	if p.Partial {
		body = append(body, app.P().Class("quiet").Text("There are more ways for the dice to fall than are shown."))
	}
	return app.Div().Class("preview").DataSet("test", "preview").Body(body...)
}
