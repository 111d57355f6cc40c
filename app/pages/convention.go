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

// conventionPage is where players change the game outside its rules.
type conventionPage struct {
	f    *frame.Frame
	view *view.Convention

	seatWhy, claimWhy string
	from, to, was     int64
	all               bool // shows all claims
}

func (p *conventionPage) Title() string { return "Convention" }

func (p *conventionPage) Load(ctx context.Context, g view.Game) (func(), error) {
	v, err := g.Convention(ctx)
	return func() { p.view = v }, err
}

func (p *conventionPage) Render() app.UI {
	v := p.view
	body := []app.UI{kit.Heading("Convention",
		app.Text("When a game is stuck: more than two thirds of the active players can change anything, whatever the rules say. "+
			"Active is who did something in the last 30 days."))}
	if v.Clock != "" {
		body = append(body, kit.Note("bad", v.Clock).DataSet("test", "clock"))
	}
	var open, over []app.UI
	for i, m := range v.Motions {
		if m.Status == "open" {
			open = append(open, p.motion(i, m))
		} else {
			over = append([]app.UI{p.motion(i, m)}, over...)
		}
	}
	if len(open) > 0 {
		if v.Hidden > 0 {
			open = append(open, app.P().Class("quiet").DataSet("test", "hidden-motions").Text("Not shown: "+kit.Itoa(v.Hidden)+
				" more. Those with the most signatures come first, and of what one person calls the last."))
		}
		body = append(body, app.Section().Body(append([]app.UI{app.H2().Text("Waiting for signatures")}, open...)...))
	}
	if n := len(v.Claims); n > 0 {
		claims := slices.Clone(v.Claims)
		slices.Reverse(claims)
		var rest app.UI
		if n > claimsShown && !p.all {
			claims = claims[:claimsShown]
			rest = app.P().Body(kit.Button("Show all "+kit.Itoa(n), func(app.Context, app.Event) { p.all = true }).DataSet("test", "all-claims"))
		}
		body = append(body, app.Section().Body(app.H2().Text("They say that they lost their key"), app.Div().Body(kit.Each(claims, p.claim)...), rest))
	}
	if v.Player {
		body = append(body, p.calls()...)
	} else if len(v.Seats) > 0 {
		body = append(body, p.claimForm())
	}
	body = append(body, moveLink(p.f, "The relay is gone or lies, the link leaked, or you want to try another history?"))
	if len(over) > 0 {
		body = append(body, app.Section().Body(append([]app.UI{app.H2().Text("Over")}, over...)...))
	}
	return app.Div().Class("convention").DataSet("test", "convention").Body(body...)
}

// motion shows what would change, who has signed, and how many are needed.
func (p *conventionPage) motion(_ int, m view.Motion) app.UI {
	id := m.ID
	head := []app.UI{app.H3().Text(view.Isolated(m.Title)), app.P().Class("byline").Body(app.Text("Called by "), kit.Person(m.By), kit.Moment(m.At, p.f.Now()))}
	if m.Why != "" {
		head = append(head, app.Blockquote().Text(m.Why))
	}
	for _, c := range m.Changes {
		head = append(head, p.change(c))
	}
	if m.Status != "open" && len(m.Assents) > 0 {
		head = append(head, app.P().Class("quiet").DataSet("test", "signed").Text("Signed: "+view.Isolated(strings.Join(m.Assents, ", "))))
	}
	switch m.Status {
	case "done":
		head = append(head, kit.Notice("good", app.P().Body(app.Text("Decided and carried out "), kit.Moment(m.DoneAt, p.f.Now()))))
	case "failed":
		head = append(head, kit.Note("bad", "Over, and nothing came of it. "+m.Problem))
	default:
		head = append(head, p.count(m))
		if m.Problem != "" {
			head = append(head, kit.Note("wait", "As things are, it could not be carried out: "+m.Problem))
		}
		switch {
		case p.view.Player && m.Mine:
			head = append(head, app.P().Body(kit.Button("Withdraw my signature", p.ballot(id, false), id).DataSet("test", "withdraw").Disabled(p.f.Busy("ballot"))))
		case p.view.Player:
			head = append(head, app.P().Body(kit.IconButton("seal", "Sign", p.ballot(id, true), id).Class("btn-main").DataSet("test", "assent").Disabled(p.f.Busy("ballot"))))
		}
	}
	return kit.Keyed("motion-"+id, app.Article().Class("change", "motion").DataSet("test", "motion").DataSet("status", m.Status).DataSet("kind", m.Kind).Body(head...))
}

func (p *conventionPage) count(m view.Motion) app.UI {
	have, whole := len(m.Assents), len(m.Assents)+len(m.Missing)
	says := kit.Itoa(have) + " of " + kit.Itoa(m.Needed) + " signatures that are needed; " + kit.Plural(whole, "active player", "active players")
	body := []app.UI{
		app.P().DataSet("test", "signatures").Body(app.Strong().Text(says)),
		kit.TallyBar(says, []view.TallyPart{{Word: "signed", Count: have}}, m.Needed, whole),
	}
	if have > 0 {
		body = append(body, app.P().Class("quiet").Text("Signed: "+kit.Names(m.Assents)))
	}
	if len(m.Missing) > 0 {
		body = append(body, app.P().Class("quiet").Text("Not signed: "+kit.Names(m.Missing)))
	}
	return app.Div().Body(body...)
}

func (p *conventionPage) change(c view.Amendment) app.UI {
	if c.Document {
		return app.Details().Class("diff-fold").Body(app.Summary().Text(c.What), p.f.Diff(c.Old, c.New))
	}
	text := c.What
	switch {
	case c.Old == c.New && c.New != "": // it is carried out: what stood there before is not known any more
		text += ": " + c.New
	case c.Old != "" || c.New != "":
		text += ": " + cmp.Or(c.Old, "nothing") + " becomes " + cmp.Or(c.New, "nothing")
	}
	return app.P().Text(text)
}

func (p *conventionPage) ballot(id string, assent bool) app.EventHandler {
	return func(app.Context, app.Event) {
		g := p.f.Game
		p.f.Async("ballot", "The signature", func(c context.Context) (func(app.Context), error) {
			return nil, g.Ballot(c, id, assent)
		})
	}
}

// Strangers can make any number of claims.
const (
	claimsOpen  = 3  // of so many each is shown open
	claimsShown = 12 // so many are shown
)

// claim shows what somebody with a new key says.
func (p *conventionPage) claim(_ int, c view.Claim) app.UI {
	id := c.Motion
	says := " says: I was " + view.Isolated(c.Was) + ", and I have lost my key."
	body := []app.UI{app.P().Body(kit.Person(c.Who), app.Text(says), app.Text(" "), kit.Moment(c.At, p.f.Now()))}
	if c.Doubtful {
		body = append(body, kit.Note("wait", view.Isolated(c.Was)+" has acted since."))
	}
	if c.Why != "" {
		body = append(body, app.Blockquote().Text(c.Why))
	}
	if p.view.Player && !c.Mine {
		body = append(body,
			app.P().Class("quiet").Text("Make sure by another way than this app, such as the telephone: whoever gets the seat is "+view.Isolated(c.Was)+" from then on."),
			app.P().Body(kit.IconButton("seal", "Call a convention to give them the seat", p.ballot(id, true), id).DataSet("test", "assent-claim").Disabled(p.f.Busy("ballot"))))
	} else {
		body = append(body, app.P().Class("quiet").Text("More than two thirds of the active players have to sign for it."))
	}
	if len(p.view.Claims) > claimsOpen {
		body = []app.UI{kit.Fold(view.Isolated(c.Who)+says, body...)}
	}
	return kit.Keyed("claim-"+id, app.Article().Class("change", "motion").DataSet("test", "claim").Body(body...))
}

// calls are the conventions that a player can call.
func (p *conventionPage) calls() []app.UI {
	parts := []app.UI{app.H2().Text("Call a convention"), kit.Fold("Repair the rules",
		app.P().Text("Change rules or values directly, as if they had always been so. No rule is asked."),
		app.P().Body(app.A().Class("btn").Href(p.f.Path("propose")+"?convention=1").DataSet("test", "call-repair").
			Body(kit.Icon("pen"), app.Span().Text("Write the repair"))))}
	if len(p.view.Newcomers) > 0 {
		parts = append(parts, kit.Fold("A seat under a new key",
			app.P().Text("For somebody who lost every device and every copy of their key, and has come in with a new one."),
			app.Form().Class("form").OnSubmit(p.onSeat).Body(
				kit.Field("seat-from", "Whose seat", "", p.people("seat-from", p.view.Seats, &p.from)),
				kit.Field("seat-to", "Goes to", "", p.people("seat-to", p.view.Newcomers, &p.to)),
				p.whyField("seat-why", "Why", &p.seatWhy),
				app.P().Body(app.Button().Type("submit").Class("btn").Disabled(p.f.Busy("convene")).DataSet("test", "call-seat").
					Body(kit.Icon("seal"), app.Span().Text("Call a convention for this seat"))))))
	}
	return []app.UI{app.Section().Body(parts...)}
}

// claimForm is for somebody without a seat, who may have lost the key of one.
func (p *conventionPage) claimForm() app.UI {
	return app.Section().Body(
		app.H2().Text("Have you lost your key?"),
		app.P().Text("If you have a copy of it, you need nothing of this: keep the invite link, and restore the key under “Import” on the first page, in a browser or a private window that has no game; "+
			"this one's can be removed in its Settings. Then open the invite there. "+
			"Without a copy, say who you were. The others can give the seat to the key that you have now; they will want to hear it from you."),
		app.Form().Class("form").OnSubmit(p.onClaim).Body(
			kit.Field("claim-was", "I was", "", p.people("claim-was", p.view.Seats, &p.was)),
			p.whyField("claim-why", "What happened", &p.claimWhy),
			app.P().Body(app.Button().Type("submit").Class("btn", "btn-main").Disabled(p.f.Busy("convene")).DataSet("test", "claim-seat").
				Body(kit.Icon("key"), app.Span().Text("Ask for my seat")))))
}

func (p *conventionPage) whyField(id, label string, s *string) app.UI {
	return kit.Bounded(id, label, "", *s, view.WhyLimit, p.input(id, "text", s))
}

func (p *conventionPage) input(id, kind string, s *string) app.UI {
	return app.Input().ID(id).Type(kind).DataSet("test", id).
		OnInput(func(ctx app.Context, _ app.Event) { *s = ctx.JSSrc().Get("value").String() }, id)
}

func (p *conventionPage) people(id string, list []view.Person, to *int64) app.UI {
	return app.Select().ID(id).DataSet("test", id).
		OnChange(func(ctx app.Context, _ app.Event) {
			*to, _ = strconv.ParseInt(ctx.JSSrc().Get("value").String(), 10, 64)
		}, id).
		Body(append([]app.UI{app.Option().Value("").Text("choose…")}, kit.Each(list, func(_ int, q view.Person) app.UI {
			return app.Option().Value(kit.Itoa(q.ID)).Selected(q.ID == *to).Text(q.Name)
		})...)...)
}

func (p *conventionPage) onSeat(_ app.Context, e app.Event) {
	e.PreventDefault()
	if p.from == 0 || p.to == 0 {
		p.f.Say("bad", "Choose whose seat it is and who gets it.")
		return
	}
	if p.f.TooLong("seat-why", p.seatWhy, view.WhyLimit) {
		return
	}
	p.f.Convene(view.Call{Kind: "seat", From: p.from, To: p.to, Why: strings.TrimSpace(p.seatWhy)}, nil)
}

func (p *conventionPage) onClaim(ctx app.Context, e app.Event) {
	e.PreventDefault()
	if p.was == 0 {
		p.f.Say("bad", "Choose who you were.")
		kit.Focus(ctx, "claim-was")
		return
	}
	if p.f.TooLong("claim-why", p.claimWhy, view.WhyLimit) {
		return
	}
	p.f.Convene(view.Call{Kind: "seat", From: p.was, To: p.f.Shell.Me.ID, Why: strings.TrimSpace(p.claimWhy)}, nil)
}

// conventionLink leads to the page from where people look for a way out.
func conventionLink(f *frame.Frame, text string) app.UI {
	return app.P().Body(app.Text(text+" "), app.A().Href(f.Path("convention")).DataSet("test", "to-convention").Text("Call a convention"))
}
