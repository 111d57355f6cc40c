package pages

import (
	"cmp"
	"context"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"peernomic/app/frame"
	"peernomic/app/kit"
	"peernomic/app/view"
	"peernomic/app/workshop"
)

// mattersPage lists what is decided and what was.
type mattersPage struct {
	f    *frame.Frame
	view *view.Matters
	past bool
}

func (p *mattersPage) Title() string { return "Matters" }

func (p *mattersPage) Load(ctx context.Context, g view.Game) (func(), error) {
	v, err := g.Matters(ctx)
	return func() { p.view = v }, err
}

func (p *mattersPage) Render() app.UI {
	v := p.view
	body := []app.UI{kit.Heading("Matters", app.Text("What is to be decided, oldest first."))}
	var make, shut []app.UI
	for i, a := range v.Make {
		if !a.Open {
			shut = append(shut, app.P().Class("quiet").Text(a.Title+": "+a.Reason))
			continue
		}
		b := app.A().Class("btn").Href(workshop.PathOf(p.f.Address.Room, a.Name)).DataSet("test", "make-"+kit.Slug(a.Name))
		if i == 0 {
			b = b.Class("btn-main").DataSet("test", "propose")
		}
		make = append(make, b.Body(kit.Icon("pen"), app.Span().Text(a.Title)))
	}
	if len(make) > 0 {
		body = append(body, app.P().Class("row").Body(make...))
	}
	body = append(body, shut...)
	if len(v.Open) == 0 {
		body = append(body, kit.Empty("Nothing is open. The game waits for somebody to propose."))
	}
	body = append(body, app.Ul().Class("matter-list").Body(kit.Each(v.Open, p.line)...))
	if n := len(v.Closed); n > 0 {
		body = append(body, app.Section().Body(
			app.H2().Text("Decided"),
			app.Ul().Class("matter-list", "matter-past").Body(kit.Each(v.Closed[:min(n, p.limit())], p.line)...),
			kit.When(n > p.limit(), func() app.UI {
				return kit.Button("Show all "+kit.Itoa(n), func(app.Context, app.Event) { p.past = true })
			})))
	}
	return app.Div().Body(body...)
}

func (p *mattersPage) limit() int {
	if p.past {
		return 1 << 20
	}
	return 12
}

func (p *mattersPage) line(_ int, m view.MatterLine) app.UI {
	return app.Li().Body(kit.Keyed("m-"+kit.Itoa(m.ID), matterLine(p.f, m)))
}

// matterLine is a matter in brief: its bar and what comes next.
func matterLine(f *frame.Frame, m view.MatterLine) app.UI {
	foot := []app.UI{app.Span().Text("by " + view.Isolated(m.Author)), kit.Moment(m.Time, f.Now())}
	if m.Missing > 0 && m.Outcome == "open" {
		foot = append(foot, app.Span().Text(kit.Plural(m.Missing, "has not voted", "have not voted")))
	}
	if m.Mine != "" {
		foot = append(foot, app.Span().Class("vote-icon", "vote-"+kit.Slug(m.Mine)).Body(
			kit.Icon(m.MineGlyph), app.Span().Text("you: "+m.Mine)))
	} else if m.NeedsMe {
		foot = append(foot, app.Span().Class("needs").Text("your vote is missing"))
	}
	return app.A().Class("matter-line", "matter-"+cmp.Or(m.Outcome, "open")).Class(kit.TentativeClass(m.Tentative)).
		Href(f.Path("matters", kit.Itoa(m.ID))).DataSet("test", "matter-"+kit.Itoa(m.ID)).Body(
		app.Span().Class("kicker").Body(app.Span().Text(m.Category),
			app.Span().Class("status", "status-"+cmp.Or(m.Outcome, "open")).Text(m.Status)),
		kit.Alone(app.Span().Class("matter-title"), m.Title),
		kit.When(len(m.Tally) > 0, func() app.UI { return tallyBar(m.Tally, m.Quorum, m.Electorate) }),
		app.Span().Class("matter-next").Text(m.Next),
		app.Span().Class("byline").Body(foot...),
	)
}

// tallyBar is the bar of a tally with the quorum as a notch. The parts come in the
// order in which they are drawn; what it says is in words beside it.
func tallyBar(parts []view.TallyPart, quorum, electorate int) app.UI {
	return app.Div().Class("tally").Body(
		kit.TallyBar(tallyText(parts, quorum, electorate), parts, quorum, electorate),
		app.P().Class("tally-words").Body(
			append(kit.Each(parts, func(i int, t view.TallyPart) app.UI {
				return app.Span().Class("tally-part", "tally-"+kit.Slug(t.Word)).DataSet("test", "tally-"+kit.Slug(t.Word)).
					DataSet("count", t.Count).Body(kit.Icon(t.Glyph), app.Strong().Text(kit.Itoa(t.Count)), app.Text(" "+t.Word))
			}),
				kit.When(quorum > 0, func() app.UI {
					return app.Span().Class("tally-quorum").DataSet("test", "quorum").DataSet("count", quorum).
						Text("quorum " + kit.Itoa(quorum) + " of " + kit.Itoa(electorate))
				}))...))
}

func tallyText(parts []view.TallyPart, quorum, electorate int) string {
	s := ""
	for _, t := range parts {
		s += kit.Itoa(t.Count) + " " + t.Word + ", "
	}
	return s + "quorum " + kit.Itoa(quorum) + " of " + kit.Itoa(electorate)
}
