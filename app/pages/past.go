package pages

import (
	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"peernomic/app/frame"
	"peernomic/app/kit"
	"peernomic/app/view"
)

// atMoment is the page of an address, as it was after so many of all actions.
func atMoment(a view.Address, at, of int) string {
	room, _ := view.SplitRoom(a.Room)
	if at >= of {
		at = 0
	}
	path := view.Path(view.RoomAt(room, max(at, 0)), a.Page)
	if a.Arg != "" {
		path = view.Path(view.RoomAt(room, max(at, 0)), a.Page, a.Arg)
	}
	return path
}

// pastBanner says on every page that it shows the past, and leads back.
func pastBanner(f *frame.Frame) app.UI {
	if f.Shell == nil || f.Shell.Moment == nil {
		return nil
	}
	m := f.Shell.Moment
	steps := []app.UI{}
	if m.At > 1 {
		steps = append(steps, app.A().Class("btn").ID("moment-earlier").Aria("label", "Earlier").Href(atMoment(f.Address, m.At-1, m.Of)).DataSet("test", "earlier").Body(kit.Icon("back"), app.Span().Text("Earlier")))
	}
	if m.At < m.Of-1 {
		steps = append(steps, app.A().Class("btn").ID("moment-later").Aria("label", "Later").Href(atMoment(f.Address, m.At+1, m.Of)).DataSet("test", "later").Body(app.Span().Text("Later"), kit.Icon("next")))
	}
	steps = append(steps, app.A().Class("btn", "btn-main").Href(atMoment(f.Address, m.Of, m.Of)).DataSet("test", "back-to-now").Body(kit.Icon("now"), app.Span().Text("Back to now")))
	return app.Div().Class("past").Role("status").DataSet("test", "past").DataSet("at", m.At).Body(
		app.P().Title(kit.Exact(m.Line.Time)).Body(app.Strong().Text("The past. "), app.Text("The game as it was after action "+kit.Itoa(m.At)+" of "+kit.Itoa(m.Of)+": "+
			view.Isolated(m.Line.Who)+", "+m.Line.What+", "+kit.Clock(m.Line.Time, f.Now())+". Nothing can be done here.")),
		app.Div().Class("row").Body(steps...))
}
