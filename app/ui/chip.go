package ui

import (
	"cmp"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"peernomic/app/view"
)

// chips shows rolls of a room as small sealed values that open their proof.
func chips(room string, rolls []view.Chip) []app.UI {
	return each(rolls, func(_ int, c view.Chip) app.UI { return chip(room, c) })
}

// chip shows one roll.
func chip(room string, c view.Chip) app.UI {
	return app.A().Class("chip").Class(tentativeClass(c.Tentative)).
		Href(view.Path(room, "dice", c.ID)).DataSet("test", "roll").
		DataSet("sides", c.Sides).DataSet("value", c.Value).
		Title("A die with "+itoa(c.Sides)+" sides showed "+itoa(c.Value)+". Open its proof.").
		Body(
			app.Span().Class("chip-sides").Text("d"+itoa(c.Sides)),
			app.Span().Class("chip-value").Text(cmp.Or(c.Face, itoa(c.Value))),
			icon("seal"),
		)
}

func tentativeClass(yes bool) string {
	if yes {
		return "tentative"
	}
	return ""
}

// changeList shows changes as lines of old and new.
func changeList(changes []view.Change) app.UI {
	if len(changes) == 0 {
		return nil
	}
	return app.Ul().Class("changes").Body(each(changes, func(_ int, c view.Change) app.UI {
		var what []app.UI
		if c.Row != "" {
			what = append(what, app.Span().Class("change-row").Body(named(c.Row)))
		}
		what = append(what, app.Span().Class("change-column").Text(c.Column))
		if c.Old != "" || c.New != "" {
			what = append(what,
				alone(app.Span().Class("change-old"), orDash(c.Old)),
				app.Span().Class("change-arrow").Aria("label", "becomes").Text("→"),
				alone(app.Span().Class("change-new"), orDash(c.New)))
		}
		return app.Li().Body(what...)
	})...)
}

func orDash(s string) string {
	if s == "" {
		return "–"
	}
	return s
}

// previewView shows what an action would do, one block for each way it may fall.
func previewView(p *view.Preview) app.UI {
	if p.Refused != "" {
		return note("bad", "It would be refused: "+p.Refused).DataSet("test", "preview")
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
			changeList(o.Changes),
			app.Ul().Class("notes").Body(each(o.Notes, func(_ int, n string) app.UI { return app.Li().Text(view.Isolated(n)) })...),
		))
	}
	if p.Partial {
		body = append(body, app.P().Class("quiet").Text("There are more ways for the dice to fall than are shown."))
	}
	return app.Div().Class("preview").DataSet("test", "preview").Body(body...)
}

// person shows a name with initials in a tinted disc, so that one finds people by
// eye; the name is always beside it.
func person(name string) app.UI {
	return app.Span().Class("person").Body(face1(name), alone(app.Span(), name))
}

func face1(name string) app.UI {
	initial := "?"
	for _, r := range name {
		initial = capital(string(r))
		break
	}
	sum := 0
	for _, b := range []byte(name) {
		sum = (sum*31 + int(b)) % 997
	}
	return app.Span().Class("face").DataSet("tint", sum%6).Aria("hidden", "true").Text(initial)
}
