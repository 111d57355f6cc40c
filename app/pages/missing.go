package pages

import (
	"cmp"
	"errors"
	"strings"
	"unicode"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"peernomic/app/frame"
	"peernomic/app/kit"
	"peernomic/app/view"
)

// kinds are what the addresses below a page name, and what leads back.
var kinds = map[string]struct{ what, back string }{
	"matters": {"matter", "All matters"}, "rules": {"rule", "All rules"}, "tracker": {"table", "The tracker"}, "pages": {"page", "All pages"},
	"boards": {"page", "All pages"}, "cards": {"page", "All pages"}, "dice": {"roll", "All rolls"}, "people": {"person", "Everybody"},
	"guide": {"guide", "All rules"}, "propose": {"beginning of a proposal", "A blank proposal"},
}

// missing tells what is not at an address, if that is what went wrong.
func missing(a view.Address, err error) (view.NoSuch, bool) {
	var m view.NoSuch
	switch {
	case !errors.Is(err, view.ErrNone):
		return m, false
	case errors.As(err, &m):
	default:
		m = view.NoSuch{What: cmp.Or(kinds[a.Page].what, "page"), ID: cmp.Or(a.Arg, a.Page)}
	}
	m.ID = strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return '\uFFFD'
		}
		return r
	}, m.ID)
	return m, true
}

// missingView is what stands at the address of something that is not there, with the way back.
func missingView(f *frame.Frame, m view.NoSuch) app.UI {
	why := "The link may be cut short; or it is newer than what this device has read, and appears here when that has come."
	if f.Shell != nil && f.Shell.Moment != nil {
		why = "The game is shown as it was then; what came later is not there yet."
	}
	back, page := kinds[f.Address.Page].back, f.Address.Page
	if back == "" || page == "boards" || page == "cards" || page == "guide" {
		page = cmp.Or(navParent[page], page)
	}
	for _, p := range navItems {
		if p.page == page && back == "" {
			back = p.label
		}
	}
	var ways []app.UI
	if back != "" {
		ways = append(ways, app.A().Class("btn", "btn-main").Href(f.Path(page)).DataSet("test", "way-back").Body(app.Span().Text(back)))
	}
	if page != "now" {
		ways = append(ways, kit.Link(f.Path("now"), "What needs me now"))
	}
	return app.Div().Class("failed").DataSet("test", "missing").Body(
		app.H1().ID("page-title").TabIndex(-1).Text("No such "+m.What),
		app.P().Body(app.Text("This game has no "+m.What+" “"), kit.Named(m.ID), app.Text("”. "+why)),
		app.P().Class("row").Body(ways...))
}
