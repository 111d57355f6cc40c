package pages

import (
	"cmp"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"peernomic/app/frame"
	"peernomic/app/kit"
	"peernomic/app/view"
)

func (p *matterPage) why() app.UI {
	v := p.view
	if len(v.Votes) == 0 && len(v.Ways) == 0 {
		return kit.Empty("Nobody votes in this matter.")
	}
	return app.Div().Body(p.whyVotes(), p.whyWays())
}

// whyWays lists all ways in which the matter can end.
func (p *matterPage) whyWays() app.UI {
	if len(p.view.Ways) == 0 {
		return nil
	}
	return app.Div().Body(app.H3().Class("why-head").Text("How it can end"),
		app.Ul().Class("plain-list").Body(kit.Each(p.view.Ways, func(_ int, w view.Way) app.UI {
			glyph, word := "cross", " not now: "
			if w.Open {
				glyph, word = "check", " possible: "
			}
			return app.Li().Class("way-line").Body(kit.Icon(glyph), app.Span().Body(app.Strong().Text(w.Can),
				app.Text(word+w.Why), app.If(w.From > p.f.Now(), app.Text(" · "), kit.Until(w.From, p.f.Now()))))
		})...))
}

func (p *matterPage) whyVotes() app.UI {
	v := p.view
	if len(v.Votes) == 0 {
		return nil
	}
	return app.Div().Class("table-wrap").Body(app.Table().Class("table").Body(
		app.Caption().Class("unseen").Text("Each vote and how it counts"),
		app.THead().Body(app.Tr().Body(
			app.Th().Scope("col").Text("Who"), app.Th().Scope("col").Text("Voted"),
			app.Th().Scope("col").Text("Counts"), app.Th().Scope("col").Text("Why"))),
		app.TBody().Body(kit.Each(v.Votes, func(_ int, w view.Vote) app.UI {
			return app.Tr().Body(
				app.Th().Scope("row").Text(w.Player),
				app.Td().Text(kit.OrDash(w.Icon)), app.Td().Text(cmp.Or(w.Counts, "not")), app.Td().Text(w.Why))
		})...)))
}

// amendmentView shows one change a matter would make.
func amendmentView(f *frame.Frame, a view.Amendment) app.UI {
	body := []app.UI{app.H3().Text(a.What)}
	if a.Problem != "" {
		body = append(body, kit.Note("bad", a.Problem))
	}
	switch {
	case a.Document:
		body = append(body, f.Diff(a.Old, a.New))
	case a.Old != "" || a.New != "":
		body = append(body, kit.Changes([]view.Change{{Column: "", Old: a.Old, New: a.New}}))
	}
	return app.Article().Class("amendment").DataSet("test", "amendment").Body(body...)
}
