package pages

import (
	"context"
	"strings"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"peernomic/app/frame"
	"peernomic/app/kit"
	"peernomic/app/view"
)

// joinPage is all that someone who came by an invite link sees.
type joinPage struct {
	f      *frame.Frame
	invite string // the secret, or a whole link
	view   *view.Invitation
	name   string
	wrong  string
	as     string // what I would be called, as the name is taken
}

func newJoinPage(f *frame.Frame, invite string) *joinPage { return &joinPage{f: f, invite: invite} }

func (p *joinPage) Title() string { return "Invitation" }

func (p *joinPage) Load(ctx context.Context, g view.Game) (func(), error) {
	if p.invite == "" {
		return func() {}, nil
	}
	v, err := p.f.Host.Invitation(ctx, p.invite)
	return func() {
		if p.view == nil {
			p.name = v.Name
		}
		p.view = v
	}, err
}

func (p *joinPage) Render() app.UI {
	v := p.view
	if v == nil {
		return app.Div().Body(kit.Heading("No invitation"),
			app.P().Text("This address needs the link you were sent, with everything after the # sign. Open that link again."),
			app.P().Body(kit.Link("/", "To my games")))
	}
	who := "You are invited"
	if v.Inviter != "" {
		who = v.Inviter + " invites you"
	}
	if v.Room != "" {
		return app.Div().Class("invitation").Body(
			app.P().Class("invitation-who").Text("You are in this game already"),
			kit.Alone(app.H1().ID("page-title").TabIndex(-1), v.Title),
			app.P().Body(app.A().Class("btn", "btn-main").Href(view.Path(v.Room, "now")).DataSet("test", "join-open").
				Body(app.Span().Text("Open it"))))
	}
	if v.Earlier != "" {
		return app.Div().Class("invitation").Body(
			app.P().Class("invitation-who").Text("Your game goes on in another room"),
			kit.Alone(app.H1().ID("page-title").TabIndex(-1), v.Title),
			app.P().Class("lead").Text("This device holds the earlier chapter. Your device first compares the two games. If the new one begins exactly as yours was, you take your seat along."),
			app.P().Class("row").Body(
				kit.IconButton("door", "Go along", p.onGo).Class("btn-main", "btn-large").DataSet("test", "join-go").Disabled(p.f.Busy("join")),
				kit.Link(view.Path(v.Earlier, "move"), "First see what does not come along, and who has gone")),
			kit.Fold("Enter without comparing", app.P().Text("If the old relay is gone and this device was away, it may lack the end of the earlier chapter. Then nothing can be compared: you enter on the word of "+
				"whoever sent the link. Your seat is yours by your key all the same."), p.form()))
	}
	title := v.Title
	if title == "" {
		title = "a nomic"
	}
	return app.Div().Class("invitation").Body(
		app.P().Class("invitation-who").DataSet("test", "inviter").Text(view.Isolated(who)+" to"),
		kit.Alone(app.H1().ID("page-title").TabIndex(-1), title),
		app.P().Class("lead").Text("A nomic is a game in which changing the rules is a move: players propose changes, "+
			"vote, and play by whatever the rules have become. It begins simple and ends up as nobody planned."),
		p.form(),
		kit.When(v.Players > 0, func() app.UI {
			return app.P().Class("quiet").Text(kit.Capital(kit.Plural(v.Players, "player", "players")) + " so far · " + v.Ruleset)
		}),
	)
}

// form asks for a name.
func (p *joinPage) form() app.UI {
	return app.Form().Class("form").OnSubmit(p.onSubmit).Body(
		kit.Bounded("join-name", "Your name in the game", "No account is needed. Your key is made on this device and stays on it.", p.name, view.NameLimit,
			app.Input().ID("join-name").Type("text").Value(p.view.Name).Required(true).AutoFocus(p.view.Earlier == "").
				DataSet("test", "join-name").OnInput(p.onName)),
		kit.When(p.wrong != "", func() app.UI { return app.P().Class("wrong").Role("alert").Text(p.wrong) }),
		kit.When(p.as != "", func() app.UI {
			return kit.Notice("wait", app.P().Body(app.Text("Somebody here is called that, or by a name that looks like it. You would be "),
				kit.Named(p.as), app.Text(". Enter so, or choose another name. If it was you and you have lost your key, enter so too: under People you can ask for your seat."))).Role("alert").DataSet("test", "join-as")
		}),
		app.Div().Class("row").Body(
			app.Button().Type("submit").Class("btn", "btn-main", "btn-large").Disabled(p.f.Busy("join")).
				DataSet("test", "join-submit").Body(app.Span().Text(p.enter()))))
}

// enter says what the button does.
func (p *joinPage) enter() string {
	if p.as != "" {
		return "Enter the game as " + view.Isolated(p.as)
	}
	return "Enter the game"
}

func (p *joinPage) onName(ctx app.Context, _ app.Event) {
	p.name, p.as = ctx.JSSrc().Get("value").String(), ""
}

func (p *joinPage) onGo(app.Context, app.Event) {
	p.f.Async("join", "Going along", func(c context.Context) (func(app.Context), error) {
		room, err := p.f.Host.GoAlong(c, p.invite)
		return func(ctx app.Context) { ctx.Navigate(view.Path(room, "move")) }, err
	})
}

func (p *joinPage) onSubmit(ctx app.Context, e app.Event) {
	e.PreventDefault()
	name := strings.Join(strings.Fields(p.name), " ")
	if name == "" {
		p.wrong = "The others need a name to call you by."
		kit.Focus(ctx, "join-name")
		return
	}
	if p.wrong = kit.OverLong(name, view.NameLimit); p.wrong != "" {
		kit.Focus(ctx, "join-name")
		return
	}
	told := p.as != ""
	p.f.Async("join", "Joining", func(c context.Context) (func(app.Context), error) {
		room, as, err := p.come(c, name, told)
		return func(ctx app.Context) {
			if p.as = as; room != "" {
				ctx.Navigate(view.Path(room, "now"))
			}
		}, err
	})
}

// come enters the game, unless the name is taken and that was not told yet: then it returns what I would be called.
func (p *joinPage) come(ctx context.Context, name string, told bool) (room, as string, err error) {
	if !told {
		if as, err = p.f.Host.ComesAs(ctx, p.invite, name); err != nil || as != name {
			return "", as, err
		}
	}
	room, err = p.f.Host.Join(ctx, p.invite, name)
	return room, "", err
}
