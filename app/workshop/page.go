package workshop

import (
	"cmp"
	"context"
	"slices"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"peernomic/app/frame"
	"peernomic/app/kit"
	"peernomic/app/view"
)

// Page is the workshop: one proposal, or repair of a convention, while it is being written.
type Page struct {
	f    *frame.Frame
	addr view.Address
	view *view.Workshop

	filling    *filling // a template's form, or nil
	draft      draft
	began      draft     // what the inputs began with
	form       *kit.Form // further values that the chosen action asks for
	edits      int       // counts keystrokes, for a check that waits for a pause
	checked    bool
	problems   []view.Problem
	recognised []string // what the rules take the draft for
	sent       bool

	reference *reference // nil until the page is loaded
	find      string     // what is looked up in it
}

// New makes the page of an address. Its query says what the proposal begins with: a rule to change, a
// rule to put another beside, a value, a kind of proposal, a post to alter, or a convention.
func New(f *frame.Frame, a view.Address) *Page { return &Page{f: f, addr: a} }

// Title implements [frame.Page].
func (p *Page) Title() string { return "Propose" }

// Load implements [frame.Page].
func (p *Page) Load(ctx context.Context, g view.Game) (func(), error) {
	v, err := g.Workshop(ctx)
	if err != nil {
		return nil, err
	}
	kept, err := g.Draft(ctx, p.draftKey())
	if err != nil {
		return nil, err
	}
	if kept == "" && p.view == nil {
		if err := lacking(v, p.addr.Query); err != nil {
			return nil, err
		}
	}
	ref := p.reference
	if ref == nil || ref.err != nil {
		ref = fetchReference(ctx, p.f.Host)
	}
	return func() {
		p.reference = ref
		first := p.view == nil
		p.view = v
		if first {
			p.begin(kept)
			if len(p.draft.Changes) > 0 && p.f.Ctx != nil {
				p.check()
			}
		}
	}, nil
}

// optionalLabel is what a parameter is called, with whether it may be left out.
func optionalLabel(q view.Param, otherwise string) string {
	label := cmp.Or(q.Label, otherwise)
	if q.Optional {
		label += " (optional)"
	}
	return label
}

// Render implements [frame.Page].
func (p *Page) Render() app.UI {
	v := p.view
	a := p.action()
	if a == nil {
		return app.Div().Body(kit.Heading("Propose"), kit.Empty("The rules in force let nobody propose."))
	}
	body := []app.UI{kit.Heading(a.Title, app.Text("A draft keeps itself on this device until you send it."))}
	if a.Help != "" {
		body = append(body, app.P().Class("help").Text(a.Help))
	}
	if !a.Open {
		text := "You cannot do this now: " + a.Reason
		body = append(body, kit.Notice("wait", app.P().Body(app.Text(text+" "), kit.Until(a.Until, p.f.Now())),
			app.P().Text("You can write; the draft waits here.")))
	}
	var head []app.UI
	if len(v.Propose) > 1 && p.editing() == nil && !p.repairs() {
		head = append(head, kit.Field("propose-kind", "What you want to do", "", app.Select().ID("propose-kind").OnChange(
			func(ctx app.Context, _ app.Event) { p.pickAction(ctx.JSSrc().Get("value").String()); p.touched() }).Body(
			kit.Each(v.Propose, func(_ int, x view.Action) app.UI {
				return app.Option().Value(x.Name).Selected(x.Name == p.draft.Action).Text(x.Title)
			})...)))
	}
	title, why := kit.Param(*a, kit.TitleParam(*a)), kit.Param(*a, kit.BodyParam(*a))
	head = append(head,
		kit.Bounded("propose-title", cmp.Or(title.Label, "Title"), title.Help, p.draft.Title, title.MaxLen, app.Input().ID("propose-title").Type("text").
			Value(p.began.Title).DataSet("test", "propose-title").OnInput(p.typed(&p.draft.Title), "title")))
	if why.Name != "" || !a.Open {
		head = append(head, kit.Bounded("propose-body", optionalLabel(why, "Why"), "What the others read first. Markdown works.", p.draft.Body, why.MaxLen,
			app.Textarea().ID("propose-body").Rows(3).Text(p.began.Body).
				DataSet("test", "propose-body").OnInput(p.typed(&p.draft.Body), "body")))
	}
	body = append(body, kit.Keyed("propose-"+p.draft.Action, app.Div().Class("form").Body(head...)))
	if !a.Open || kit.CarriesChanges(*a) { // what a closed action takes is not known
		body = append(body, app.Section().Class("changes-block").Body(
			app.H2().Text("What would change"),
			kit.When(len(p.draft.Changes) == 0, func() app.UI {
				if p.repairs() {
					return kit.Empty("Nothing yet.")
				}
				return kit.Empty("Nothing yet. It may also change nothing and only ask for an opinion.")
			}),
			app.Div().Body(kit.Each(p.draft.Changes, p.changeView)...),
			kit.When(slices.ContainsFunc(p.draft.Changes, (*change).edits), p.lookup),
			p.adders(), p.templateButtons(), p.fillingView()))
	}
	// The verdict comes and goes; what stands below it must stay the same elements.
	body = append(body, app.Div().Body(p.verdict(), p.taken()), p.foot(a))
	return app.Div().Class("propose").DataSet("test", "propose").Body(body...)
}

// adders are the buttons that begin a change.
func (p *Page) adders() app.UI {
	var body []app.UI
	for _, k := range changeKinds {
		kind := k.kind
		body = append(body, kit.IconButton(k.glyph, k.label, func(app.Context, app.Event) {
			c := &change{Kind: kind}
			if kind == "enact" {
				c = p.blank(view.RuleSource{Section: 2})
			}
			p.add(c)
			p.touched()
		}, kind).DataSet("test", "add-"+kind))
	}
	return app.Div().Class("row", "adders").Body(body...)
}

// typed keeps what is typed in a field of the draft.
func (p *Page) typed(s *string) app.EventHandler {
	return func(ctx app.Context, _ app.Event) {
		*s = ctx.JSSrc().Get("value").String()
		ctx.PreventUpdate() // touched redraws in a moment
		p.touched()
	}
}

// foot asks for what else the action takes, and sends the proposal.
func (p *Page) foot(a *view.Action) app.UI {
	var body []app.UI
	if p.form != nil {
		for _, q := range p.form.Action.Params {
			if p.form.Asks(q) {
				body = append(body, p.form.Control(q))
			}
		}
	}
	body = append(body, app.Div().Class("row").Body(
		app.Button().Type("button").Class("btn", "btn-main", "btn-large").DataSet("test", "propose-submit").
			Disabled(!a.Open || p.f.Busy("propose")).OnClick(p.onSubmit).Body(kit.Icon("seal"), app.Span().Text(a.Title)),
		kit.Button("Throw the draft away", p.onDiscard).Class("btn-quiet")))
	return app.Div().Class("form").Body(body...)
}
