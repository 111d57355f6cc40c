package pages

import (
	"context"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"peernomic/app/frame"
	"peernomic/app/kit"
	"peernomic/app/view"
)

// rollsPage lists every roll.
type rollsPage struct {
	f     *frame.Frame
	view  *view.Rolls
	limit int
}

func (p *rollsPage) Title() string { return "Dice" }

func (p *rollsPage) Load(ctx context.Context, g view.Game) (func(), error) {
	v, err := g.Rolls(ctx)
	return func() {
		p.view = v
		if p.limit == 0 {
			p.limit = 40
		}
	}, err
}

func (p *rollsPage) Render() app.UI {
	list := p.view.Rolls
	more := len(list) - p.limit
	if more > 0 {
		list = list[:p.limit]
	}
	body := []app.UI{kit.Heading("Dice", app.Text("Each roll comes from a secret its roller was bound to beforehand and from "+
		"one the relay was bound to. Neither could choose; anybody can check."))}
	if p.view.Waiting != "" {
		body = append(body, kit.Waits(p.view.Waiting))
	}
	if len(list) == 0 {
		body = append(body, kit.Empty("No die has been rolled yet."))
	}
	body = append(body, app.Ol().Class("rolls").Body(kit.Each(list, func(_ int, x view.RollLine) app.UI {
		return app.Li().Body(kit.Chip(p.f.Address.Room, x.Chip), kit.Person(x.Who), app.Span().Text(x.For), kit.Moment(x.Time, p.f.Now()),
			kit.When(x.Witnessed != "", func() app.UI { return app.Span().Class("quiet").DataSet("test", "witnessed").Text(x.Witnessed) }))
	})...))
	if more > 0 {
		body = append(body, kit.Button(kit.Plural(more, "earlier roll", "earlier rolls"), func(app.Context, app.Event) { p.limit += 100 }))
	}
	return app.Div().Body(body...)
}

// rollPage is one roll with its proof.
type rollPage struct {
	f    *frame.Frame
	id   string
	view *view.Roll
}

func (p *rollPage) Title() string { return "Roll" }

func (p *rollPage) Load(ctx context.Context, g view.Game) (func(), error) {
	v, err := g.Roll(ctx, p.id)
	return func() { p.view = v }, err
}

func (p *rollPage) Render() app.UI {
	v := p.view
	good := true
	for _, c := range v.Checks {
		good = good && c.OK
	}
	body := []app.UI{
		app.Header().Class("page-head").Body(
			app.P().Class("kicker").Body(kit.Link(p.f.Path("dice"), "Dice")),
			app.H1().ID("page-title").TabIndex(-1).Text(v.For),
			app.P().Class("byline").Body(kit.Person(v.Who), kit.Moment(v.Time, p.f.Now()))),
		app.Div().Class("dice-row").Body(p.f.Chips(v.All)...),
	}
	switch {
	case v.Tentative:
		body = append(body, kit.Waits("this roll is a guess until its action has its place in the order; then it may differ"))
	case v.Unproved != "":
		return app.Div().Class("roll-page").Body(append(body, kit.Note("note", v.Unproved))...)
	case len(v.Checks) == 0:
		body = append(body, kit.Note("note", "This roll cannot be checked yet."))
	case good && v.Alone:
		body = append(body, kit.Note("note", "Every check holds, but none of its witnesses came ("+v.Witnessed+"): "+
			"it stands on the roller and the relay alone. If those two work together, they can choose such a roll."))
	case good && v.Witnessed != "":
		body = append(body, kit.Note("good", "Every check holds. "+v.Witnessed+" came: "+
			"with one honest witness, not even the roller and the relay together could choose this roll."))
	case good:
		body = append(body, kit.Note("good", "Every check holds: neither the roller nor the relay could choose this roll alone."))
	default:
		body = append(body, kit.Note("bad", "A check fails: this roll is not what the rules of the dice give."))
	}
	body = append(body,
		app.Ol().Class("checks").DataSet("test", "checks").Body(kit.Each(v.Checks, func(_ int, c view.Proof) app.UI {
			glyph, word := "check", "holds"
			if !c.OK {
				glyph, word = "cross", "fails"
			}
			return app.Li().Class("check-"+word).DataSet("ok", c.OK).Body(kit.Icon(glyph),
				app.Div().Body(app.P().Body(app.Text(c.Text), app.Span().Class("unseen").Text(" ("+word+")")),
					kit.When(c.Detail != "", func() app.UI { return app.P().Class("quiet").Text(c.Detail) })))
		})...),
		app.H2().Text("What it was made from"), kit.Facts(v.Facts),
		app.Div().Class("row").Body(
			kit.IconButton("copy", "Copy the proof", func(app.Context, app.Event) { p.f.CopyText("The proof", p.view.JSON) }).
				DataSet("test", "copy-transcript"),
			kit.IconButton("down", "Save the proof as a file", p.onSave).DataSet("test", "save-transcript")),
		app.P().Class("quiet").Text("A saved proof needs no app and no key to this game: “nomic verify FILE” checks anywhere which dice this action gives. That this is the roll that counted, only the exported game shows: send that, too, to who should believe it."),
	)
	return app.Div().Class("roll-page").Body(body...)
}

func (p *rollPage) onSave(app.Context, app.Event) {
	frame.SaveFile("roll-"+kit.Slug(p.id)+".roll", "application/octet-stream", p.view.Transcript)
}
