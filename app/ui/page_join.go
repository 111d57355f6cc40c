package ui

import (
	"context"
	"strings"

	"github.com/maxence-charriere/go-app/v9/pkg/app"
)

func trim(s string) string { return strings.TrimSpace(s) }

// joinPage is all that someone who came by an invite link sees.
type joinPage struct {
	r      *root
	invite string // the secret, or a whole link
	view   *Invitation
	name   string
	wrong  string
}

func newJoinPage(r *root, invite string) *joinPage { return &joinPage{r: r, invite: invite} }

func (p *joinPage) title() string { return "Invitation" }

func (p *joinPage) load(ctx context.Context, g Game) (func(), error) {
	if p.invite == "" {
		return func() {}, nil
	}
	v, err := p.r.host.Invitation(ctx, p.invite)
	return func() {
		if p.view == nil {
			p.name = v.Name
		}
		p.view = v
	}, err
}

func (p *joinPage) render() app.UI {
	v := p.view
	if v == nil {
		return app.Div().Body(heading("No invitation"),
			app.P().Text("This address needs the link you were sent, with everything after the # sign. Open that link again."),
			app.P().Body(link("/", "To my games")))
	}
	who := "You are invited"
	if v.Inviter != "" {
		who = v.Inviter + " invites you"
	}
	if v.Room != "" {
		return app.Div().Class("invitation").Body(
			app.P().Class("invitation-who").Text("You are in this game already"),
			app.H1().ID("page-title").TabIndex(-1).Text(v.Title),
			app.P().Body(app.A().Class("btn", "btn-main").Href(Path(v.Room, "now")).DataSet("test", "join-open").
				Body(app.Span().Text("Open it"))))
	}
	title := v.Title
	if title == "" {
		title = "a nomic"
	}
	return app.Div().Class("invitation").Body(
		app.P().Class("invitation-who").DataSet("test", "inviter").Text(who+" to"),
		app.H1().ID("page-title").TabIndex(-1).Text(title),
		app.P().Class("lead").Text("A nomic is a game in which changing the rules is a move: players propose changes, "+
			"vote, and play by whatever the rules have become. It begins simple and ends up as nobody planned."),
		app.Form().Class("form").OnSubmit(p.onSubmit).Body(
			field("join-name", "Your name in the game", "No account is needed. Your key is made on this device and stays on it.",
				app.Input().ID("join-name").Type("text").MaxLength(40).Value(v.Name).Required(true).AutoFocus(true).
					DataSet("test", "join-name").OnInput(p.onName)),
			when(p.wrong != "", func() app.UI { return app.P().Class("wrong").Role("alert").Text(p.wrong) }),
			app.Div().Class("row").Body(
				app.Button().Type("submit").Class("btn", "btn-main", "btn-large").Disabled(p.r.busy["join"]).
					DataSet("test", "join-submit").Body(app.Span().Text("Enter the game")))),
		when(v.Players > 0, func() app.UI {
			return app.P().Class("quiet").Text(capital(plural(v.Players, "player", "players")) + " so far · " + v.Ruleset)
		}),
	)
}

func (p *joinPage) onName(ctx app.Context, _ app.Event) {
	p.name = ctx.JSSrc().Get("value").String()
}

func (p *joinPage) onSubmit(ctx app.Context, e app.Event) {
	e.PreventDefault()
	name := trim(p.name)
	if name == "" {
		p.wrong = "The others need a name to call you by."
		focus(ctx, "join-name")
		return
	}
	p.wrong = ""
	p.r.async(ctx, "join", "Joining", func(c context.Context) (func(app.Context), error) {
		room, err := p.r.host.Join(c, p.invite, name)
		return func(ctx app.Context) { ctx.Navigate(Path(room, "now")) }, err
	})
}

// lostPage stands at addresses that are none.
type lostPage struct{ r *root }

func (p *lostPage) title() string                                    { return "Nothing here" }
func (p *lostPage) load(ctx context.Context, g Game) (func(), error) { return nil, nil }

func (p *lostPage) render() app.UI {
	return app.Div().Body(heading("Nothing is at this address"),
		app.P().Text("The link may be cut short, or meant for another version of the app."),
		app.P().Body(link("/", "To my games")))
}
