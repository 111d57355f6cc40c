package kit

import (
	"cmp"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"peernomic/app/view"
)

// Chips shows rolls of a room as small sealed values that open their proof.
func Chips(room string, rolls []view.Chip) []app.UI {
	return Each(rolls, func(_ int, c view.Chip) app.UI { return Chip(room, c) })
}

// Chip shows one roll.
func Chip(room string, c view.Chip) app.UI {
	return app.A().Class("chip").Class(TentativeClass(c.Tentative)).
		Href(view.Path(room, "dice", c.ID)).DataSet("test", "roll").
		DataSet("sides", c.Sides).DataSet("value", c.Value).
		Title("A die with "+Itoa(c.Sides)+" sides showed "+Itoa(c.Value)+". Open its proof.").
		Body(
			app.Span().Class("chip-sides").Text("d"+Itoa(c.Sides)),
			app.Span().Class("chip-value").Text(cmp.Or(c.Face, Itoa(c.Value))),
			Icon("seal"),
		)
}

// TentativeClass is the class of an element that shows something tentative, or empty.
func TentativeClass(yes bool) string {
	if yes {
		return "tentative"
	}
	return ""
}
