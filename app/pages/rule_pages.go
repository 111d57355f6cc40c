package pages

import (
	"context"
	"slices"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"peernomic/app/frame"
	"peernomic/app/kit"
	"peernomic/app/view"
)

// pagesPage shows the pages that rules make.
type pagesPage struct {
	f    *frame.Frame
	name string
	view *view.Pages
}

func (p *pagesPage) Title() string { return "Pages" }

func (p *pagesPage) Load(ctx context.Context, g view.Game) (func(), error) {
	v, err := g.Pages(ctx)
	if err == nil && p.name != "" && !slices.ContainsFunc(v.Pages, func(q view.RulePage) bool { return q.Name == p.name }) {
		err = view.ErrNone
	}
	return func() { p.view = v }, err
}

func (p *pagesPage) Render() app.UI {
	v := p.view
	if p.name == "" {
		body := []app.UI{kit.Heading("Pages", app.Text("Made by the rules from the state of the game."))}
		if len(v.Pages)+len(v.Boards) == 0 {
			body = append(body, kit.Empty("No rule makes a page yet. A proposal can bring one."))
		}
		var places, kinds, lists []app.UI
		for _, b := range v.Boards {
			line := pageLink(b.Href, "board-"+kit.Slug(b.Title), b.Title)
			if b.Many {
				kinds = append(kinds, line)
			} else {
				places = append(places, line)
			}
		}
		for _, q := range v.Pages {
			lists = append(lists, pageLink(p.f.Path("pages", q.Name), "page-"+kit.Slug(q.Name), q.Title))
		}
		return app.Div().Body(append(body, pageGroup("Where things are done", places), pageGroup("One by one", kinds), pageGroup("To read", lists))...)
	}
	for _, q := range v.Pages {
		if q.Name == p.name {
			return app.Article().Body(
				app.Header().Class("page-head").Body(
					app.P().Class("kicker").Body(kit.Link(p.f.Path("pages"), "Pages")),
					kit.Alone(app.H1().ID("page-title").TabIndex(-1), q.Title)),
				p.f.Markdown(q.Body),
				kit.When(q.Rule != "", func() app.UI {
					return app.P().Class("quiet").Body(app.Text("Made by the rule "), kit.Link(p.f.Path("rules", q.Rule), q.Rule))
				}))
		}
	}
	return nil
}

func pageLink(href, test, title string) app.UI {
	return app.Li().Body(app.A().Href(href).DataSet("test", test).Body(kit.Icon("pages"), app.Span().Text(title)))
}

// pageGroup lists pages of one sort, if there are any.
func pageGroup(title string, links []app.UI) app.UI {
	return kit.When(len(links) > 0, func() app.UI {
		return app.Section().Class("page-group").Body(app.H2().Text(title), app.Ul().Class("page-list").Body(links...))
	})
}
