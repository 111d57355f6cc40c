package ui

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

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
	i := slices.IndexFunc(p.view.Games, func(g view.GameCard) bool { return g.Shut && p.failed[g.Room] == nil })
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

func (p *homePage) game(_ int, g view.GameCard) app.UI {
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

// foundPage founds a game. Everything has a default: two clicks suffice.
type foundPage struct {
	f      *frame.Frame
	view   *view.Home
	sets   []view.Ruleset
	chosen int
	in     view.Founding
	wrong  string
	cutOff bool // the relay was not reached
}

func newFoundPage(f *frame.Frame) *foundPage { return &foundPage{f: f} }

func (p *foundPage) Title() string { return "Found a game" }

func (p *foundPage) Load(ctx context.Context, g view.Game) (func(), error) {
	v, err := p.f.Host.Home(ctx)
	if err != nil {
		return nil, err
	}
	sets := p.sets
	if sets == nil {
		if sets, err = p.f.Host.Rulesets(ctx); err != nil {
			return nil, err
		}
	}
	return func() {
		first := p.view == nil
		p.view, p.sets = v, sets
		if first {
			p.in.Name = v.Name
			p.choose(0)
		}
	}, nil
}

func (p *foundPage) choose(i int) {
	p.chosen = i
	p.in.Options = map[string]string{}
	if i < len(p.sets) {
		p.in.Ruleset = p.sets[i].Name
		for _, o := range p.sets[i].Options {
			p.in.Options[o.Name] = o.Default
		}
	}
}

func (p *foundPage) Render() app.UI {
	v := p.view
	if len(p.sets) == 0 {
		return app.Div().Body(kit.Heading("Found a game"), kit.Note("bad", "This version of the app holds no ruleset."))
	}
	set := p.sets[p.chosen]
	fields := []app.UI{
		kit.Bounded("found-name", "Your name in the game", "What the others will see.", p.in.Name, view.NameLimit,
			app.Input().ID("found-name").Type("text").Value(v.Name).Required(true).
				DataSet("test", "found-name").OnInput(kit.Into(&p.in.Name), "name")),
		kit.Bounded("found-title", "The game's name (optional)", "", p.in.Title, view.TitleLimit,
			app.Input().ID("found-title").Type("text").Placeholder(set.Title).
				DataSet("test", "found-title").OnInput(kit.Into(&p.in.Title), "title")),
	}
	return app.Div().Class("found").Body(
		kit.Heading("Found a game"),
		app.Form().Class("form").OnSubmit(p.onSubmit).Body(
			app.FieldSet().Class("rulesets").Body(
				app.Legend().Text("Which rules to begin with"),
				app.Div().Body(kit.Each(p.sets, p.ruleset)...)),
			app.Div().Body(fields...),
			kit.When(len(set.Options) > 0, func() app.UI {
				return kit.Keyed("options-"+set.Name, app.Details().Class("options").Body(
					app.Summary().Text("More choices (all have sensible defaults)"),
					app.Div().Body(kit.Each(set.Options, p.option)...)))
			}),
			kit.When(p.wrong != "", func() app.UI { return app.P().Class("wrong").Role("alert").Text(p.wrong) }),
			kit.When(p.cutOff, func() app.UI {
				return kit.Notice("wait", app.P().Text("The relay is not reached: this device seems to be offline. A game with others begins there, so that nobody can choose "+
					"its order or its dice; found it when you are online."),
					app.P().Text("Alone you can begin now: the same rules, on this device only, with dice that nobody witnesses. Such a game can go on later "+
						"in a room with others, from any point of it.")).Role("alert").DataSet("test", "found-offline")
			}),
			app.Div().Class("row").Body(
				app.Button().Type("submit").Class("btn", "btn-main").Disabled(p.f.Busy("found")).
					DataSet("test", "found-submit").Body(kit.Icon("plus"), app.Span().Text("Found "+cmp.Or(p.in.Title, set.Title))),
				kit.IconButton("home", "Practise alone", p.onPractise).Class("btn-quiet").Disabled(p.f.Busy("found")).
					Title("On this device only, with dice that nobody witnesses").DataSet("test", "found-practice"),
				kit.Link("/", "Back")),
		))
}

func (p *foundPage) ruleset(i int, s view.Ruleset) app.UI {
	return app.Label().Class("ruleset").DataSet("accent", s.Accent).Body(
		app.Input().Type("radio").Name("ruleset").Value(s.Name).Checked(p.chosen == i).
			DataSet("test", "ruleset-"+kit.Slug(s.Name)).
			OnChange(func(app.Context, app.Event) { p.choose(i) }, i),
		app.Span().Class("ruleset-body").Body(
			app.Span().Class("ruleset-title").Text(s.Title),
			app.Span().Class("ruleset-text").Text(s.Summary),
			app.If(s.Mood != "" || s.Learn != "", app.Span().Class("quiet").Text(kit.JoinWords(s.Mood, s.Learn))),
		))
}

func (p *foundPage) option(_ int, o view.Option) app.UI {
	id := "option-" + kit.Slug(o.Name)
	name := o.Name
	set := func(ctx app.Context, _ app.Event) { p.in.Options[name] = ctx.JSSrc().Get("value").String() }
	if len(o.Choices) > 0 {
		return kit.Field(id, o.Label, o.Help, app.Select().ID(id).OnChange(set, id).Body(
			kit.Each(o.Choices, func(_ int, c view.Choice) app.UI {
				v, _ := c.Value.(string)
				return app.Option().Value(v).Selected(v == o.Default).Text(c.Label)
			})...))
	}
	return kit.Field(id, o.Label, o.Help, app.Input().ID(id).Type("text").Value(o.Default).OnInput(set, id))
}

func (p *foundPage) onSubmit(ctx app.Context, e app.Event) {
	e.PreventDefault()
	p.found(ctx, false)
}

func (p *foundPage) onPractise(ctx app.Context, _ app.Event) { p.found(ctx, true) }

func (p *foundPage) found(ctx app.Context, practice bool) {
	p.wrong, p.cutOff = "", false
	if name := strings.TrimSpace(p.in.Name); name == "" {
		p.wrong = "The others need a name to call you by."
		kit.Focus(ctx, "found-name")
		return
	}
	if p.f.TooLong("found-name", strings.TrimSpace(p.in.Name), view.NameLimit) ||
		p.f.TooLong("found-title", strings.TrimSpace(p.in.Title), view.TitleLimit) {
		return
	}
	in := p.in
	in.Title = cmp.Or(strings.TrimSpace(in.Title), p.sets[p.chosen].Title)
	in.Name = strings.TrimSpace(in.Name)
	in.Practice = practice
	p.f.Async("found", "Founding the game", func(c context.Context) (func(app.Context), error) {
		room, err := p.f.Host.Found(c, in)
		if errors.Is(err, view.ErrNoRelay) {
			return func(app.Context) { p.cutOff = true }, nil
		}
		return func(ctx app.Context) { ctx.Navigate(view.Path(room, "now")) }, err
	})
}
