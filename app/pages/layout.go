package pages

import (
	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"peernomic/app/kit"
	"peernomic/app/view"
)

// navItem is an entry of the navigation.
type navItem struct{ page, label, glyph string }

// navItems are the pages of a game; the first phoneItems are in the phone's bar.
var navItems = []navItem{
	{"now", "Now", "now"},
	{"feed", "Feed", "feed"},
	{"matters", "Matters", "matters"},
	{"rules", "Rules", "rules"},
	{"tracker", "Tracker", "tracker"},
	{"pages", "Pages", "pages"},
	{"people", "People", "people"},
	{"dice", "Dice", "dice"},
	{"history", "History", "history"},
	{"settings", "Settings", "settings"},
}

const phoneItems = 4

// navParent names the entry under which a page stands that has none of its own.
var navParent = map[string]string{"propose": "matters", "page": "pages", "boards": "pages", "cards": "pages", "guide": "rules", "convention": "people", "move": "settings"}

// Render draws the app.
func (r *root) Render() app.UI {
	if r.f.Page == nil {
		return app.Div().Class("app").Body(app.P().Class("opening").Text("Opening…"))
	}
	if r.f.Address.Room == "" {
		return app.Div().Class("app", "app-plain").Body(
			r.skipLink(),
			kit.Keyed("p-"+r.key, app.Main().ID("main").TabIndex(-1).Class("plain").Body(r.body())),
			r.f.Messages(),
		)
	}
	return app.Div().Class("app", "app-game").DataSet("accent", r.accent()).
		DataSet("loaded", r.state == loaded).Body(
		r.skipLink(),
		r.masthead(),
		r.navigation(),
		kit.Keyed("p-"+r.key, app.Main().ID("main").TabIndex(-1).Class("sheet").Body(pastBanner(r.f), laterBanner(r.f), summons(r.f), r.body())),
		rail(r.f),
		r.bar(),
		r.f.Messages(),
		r.paletteView(),
	)
}

func (r *root) accent() string {
	if r.f.Shell != nil && r.f.Shell.Accent != "" {
		return r.f.Shell.Accent
	}
	return "oxblood"
}

func (r *root) skipLink() app.UI {
	return app.Button().Type("button").Class("skip").OnClick(func(ctx app.Context, _ app.Event) {
		kit.Focus(ctx, "main")
	}).Text("To the page")
}

// body is the page, or what stands for it until it is loaded or if it failed.
func (r *root) body() app.UI {
	switch r.state {
	case loaded:
		return r.f.Page.Render()
	case failed:
		if m, ok := missing(r.f.Address, r.err); ok && r.f.Address.Room != "" {
			return missingView(r.f, m)
		}
		return app.Div().Class("failed").DataSet("test", "failed").Body(
			app.H1().Text("This could not be shown"),
			app.P().Text(kit.Sentence(r.err.Error())),
			app.P().Class("row").Body(
				kit.Button("Try again", r.retry).Class("btn-main"),
				kit.Link("/", "All my games"),
			),
		)
	default:
		return r.waiting()
	}
}

// waiting is the page while it is not there yet.
func (r *root) waiting() app.UI {
	what, far := "Opening…", r.openingFar
	if r.f.Address.Room != "" && r.f.Game == nil {
		what = "Opening the game: reading its log on this device…"
		if far != nil && far.Carrying {
			what = "Opening the game: this version of the program carries out all of its actions, once…"
		}
	}
	body := []app.UI{app.P().Aria("live", "polite").Text(what)}
	if far != nil {
		body = append(body, app.Progress().Aria("label", "How far the opening is").DataSet("test", "opening-progress").Max(far.Total).Value(far.Done))
	}
	ghost := app.Div().Class("ghost").Aria("hidden", "true").Body(app.Div(), app.Div(), app.Div(), app.Div())
	return app.Div().Class("opening").Body(append(body, ghost)...)
}

func (r *root) retry(app.Context, app.Event) {
	r.state = notAsked
	if r.f.Address.Room != "" && r.f.Game == nil {
		r.openGame(r.f.Address.Room)
		return
	}
	r.reload()
}

// masthead is the head of the gazette.
func (r *root) masthead() app.UI {
	s := r.f.Shell
	if s == nil {
		return app.Header().Class("masthead").Body(
			app.A().Class("home-link").Href("/").Title("All my games").Body(kit.Icon("home"), app.Span().Text("Games")),
			app.P().Class("paper").Text("peernomic"),
		)
	}
	return app.Header().Class("masthead").Body(
		app.A().Class("home-link").Href("/").Title("All my games").Body(kit.Icon("home"), app.Span().Text("Games")),
		app.Div().Class("paper-block").Body(
			kit.Alone(app.A().Class("paper").Href(view.Path(s.Room, "now")).DataSet("test", "game-title"), s.Title),
			app.P().Class("dateline").Body(
				app.Span().Text("No. "+kit.Itoa(s.Issue)),
				app.Span().Text(dateline(s.Clock)),
				app.Span().Class("dateline-set").Text(s.Ruleset),
			),
		),
		app.Div().Class("me").Body(app.Button().Type("button").Class("find-button").Title("Find anything (Ctrl-K)").Aria("label", "Find anything").
			DataSet("test", "find").OnClick(r.openPalette).Body(kit.Icon("find")), r.netMark(), kit.Alone(app.Span().Class("me-name").DataSet("test", "my-name"), s.Me.Name)),
		kit.When(r.netOpen, r.netSays),
	)
}

// navigation is the list of pages at the left of a wide screen.
func (r *root) navigation() app.UI {
	return app.Nav().Class("nav").Aria("label", "Pages of the game").Body(
		app.Ul().Body(r.navLinks(navItems)...),
		kit.When(r.f.Shell != nil && r.f.Shell.CanPropose, func() app.UI {
			return app.A().Class("btn", "btn-main", "nav-propose").Href(r.f.Path("propose")).
				DataSet("test", "nav-propose").Body(kit.Icon("pen"), app.Span().Text("Propose"))
		}),
	)
}

func (r *root) navLinks(list []navItem) []app.UI {
	here := r.f.Address.Page
	if p, ok := navParent[here]; ok {
		here = p
	}
	return kit.Each(list, func(_ int, p navItem) app.UI {
		a := app.A().Class("place").Href(r.f.Path(p.page)).DataSet("test", "nav-"+p.page)
		if p.page == here {
			a = a.Aria("current", "page")
		}
		return app.Li().Body(a.Body(kit.Icon(p.glyph), app.Span().Text(p.label), r.count(p.page)))
	})
}

// count is the little number at an entry of the navigation.
func (r *root) count(page string) app.UI {
	if r.f.Shell == nil {
		return nil
	}
	n, what := 0, ""
	switch page {
	case "now":
		n, what = r.f.Shell.Needs, "waiting for you"
	case "matters":
		n, what = r.f.Shell.OpenMatters, "open"
	}
	if n == 0 {
		return nil
	}
	return app.Span().Class("count", "count-"+page).Body(
		app.Text(kit.Itoa(n)), app.Span().Class("unseen").Text(" "+what))
}

// bar is the phone's navigation.
func (r *root) bar() app.UI {
	items := r.navLinks(navItems[:phoneItems])
	items = append(items, app.Li().Body(
		app.Button().Type("button").Class("place").DataSet("test", "nav-more").
			Aria("expanded", r.menu).Aria("controls", "more").OnClick(r.onMenu).
			Body(kit.Icon("more"), app.Span().Text("More"))))
	var sheet app.UI
	if r.menu {
		more := r.navLinks(navItems[phoneItems:])
		if r.f.Shell != nil && r.f.Shell.CanPropose {
			more = append(more, app.Li().Body(app.A().Class("place").Href(r.f.Path("propose")).
				Body(kit.Icon("pen"), app.Span().Text("Propose"))))
		}
		sheet = app.Div().Class("more").ID("more").Body(
			app.Ul().Body(more...),
			app.Div().Class("more-rail").Body(railParts(r.f)...))
	}
	return app.Div().Class("bar").Body(
		sheet,
		app.Nav().Aria("label", "Main pages").Body(app.Ul().Body(items...)),
	)
}

func (r *root) onMenu(app.Context, app.Event) { r.menu = !r.menu }
