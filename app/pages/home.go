package pages

import (
	"cmp"
	"context"
	"slices"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"peernomic/app/frame"
	"peernomic/app/kit"
	"peernomic/app/view"
)

// homePage shows my games, and founds, joins and imports others.
type homePage struct {
	f       *frame.Frame
	view    *view.Home
	invite  string
	wrong   string
	remover remover

	opening string           // the room of the game that is being opened, so that its card can say what waits in it
	far     *view.Opening    // how far that is
	failed  map[string]error // why games could not be opened, by room
}

func (p *homePage) Title() string { return "My games" }

func (p *homePage) Load(ctx context.Context, g view.Game) (func(), error) {
	if room := p.opening; room != "" { // of all that is shown, only that changes while the device is busy with it
		far := p.f.Host.Opening(room)
		return func() { p.far = far }, nil
	}
	v, err := p.f.Host.Home(ctx)
	return func() {
		p.view = v
		p.openNext()
	}, err
}

// openNext opens the games of which no more than the title is known, one after the other, for as long as the page is
// shown.
func (p *homePage) openNext() {
	f, life, ctx := p.f, p.f.Life, p.f.Ctx
	i := slices.IndexFunc(p.view.Games, func(g view.GameLine) bool { return g.Shut && p.failed[g.Room] == nil })
	if ctx == nil || i < 0 {
		return
	}
	room := p.view.Games[i].Room
	p.opening, p.far = room, nil
	ctx.Async(func() {
		err := f.Host.Look(life, room)
		ctx.Dispatch(func(app.Context) {
			p.opening, p.far = "", nil
			if err != nil {
				p.failed[room] = err
			}
			if f.Page == p {
				f.Reload()
			}
		})
	})
}

func (p *homePage) Render() app.UI {
	v := p.view
	body := []app.UI{app.Header().Class("front").Body(
		app.P().Class("front-name").Body(app.Span().Class("front-rule").Aria("hidden", "true"),
			app.Span().Text("peernomic"), app.Span().Class("front-rule").Aria("hidden", "true")),
		app.H1().ID("page-title").TabIndex(-1).Text("A game whose moves change its rules"),
		kit.When(len(v.Games) == 0, func() app.UI {
			return app.P().Class("lead").Text("You and your friends propose, argue, vote and enact. The rules, the scores and the dice " +
				"live on your own devices; nobody owns the game.")
		}),
	)}
	if len(v.Games) > 0 {
		if v.Storage != "" {
			body = append(body, kit.Note("wait", v.Storage))
		}
		body = append(body, app.Section().Aria("label", "My games").Body(
			app.Ul().Class("games").Body(kit.Each(v.Games, p.game)...)))
		if !v.BackedUp {
			body = append(body, kit.Note("note", "Your identity exists only in this browser so far. Keep a copy of it: "+
				"open a game, then Settings, then “Back up my key”.").DataSet("test", "backup-reminder"))
		}
	}
	body = append(body, app.Section().Class("doors").Body(
		app.Div().Class("door").Body(
			app.H2().Text("Found a game"),
			app.P().Text("Choose a ruleset, give the game a name, send the link to friends."),
			app.P().Body(app.A().Class("btn", "btn-main").Href("/found").DataSet("test", "found").
				Body(kit.Icon("plus"), app.Span().Text("Found a game")))),
		app.Div().Class("door").Body(
			app.H2().Text("Open an invitation"),
			app.Form().OnSubmit(p.onInvite).Body(
				kit.Field("invite", "The link you were sent", "", app.Input().ID("invite").Type("text").AutoComplete(false).
					Placeholder("https://…/#/join/…").DataSet("test", "invite-link").OnInput(p.onInviteText)),
				kit.When(p.wrong != "", func() app.UI { return app.P().Class("wrong").Role("alert").Text(p.wrong) }),
				app.Div().Class("row").Body(
					app.Button().Type("submit").Class("btn").DataSet("test", "open-invite").
						Body(kit.Icon("door"), app.Span().Text("Open"))))),
		app.Div().Class("door").Body(
			app.H2().Text("Import and verify"),
			app.P().Text("A game that was exported, your key from another device, or a proof to check."),
			app.P().Class("row").Body(app.A().Class("btn").Href("/import").DataSet("test", "import").Body(kit.Icon("down"), app.Span().Text("Import")),
				app.A().Class("btn", "btn-quiet").Href("/verify").DataSet("test", "verify").Body(kit.Icon("check"), app.Span().Text("Verify")))),
	))
	return app.Div().Class("home").Body(body...)
}

func (p *homePage) game(_ int, g view.GameLine) app.UI {
	set, line := g.Ruleset+" · "+kit.Plural(g.Players, "player", "players"), cmp.Or(g.Line, "Nothing waits for you.")
	var far *view.Opening
	switch err := p.failed[g.Room]; {
	case err != nil:
		set, line = "", "It cannot be opened: "+err.Error()
	case g.Room == p.opening:
		set, line, far = "Opening…", "", p.far
	case g.Shut:
		set, line = "Not open yet", ""
	case g.Ruleset == "":
		set = ""
	}
	return app.Li().Class("game").DataSet("accent", g.Accent).Body(
		app.A().Class("game-link").Href(view.Path(g.Room, "now")).DataSet("test", "game").Body(
			kit.Alone(app.Span().Class("game-title"), g.Title),
			app.Span().Class("game-set").Text(set),
			app.Span().Class("game-line").Body(
				kit.When(g.Needs > 0, func() app.UI {
					return app.Span().Class("count").Body(app.Text(kit.Itoa(g.Needs)), app.Span().Class("unseen").Text(" waiting for you:"))
				}),
				kit.When(far != nil, func() app.UI {
					return app.Progress().Aria("label", "How far the opening is").DataSet("test", "opening-progress").Max(far.Total).Value(far.Done)
				}),
				app.Span().Text(view.Isolated(line))),
		),
		kit.When(g.Room != p.opening && (p.failed[g.Room] != nil || !g.Shut && g.Ruleset == ""), func() app.UI {
			lost := comingBack
			if g.Practice {
				lost = goneForGood
			}
			return p.remover.view(g.Room, app.P().Text(lost))
		}))
}

func (p *homePage) onInviteText(ctx app.Context, _ app.Event) {
	p.invite = ctx.JSSrc().Get("value").String()
}

func (p *homePage) onInvite(_ app.Context, e app.Event) {
	e.PreventDefault()
	if len(secretOf(p.invite)) < 20 {
		p.wrong = "That is no invitation: it should end in #/join/ and a long row of letters."
		return
	}
	p.f.Show(view.Address{Page: "join"}, "join", newJoinPage(p.f, inviteOf(p.invite)))
}
