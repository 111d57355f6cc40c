package pages

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"peernomic/app/frame"
	"peernomic/app/kit"
	"peernomic/app/view"
)

// movePage is where a game goes on in another room, and where each player decides whether to go along.
type movePage struct {
	f    *frame.Frame
	view *view.Moves

	relay, why, title string
	after             int            // 0 for the moment proposed
	left              map[int64]bool // people who are not invited
	secretly          bool
}

func (p *movePage) Title() string { return "Move" }

func (p *movePage) Load(ctx context.Context, g view.Game) (func(), error) {
	v, err := g.Moves(ctx)
	return func() {
		if p.view == nil {
			p.relay, p.left, p.secretly = v.Relay, map[int64]bool{}, !v.Player
		}
		p.view = v
	}, err
}

func (p *movePage) Render() app.UI {
	v := p.view
	body := []app.UI{kit.Heading("Move", app.Text("A game is not tied to its relay or to its link: it can go on in a new room. Rules, values, posts and seats come along. "+
		"Everybody decides alone whether to go."))}
	if len(v.Behind) > 0 {
		body = append(body, app.Section().Body(app.H2().Text("Did not come along"),
			app.P().Text("You did this in the earlier chapter after the moment that this game goes on from. Do it again here, or leave it."),
			app.Ul().Class("behind").Body(kit.Each(v.Behind, p.behind)...)))
	}
	if len(v.Offers) > 0 {
		body = append(body, app.Section().Body(append([]app.UI{app.H2().Text("Where the game goes on")}, kit.Each(v.Offers, p.offer)...)...))
	}
	return app.Div().Class("moves").DataSet("test", "moves").Body(append(body, p.form())...)
}

// behind is one of my actions that the move to this room left behind.
func (p *movePage) behind(_ int, b view.Behind) app.UI {
	ref := b.Ref
	again := func(again bool) app.EventHandler {
		return func(app.Context, app.Event) {
			g := p.f.Game
			p.f.Async("again", b.Title, func(c context.Context) (func(app.Context), error) {
				return func(app.Context) { p.f.Reload() }, g.Again(c, ref, again)
			})
		}
	}
	return app.Li().DataSet("test", "behind").Body(kit.Keyed("behind-"+ref,
		app.P().Body(app.Strong().Text(view.Isolated(b.Title)), app.Text(" "), kit.Moment(b.At, p.f.Now())),
		app.P().Class("row").Body(
			kit.Button("Do it again", again(true), ref).Class("btn-main").DataSet("test", "again").Disabled(p.f.Busy("again")),
			kit.Button("Leave it", again(false), ref).DataSet("test", "leave-behind").Disabled(p.f.Busy("again")))))
}

// offerWords say how an offer stands.
var offerWords = map[string]struct{ kind, text string }{
	view.OfferOut: {"wait", "You have no invitation to it. If you should have one, ask for the link of the new room, and open it on this device: it takes your seat along. " +
		"You can also stay here, or move the game yourself."},
	view.OfferChecking: {"wait", "Your device waits for the new room, or for the rest of this one, to compare the two games. Both relays or the other players must be reached for that."},
	view.OfferAway:     {"bad", "The relay of the new room cannot be reached just now. Your device tries again by itself. Ask whoever announced it if it takes long."},
	view.OfferWrong:    {"bad", "The game there does not begin as this one was at that moment, so you cannot go along. Ask whoever announced it, or move the game yourself."},
	view.OfferOpen:     {"good", "Your device has compared the two games: the new one begins exactly as this one was."},
	view.OfferStays:    {"note", "You stay here. You can still change your mind."},
	view.OfferWent:     {"good", "You went along. This room stays readable."},
}

// offer shows a room in which the game goes on, and asks.
func (p *movePage) offer(_ int, o view.Offer) app.UI {
	room := o.Room
	title := "A room that came by a link"
	switch {
	case o.Mine:
		title = "You moved the game"
	case o.By != "":
		title = o.By + " moved the game"
	}
	body := []app.UI{app.H3().Text(view.Isolated(title))}
	if o.At != 0 {
		body = append(body, app.P().Class("byline").Body(app.Text("Announced "), kit.Moment(o.At, p.f.Now())))
	}
	if o.Why != "" {
		body = append(body, app.Blockquote().Text(view.Isolated(o.Why)))
	}
	if o.Tentative {
		body = append(body, kit.Waits("the announcement has no place in the game's order yet"))
	}
	facts := []view.Fact{}
	fact := func(name, value string) {
		if value != "" {
			facts = append(facts, view.Fact{Name: name, Value: value})
		}
	}
	if o.After > 0 {
		fact("Goes on from", p.moment(o.After, o.Time))
	}
	fact("Relay", o.Relay)
	if o.Seats > 0 {
		fact("Gone", gone(o))
	}
	if o.By != "" {
		fact("Left out", cmp.Or(view.Isolated(strings.Join(o.Out, ", ")), "nobody"))
	}
	if room != "" && o.State != view.OfferChecking && o.State != view.OfferAway {
		fact("Does not come along", behindWords(o.Behind))
	}
	body = append(body, kit.Facts(facts))
	w := offerWords[o.State]
	if o.State == view.OfferWrong {
		w.text += " " + o.Problem
	}
	body = append(body, kit.Note(w.kind, w.text))
	switch o.State {
	case view.OfferOpen, view.OfferStays:
		row := []app.UI{kit.IconButton("door", "Go along", p.goAlong(room, len(o.Behind) > 0), room, len(o.Behind)).Class("btn-main").DataSet("test", "go-along").Disabled(p.f.Busy("go"))}
		if o.State == view.OfferOpen {
			row = append(row, kit.Button("Stay", p.stay(room), room).DataSet("test", "stay").Disabled(p.f.Busy("go")))
		}
		body = append(body, app.P().Class("row").Body(row...))
	case view.OfferWent:
		body = append(body, app.P().Body(kit.Link(view.Path(room, "now"), "Open the new room")))
	}
	return kit.Keyed("offer-"+cmp.Or(room, kit.Itoa(o.At)), app.Article().Class("change", "motion").DataSet("test", "offer").DataSet("state", o.State).Body(body...))
}

// gone says who of how many has gone.
func gone(o view.Offer) string {
	text := kit.Itoa(len(o.Gone)) + " of " + kit.Itoa(o.Seats)
	if len(o.Gone) > 0 {
		text += ": " + kit.Names(o.Gone)
	}
	return text
}

// behindWords names my actions that do not come along.
func behindWords(list []view.Behind) string {
	if len(list) == 0 {
		return "nothing of yours"
	}
	titles := make([]string, len(list))
	for i, b := range list {
		titles[i] = b.Title
	}
	return view.Isolated(strings.Join(titles, ", "))
}

// moment names a point of the game.
func (p *movePage) moment(after int, at int64) string {
	text := "after action " + kit.Itoa(after) + " of " + kit.Itoa(p.view.Placed)
	if at != 0 {
		text += ", " + kit.Clock(at, p.f.Now())
	}
	return text
}

func (p *movePage) goAlong(room string, behind bool) app.EventHandler {
	page := "now"
	if behind {
		page = "move" // where what was left behind is offered
	}
	return func(app.Context, app.Event) {
		g := p.f.Game
		p.f.Async("go", "Going along", func(c context.Context) (func(app.Context), error) {
			return func(ctx app.Context) { ctx.Navigate(view.Path(room, page)) }, g.GoAlong(c, room)
		})
	}
}

func (p *movePage) stay(room string) app.EventHandler {
	return func(app.Context, app.Event) {
		g := p.f.Game
		p.f.Async("go", "Staying", func(c context.Context) (func(app.Context), error) {
			return func(app.Context) { p.f.Reload() }, g.Stay(c, room)
		})
	}
}

// form moves the game.
func (p *movePage) form() app.UI {
	v := p.view
	var body []app.UI
	newest := "the newest in place"
	if v.Disputed {
		newest = "the last that both orders share"
		body = append(body, kit.Note("bad", "The relay has signed two different orders. Leave the moment below as it is: from the last action that both share, everybody can come along.").DataSet("test", "disputed"))
	}
	body = append(body,
		kit.Field("move-relay", "Relay of the new room", "This one again, or the address of another one, such as https://nomic.example.",
			app.Input().ID("move-relay").Type("url").Value(v.Relay).DataSet("test", "move-relay").OnInput(kit.Into(&p.relay))),
		kit.Field("move-after", "Goes on after action", "Leave it empty for "+newest+", which is "+kit.Itoa(v.Newest)+". History shows all "+kit.Itoa(v.Placed)+" by number.",
			app.Input().ID("move-after").Type("number").Min(1).Max(v.Placed).Step(1).DataSet("test", "move-after").
				OnInput(func(ctx app.Context, _ app.Event) { p.after, _ = strconv.Atoi(ctx.JSSrc().Get("value").String()) })))
	if v.Player {
		body = append(body, app.Label().Class("check").Body(app.Input().Type("checkbox").ID("move-secretly").Checked(p.secretly).DataSet("test", "move-secretly").
			OnChange(func(ctx app.Context, _ app.Event) { p.secretly = ctx.JSSrc().Get("checked").Bool() }), app.Text("Tell nobody: a fork, beside this game")))
	}
	label := "Move the game"
	if p.secretly {
		label = "Fork the game"
		body = append(body, kit.Bounded("fork-title", "What the other game is called", "", p.title, view.TitleLimit,
			app.Input().ID("fork-title").Type("text").DataSet("test", "fork-title").OnInput(kit.Into(&p.title))))
	} else {
		body = append(body,
			kit.Bounded("move-why", "Why", "The others read this before they decide.", p.why, view.WhyLimit,
				app.Textarea().ID("move-why").Rows(3).DataSet("test", "move-why").OnInput(kit.Into(&p.why))),
			kit.When(len(v.People) > 0, func() app.UI {
				return app.FieldSet().Class("invited").Body(append([]app.UI{app.Legend().Text("Who is invited")}, kit.Each(v.People, p.invited)...)...)
			}))
	}
	body = append(body, app.P().DataSet("test", "move-says").Text(p.says()),
		app.P().Body(app.Button().Type("submit").Class("btn", "btn-main").Disabled(p.f.Busy("move")).DataSet("test", "move-submit").Body(kit.Icon("door"), app.Span().Text(label))))
	return app.Section().Body(app.H2().Text("Move this game"), app.Form().Class("form").OnSubmit(p.onMove).Body(body...))
}

func (p *movePage) invited(_ int, q view.Person) app.UI {
	id := q.ID
	return app.Label().Class("check").Body(app.Input().Type("checkbox").ID("invite-"+kit.Itoa(id)).Checked(!p.left[id]).DataSet("test", "invite-"+kit.Slug(q.Name)).
		OnChange(func(ctx app.Context, _ app.Event) { p.left[id] = !ctx.JSSrc().Get("checked").Bool() }, id), kit.Alone(app.Span(), q.Name))
}

// says tells in one sentence what the button does.
func (p *movePage) says() string {
	var out []string
	for _, q := range p.view.People {
		if p.left[q.ID] {
			out = append(out, q.Name)
		}
	}
	later := ""
	if n := p.view.Placed - cmp.Or(p.after, p.view.Newest); n > 0 {
		later = " The last " + kit.Plural(n, "action stays", "actions stay") + " behind; their authors can do them again."
	}
	switch {
	case p.secretly:
		return "A second game begins as this one was then, in a room of its own. This game does not notice." + later
	case len(out) > 0:
		return "A new room with a new link opens, and everybody who is invited is asked to go along. " + kit.Names(out) + " will not get the link, and can read nothing that happens there." + later
	}
	return "A new room with a new link opens, and everybody who is invited is asked to go along." + later
}

func (p *movePage) onMove(ctx app.Context, e app.Event) {
	e.PreventDefault()
	switch {
	case p.after < 0 || p.after > p.view.Placed:
		p.f.Say("bad", "Choose an action from 1 to "+kit.Itoa(p.view.Placed)+" to go on after.")
		kit.Focus(ctx, "move-after")
		return
	case p.secretly && p.f.TooLong("fork-title", p.title, view.TitleLimit), !p.secretly && p.f.TooLong("move-why", p.why, view.WhyLimit):
		return
	}
	m := view.NewRoom{Relay: strings.TrimSpace(p.relay), After: p.after, Secretly: p.secretly}
	what := "The move"
	if p.secretly {
		what, m.Title = "The fork", cmp.Or(strings.TrimSpace(p.title), p.f.Shell.Title+" (fork)")
	} else {
		m.Why = strings.TrimSpace(p.why)
		for _, q := range p.view.People {
			if !p.left[q.ID] {
				m.People = append(m.People, q.ID)
			}
		}
	}
	g := p.f.Game
	p.f.Async("move", what, func(c context.Context) (func(app.Context), error) {
		room, err := g.Move(c, m)
		return func(ctx app.Context) { ctx.Navigate(view.Path(room, "now")) }, err
	})
}

// laterBanner says on every page of an earlier chapter where the game goes on.
func laterBanner(f *frame.Frame) app.UI {
	if f.Shell == nil || f.Shell.Later == "" {
		return nil
	}
	return app.Div().Class("past").Role("status").DataSet("test", "later").Body(
		app.P().Body(app.Strong().Text("This is an earlier chapter. "), app.Text("The game goes on in another room, and you went along.")),
		app.Div().Class("row").Body(app.A().Class("btn", "btn-main").Href(view.Path(f.Shell.Later, "now")).DataSet("test", "to-later").Body(kit.Icon("next"), app.Span().Text("To the game"))))
}

// summons says on every page what waits for me outside the rules.
func summons(f *frame.Frame) app.UI {
	if f.Shell == nil {
		return nil
	}
	list := slices.DeleteFunc(slices.Clone(f.Shell.Summons), func(s view.Summons) bool { return s.Page == f.Address.Page })
	if len(list) == 0 {
		return nil
	}
	return app.Div().Body(kit.Each(list, func(_ int, s view.Summons) app.UI {
		return kit.Notice("wait", app.P().Body(app.Text(view.Isolated(s.Text)+" "), kit.Link(f.Path(s.Page), s.Go))).DataSet("test", "summons").DataSet("page", s.Page)
	})...)
}

// moveLink leads to the page from where people look for a way out.
func moveLink(f *frame.Frame, text string) app.UI {
	return app.P().Body(app.Text(text+" "), app.A().Href(f.Path("move")).DataSet("test", "to-move").Text("Move the game"))
}
