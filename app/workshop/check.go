package workshop

import (
	"slices"
	"strings"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"peernomic/app/frame"
	"peernomic/app/kit"
	"peernomic/app/view"
)

// touched keeps and checks the draft once the keyboard has rested.
func (p *Page) touched() {
	p.edits++
	n := p.edits
	p.f.Ctx.After(kit.TypingPause, func(app.Context) {
		if n != p.edits || p.f.Page != frame.Page(p) || p.sent {
			return
		}
		p.keep()
		p.check()
	})
}

// keep keeps the draft on the device.
func (p *Page) keep() {
	if g := p.f.Game; g != nil {
		p.f.Keep(g, p.draftKey(), "The draft", p.draft)
	}
}

// amendments are the changes as the rules take them, and whether none lacks anything.
func (p *Page) amendments() (list []any, complete bool) {
	complete = true
	for _, c := range p.draft.Changes {
		if c.Kind == "kept" {
			if e := p.editing(); e != nil && int(c.Row) < len(e.Amendments) {
				list = append(list, e.Amendments[c.Row])
			}
			continue
		}
		m, missing := c.amendment(p.view)
		c.wrong = missing
		if missing != "" {
			complete = false
			continue
		}
		list = append(list, m)
	}
	return list, complete
}

// check asks the rules what they say of the draft as it is now.
func (p *Page) check() {
	g, life, n := p.f.Game, p.f.Life, p.edits
	list, complete := p.amendments()
	if g == nil {
		return
	}
	if len(list) == 0 {
		p.checked, p.problems, p.recognised = complete, nil, nil
		return
	}
	ctx := p.f.Ctx
	ctx.Async(func() {
		verdict, err := g.Check(life, list)
		ctx.Dispatch(func(app.Context) {
			if n != p.edits {
				return
			}
			if err != nil {
				p.f.Say("bad", "The check did not work: "+err.Error()+".")
				return
			}
			p.checked, p.problems, p.recognised = true, verdict.Problems, verdict.Recognised
		})
	})
}

// verdict says what the check came to.
func (p *Page) verdict() app.UI {
	if len(p.draft.Changes) == 0 {
		return nil
	}
	switch {
	case len(p.problems) > 0:
		rest := slices.Clone(p.problems)
		for _, c := range p.draft.Changes {
			rest = slices.DeleteFunc(rest, func(q view.Problem) bool { return slices.Contains(p.problemsOf(c), q) })
		}
		if len(rest) == 0 {
			return kit.Note("bad", "This could not be enacted as it stands; what is wrong is said at the text.")
		}
		return kit.Problems(rest, "This could not be enacted as it stands:")
	case slices.ContainsFunc(p.draft.Changes, func(c *change) bool { return c.wrong != "" }):
		return kit.Note("wait", "Some changes are not complete yet.")
	case p.checked:
		return kit.Note("good", "The rules accept these changes as the game stands now.").DataSet("test", "check-good")
	}
	return app.P().Class("quiet").Text("The changes are checked when you stop typing.")
}

// taken tells what the rules take the draft for, and what follows from that.
func (p *Page) taken() app.UI {
	if len(p.recognised) == 0 || len(p.draft.Changes) == 0 {
		return nil
	}
	return app.Div().Class("recognised").DataSet("test", "recognised").Aria("live", "polite").Body(
		p.f.Markdown("- " + strings.Join(p.recognised, "\n- ")))
}

// drop forgets the draft that is kept.
func (p *Page) drop() {
	p.edits++
	p.f.Keep(p.f.Game, p.draftKey(), "The draft", nil)
}
