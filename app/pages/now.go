package pages

import (
	"cmp"
	"context"
	"slices"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"peernomic/app/frame"
	"peernomic/app/kit"
	"peernomic/app/view"
	"peernomic/app/workshop"
)

// nowPage is the heart of a game: what needs me, and what I can do.
type nowPage struct {
	f      *frame.Frame
	view   *view.Now
	forms  map[string]*kit.Form
	asked  string // name of the action that the address asks for, until it was looked up
	absent string // that name, if no action has it
	opened string // name of the action whose form is open
	closed bool   // all reasons why actions are closed are shown
	why    string // the reason whose closed actions are shown
	seldom bool   // actions of the rules about rules are shown
}

// reasonsShown is how many reasons stand under Now before the rest is asked for.
const reasonsShown = 4

func (p *nowPage) Title() string { return "Now" }

func (p *nowPage) Load(ctx context.Context, g view.Game) (func(), error) {
	v, err := g.Now(ctx)
	if err != nil {
		return nil, err
	}
	return func() {
		p.view = v
		p.lookUp()
		for _, c := range v.Needs {
			if c.Action != nil {
				p.keep(c.Action.Name+c.Key, *c.Action, c.Fixed, c.Given)
			}
		}
		for _, g := range v.Groups {
			for _, a := range g.Actions {
				p.keep(a.Name, a, nil, nil)
			}
		}
	}, nil
}

// lookUp opens what the address asks for: the action, or why it is closed.
func (p *nowPage) lookUp() {
	if p.asked != "" {
		p.absent = p.asked
	}
	for _, g := range p.view.Groups {
		for _, a := range g.Actions {
			if a.Name == p.asked {
				p.absent = ""
				p.opened, p.seldom = a.Name, p.seldom || g.Seldom
			}
		}
	}
	for _, n := range p.view.Needs {
		if n.Action != nil && n.Action.Name == p.asked {
			p.absent = ""
		}
	}
	for _, a := range p.view.Closed {
		if a.Name == p.asked {
			p.absent = ""
			p.why, p.closed = reasonKey(a), true
		}
	}
	if p.asked != "" && p.f.Ctx != nil {
		p.f.Focus("a-" + kit.Slug(p.asked))
	}
	p.asked = ""
}

// reasonKey is the same for actions that are closed for the same reason until the same
// time.
func reasonKey(a view.Action) string { return a.Reason + kit.Itoa(a.Until) }

// keep makes the form of an action, or brings the one it has up to date.
func (p *nowPage) keep(key string, a view.Action, fixed map[string]any, given []string) {
	if p.forms == nil {
		p.forms = make(map[string]*kit.Form)
	}
	if f := p.forms[key]; f != nil {
		f.Renew(a)
		return
	}
	f := kit.NewForm(p.f, "now-"+key, a)
	f.Fixed, f.Given = fixed, slices.Clone(given)
	f.Done = func(ctx app.Context, _ *view.Result) {
		p.opened = ""
		kit.Focus(ctx, "a-"+kit.Slug(a.Name))
	}
	p.forms[key] = f
}

func (p *nowPage) Render() app.UI {
	v := p.view
	me := p.f.Shell.Me
	body := []app.UI{kit.Heading("Now", kit.Named(me.Name), app.Text(standing(p.f.Shell.Words, me)))}
	if p.absent != "" {
		body = append(body, kit.Notice("note", app.P().Body(app.Text("No such action as “"), kit.Named(p.absent), app.Text("” stands here now."))).DataSet("test", "absent"))
	}
	if len(v.Needs)+len(v.Decisions) == 0 {
		text := "Nothing waits for you."
		if v.Next != "" {
			text += " " + v.Next
		}
		body = append(body, kit.Empty(text))
	} else {
		body = append(body, app.Section().Aria("label", "Needs you").Body(
			app.Div().Class("cards").Body(append(kit.Each(v.Decisions, func(_ int, d view.Decision) app.UI { return decisionCard(p.f, d) }), kit.Each(v.Needs, p.need)...)...)))
		if v.Next != "" {
			body = append(body, app.P().Class("quiet").Text(v.Next))
		}
	}
	var seldom []app.UI
	n := 0
	for _, g := range v.Groups {
		section := app.Section().Class("actions").Body(
			app.H2().Text(g.Title),
			app.Ul().Class("action-list").Body(kit.Each(g.Actions, p.action)...))
		if g.Seldom {
			seldom = append(seldom, section)
			n += len(g.Actions)
			continue
		}
		body = append(body, section)
	}
	if n > 0 {
		body = append(body, app.Section().Class("actions").Body(
			app.Button().Type("button").Class("fold").Aria("expanded", p.seldom).DataSet("test", "seldom-actions").
				OnClick(p.onSeldom).Body(kit.Icon(kit.FoldGlyph(p.seldom)), app.Span().Text("Seldom needed ("+kit.Itoa(n)+")")),
			kit.When(p.seldom, func() app.UI { return app.Div().Body(seldom...) })))
	}
	if reasons := byReason(v.Closed); len(reasons) > 0 {
		more := len(reasons) - reasonsShown
		if more > 1 && !p.closed {
			reasons = reasons[:reasonsShown]
		}
		body = append(body, app.Section().Class("actions", "actions-closed").DataSet("test", "closed-actions").Body(
			app.H2().Text("Not open to you now"),
			app.Ul().Class("action-list").Body(kit.Each(reasons, p.shut)...),
			kit.When(more > 1 && !p.closed, func() app.UI {
				return kit.Button(kit.Plural(more, "more reason", "more reasons"), p.onClosed).Class("btn-quiet").DataSet("test", "more-reasons")
			})))
	}
	return app.Div().Body(body...)
}

func (p *nowPage) onClosed(app.Context, app.Event) { p.closed = true }

func (p *nowPage) onSeldom(app.Context, app.Event) { p.seldom = !p.seldom }

// standing says who I am in this game.
func standing(w view.Words, me view.Person) string {
	switch {
	case me.Standing == "stranger":
		return ": you have not asked to play yet; you can read everything"
	case me.Standing == "applicant":
		return ": waiting to be admitted; you can read everything"
	case me.Standing == "left":
		return ": you have left the game; you can read everything"
	case me.Idle:
		return ", idle " + w.Player
	case me.Head && me.Admin:
		return ", " + w.Head + " and admin"
	case me.Head:
		return ", " + w.Head
	case me.Admin:
		return ", " + w.Player + " and admin"
	}
	return ", " + w.Player
}

// need draws what waits for me, with the form or the link that deals with it.
func (p *nowPage) need(_ int, n view.Need) app.UI {
	body := []app.UI{app.H2().Class("card-title").Text(view.Isolated(n.Title))}
	if n.Text != "" {
		body = append(body, app.P().Text(n.Text))
	}
	if n.Until != 0 {
		when := []app.UI{kit.Until(n.Until, p.f.Now())}
		if n.Kind == "due" {
			when = []app.UI{app.Text("Time is up "), when[0]}
		}
		body = append(body, app.P().Class("quiet", "card-until").Body(kit.Icon("wait"), app.Span().Body(when...)))
	}
	switch {
	case n.Action != nil:
		body = append(body, p.forms[n.Action.Name+n.Key].Render())
	case n.Href != "":
		body = append(body, app.P().Class("row").Body(
			app.A().Class("btn", "btn-main").Href(n.Href).Body(app.Span().Text(n.Go))))
	}
	return app.Article().Class("card", "card-"+n.Kind).Class(kit.TentativeClass(n.Tentative)).
		DataSet("test", "need-"+n.Kind).Body(body...)
}

func (p *nowPage) action(_ int, a view.Action) app.UI {
	name := a.Name
	if kit.CarriesChanges(a) {
		return app.Li().Class("action").Body(kit.Keyed("a-"+name,
			app.A().Class("action-head").Href(workshop.PathOf(p.f.Address.Room, name)).DataSet("test", "action-"+kit.Slug(name)).
				Body(app.Span().Class("action-title").Text(a.Title), app.Span().Class("action-left").Text("in the workshop"), kit.Icon("pen")),
			app.If(a.Help != "", app.P().Class("action-help").Text(a.Help))))
	}
	open := p.opened == name
	head := app.Button().Type("button").Class("action-head").ID("a-"+kit.Slug(name)).Aria("expanded", open).
		DataSet("test", "action-"+kit.Slug(name)).
		OnClick(func(app.Context, app.Event) { p.toggle(name) }, name).
		Body(
			app.Span().Class("action-title").Text(a.Title),
			app.Span().Class("action-left").Body(
				app.If(a.Dice != "", app.Span().Class("dice-hint").Body(kit.Icon("dice"), app.Text(a.Dice))),
				app.If(a.Left != "", app.Span().Text(a.Left))),
			kit.Icon(kit.FoldGlyph(open)))
	body := []app.UI{head}
	if open {
		inner := []app.UI{}
		if a.Help != "" {
			inner = append(inner, app.P().Class("help").Text(a.Help))
		}
		inner = append(inner, p.forms[a.Name].Render())
		if a.Rule != "" {
			inner = append(inner, app.P().Class("quiet").Body(app.Text("By the rule "),
				kit.Link(p.f.Path("rules", a.Rule), a.Rule)))
		}
		body = append(body, app.Div().Class("action-body").Body(inner...))
	} else if a.Help != "" {
		body = append(body, app.P().Class("action-help").Text(a.Help))
	}
	return app.Li().Class("action").Body(kit.Keyed("a-"+name, body...))
}

func (p *nowPage) toggle(name string) {
	if p.opened == name {
		p.opened = ""
		return
	}
	p.opened = name
	p.f.ClearMessages()
}

// byReason puts actions together that are closed for the same reason until the same
// time: what opens by itself first, soonest first, then in the order in which they come.
func byReason(list []view.Action) [][]view.Action {
	var out [][]view.Action
	for _, a := range list {
		i := slices.IndexFunc(out, func(g []view.Action) bool { return reasonKey(g[0]) == reasonKey(a) })
		if i < 0 {
			out = append(out, nil)
			i = len(out) - 1
		}
		out[i] = append(out[i], a)
	}
	slices.SortStableFunc(out, func(a, b []view.Action) int {
		s, t := a[0].Until, b[0].Until
		if s == 0 || t == 0 {
			return cmp.Compare(t, s)
		}
		return cmp.Compare(s, t)
	})
	return out
}

// shut tells one reason and what it keeps closed.
func (p *nowPage) shut(_ int, list []view.Action) app.UI {
	first := list[0]
	titles := make([]string, len(list))
	for i, a := range list {
		titles[i] = a.Title
	}
	why := []app.UI{app.Text(kit.Capital(first.Reason))}
	if first.Until != 0 {
		why = append(why, app.Text(" · opens "), kit.Until(first.Until, p.f.Now()))
	}
	key := reasonKey(first)
	open := p.why == key
	body := []app.UI{app.Button().Type("button").Class("action-head").Aria("expanded", open).DataSet("test", "why-"+kit.Slug(first.Reason)).
		OnClick(func(app.Context, app.Event) {
			p.why = key
			if open {
				p.why = ""
			}
		}, key, open).Body(app.Span().Class("action-title").Body(why...), kit.Icon(kit.FoldGlyph(open)))}
	if open {
		body = append(body, app.Ul().Class("shut-list").Body(kit.Each(list, p.closedAction)...))
	} else {
		body = append(body, app.P().Class("action-help").Text(kit.Names(titles)))
	}
	return app.Li().Class("action", "action-shut").Body(kit.Keyed("why-"+key, body...))
}

func (p *nowPage) closedAction(_ int, a view.Action) app.UI {
	body := []app.UI{app.Strong().ID("a-" + kit.Slug(a.Name)).TabIndex(-1).Text(a.Title)}
	if a.Help != "" {
		body = append(body, app.Text(": "+a.Help))
	}
	if a.Rule != "" {
		body = append(body, app.Text(" · "), kit.Link(p.f.Path("rules", a.Rule), a.Rule))
	}
	return app.Li().DataSet("test", "closed-"+kit.Slug(a.Name)).Body(body...)
}
