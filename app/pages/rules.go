package pages

import (
	"cmp"
	"context"
	"net/url"
	"strings"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"peernomic/app/frame"
	"peernomic/app/kit"
	"peernomic/app/view"
)

// bookPage is the contents of the ruleset.
type bookPage struct {
	f    *frame.Frame
	view *view.Book
	find string
}

func (p *bookPage) Title() string { return "Rules" }

func (p *bookPage) Load(ctx context.Context, g view.Game) (func(), error) {
	v, err := g.Book(ctx)
	return func() { p.view = v }, err
}

func (p *bookPage) Render() app.UI {
	body := []app.UI{
		kit.Heading("Rules", app.Text("What stands here is what is played: every rule holds its text and its script. "),
			kit.Link(p.f.Path("guide", "first-rule"), "How to write one")),
		app.Div().Class("find").Body(
			app.Label().For("find-rule").Class("unseen").Text("Find a rule"),
			app.Input().ID("find-rule").Type("search").Placeholder("Find a rule").DataSet("test", "find-rule").OnInput(p.onFind)),
	}
	for _, s := range p.view.Sections {
		var lines []app.UI
		for _, l := range s.Rules {
			if p.find == "" || strings.Contains(strings.ToLower(l.Number+" "+l.Title), p.find) {
				lines = append(lines, p.line(l))
			}
		}
		if len(lines) == 0 && p.find != "" {
			continue
		}
		body = append(body, app.Section().Class("contents").Body(
			app.H2().Body(app.Span().Class("number").Text(s.Number), app.Text(s.Title)),
			app.Ol().Class("rule-list").Body(lines...)))
	}
	return app.Div().Class("book").Body(body...)
}

func (p *bookPage) line(l view.RuleLine) app.UI {
	return app.Li().Class("rule-line").DataSet("depth", min(l.Depth, 3)).Body(
		app.A().Href(p.f.Path("rules", l.Title)).DataSet("test", "rule-"+kit.Slug(l.Title)).
			Class(kit.TentativeClass(l.Tentative)).Body(
			app.Span().Class("number").Text(l.Number),
			kit.Alone(app.Span().Class("rule-name"), l.Title),
			kit.When(l.Amended != 0, func() app.UI {
				return app.Span().Class("quiet").Body(app.Text("amended "), kit.Moment(l.Amended, p.f.Now()))
			})))
}

func (p *bookPage) onFind(ctx app.Context, _ app.Event) {
	p.find = strings.ToLower(strings.TrimSpace(ctx.JSSrc().Get("value").String()))
}

// rulePage is one rule.
type rulePage struct {
	f    *frame.Frame
	name string
	view *view.Rule
	tab  string
	open int // which revision's diff is open, from 1
}

func (p *rulePage) Title() string { return p.name }

func (p *rulePage) Load(ctx context.Context, g view.Game) (func(), error) {
	v, err := g.Rule(ctx, p.name)
	return func() {
		p.view = v
		if p.tab == "" {
			p.tab = "prose"
		}
	}, err
}

func (p *rulePage) Render() app.UI {
	v := p.view
	room := p.f.Address.Room
	body := []app.UI{
		app.Header().Class("page-head").Body(
			app.P().Class("kicker").Body(kit.Link(view.Path(room, "rules"), "Rules"), app.Span().Text(v.Section)),
			app.H1().ID("page-title").TabIndex(-1).DataSet("test", "rule-title").Body(
				app.Span().Class("number").Text(v.Number), app.Text(v.Title)),
		),
		kit.Tabs([]kit.Tab{{ID: "prose", Label: "Text"}, {ID: "script", Label: "Script"}, {ID: "history", Label: historyLabel(len(v.History))}},
			p.tab, func(id string) { p.tab = id }),
		kit.Keyed("tab-"+p.tab, app.Div().ID("tab-body").Class("tab-body").Role("tabpanel").
			Aria("labelledby", "tab-"+p.tab).Body(p.tabBody()...)),
	}
	if p.f.Shell.CanPropose {
		body = append(body, app.P().Class("row").Body(
			app.A().Class("btn").Href(view.Path(room, "propose")+"?rule="+url.QueryEscape(v.Title)).DataSet("test", "change-rule").
				Body(kit.Icon("pen"), app.Span().Text("Propose a change")),
			app.A().Class("btn", "btn-quiet").Href(view.Path(room, "propose")+"?under="+url.QueryEscape(v.Title)).
				Body(kit.Icon("plus"), app.Span().Text("Propose a rule beside it"))))
	}
	body = append(body, app.Nav().Class("leaf").Aria("label", "Neighbouring rules").Body(
		kit.When(v.Previous != "", func() app.UI {
			return app.A().Href(view.Path(room, "rules", v.Previous)).Body(kit.Icon("back"), app.Span().Text(v.Previous))
		}),
		kit.When(v.Next != "", func() app.UI {
			return app.A().Class("leaf-next").Href(view.Path(room, "rules", v.Next)).Body(app.Span().Text(v.Next), kit.Icon("next"))
		})))
	return app.Article().Class("rule").DataSet("test", "rule").Body(body...)
}

func (p *rulePage) tabBody() []app.UI {
	v := p.view
	switch p.tab {
	case "script":
		if v.Script == "" {
			return []app.UI{kit.Empty("This rule has no script: people carry it out.")}
		}
		body := []app.UI{}
		if len(v.Makes) > 0 {
			body = append(body, app.P().Text("This rule makes:"),
				app.Ul().Class("makes").Body(kit.Each(v.Makes, func(_ int, m string) app.UI { return app.Li().Text(m) })...))
		}
		return append(body, kit.Code(v.Script, 1))
	case "history":
		return []app.UI{p.history()}
	}
	body := []app.UI{p.f.Markdown(v.Prose)}
	if len(v.Subrules) > 0 {
		body = append(body, app.H2().Text("Under this rule"),
			app.Ol().Class("rule-list").Body(kit.Each(v.Subrules, func(_ int, l view.RuleLine) app.UI {
				return app.Li().Class("rule-line").Body(app.A().Href(p.f.Path("rules", l.Title)).Body(
					app.Span().Class("number").Text(l.Number), kit.Alone(app.Span().Class("rule-name"), l.Title)))
			})...))
	}
	if len(v.Actions) > 0 {
		body = append(body, app.P().Class("quiet").Body(app.Text("What it lets people do stands under "),
			kit.Link(p.f.Path("now"), "Now"), app.Text(": "+kit.Names(v.Actions)+".")))
	}
	return body
}

func historyLabel(n int) string {
	if n == 0 {
		return "History"
	}
	return "History (" + kit.Itoa(n) + ")"
}

// history lists the texts of the rule, newest first, each with what it changed.
func (p *rulePage) history() app.UI {
	v := p.view
	if len(v.History) == 0 {
		return kit.Empty("As it was when the game was founded.")
	}
	return app.Ol().Class("history").Body(kit.Each(v.History, func(i int, h view.Revision) app.UI {
		n := i + 1
		line := []app.UI{app.Strong().Text(h.What), kit.Moment(h.Time, p.f.Now())}
		if h.Matter != 0 {
			line = append(line, app.Span().Body(app.Text("by "),
				kit.Link(p.f.Path("matters", kit.Itoa(h.Matter)), cmp.Or(h.MatterTitle, "a proposal"))))
		} else if h.Who != "" {
			line = append(line, app.Span().Text("by "+view.Isolated(h.Who)))
		}
		body := []app.UI{app.P().Class("byline").Body(line...)}
		if i+1 < len(v.History) {
			body = append(body, kit.Button(kit.ShowWord(p.open == n, "the change"), func(app.Context, app.Event) { p.toggle(n) }, n).
				Class("btn-quiet").Aria("expanded", p.open == n))
			if p.open == n {
				body = append(body, p.f.Diff(v.History[i+1].Text, h.Text))
			}
		}
		return app.Li().Body(body...)
	})...)
}

func (p *rulePage) toggle(n int) {
	if p.open == n {
		p.open = 0
		return
	}
	p.open = n
}
