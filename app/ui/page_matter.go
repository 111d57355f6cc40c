package ui

import (
	"context"
	"slices"
	"strconv"

	"github.com/maxence-charriere/go-app/v9/pkg/app"
)

// matterPage is one matter in full.
type matterPage struct {
	r     *root
	id    string
	view  *Matter
	tab   string
	reply *form
	icon  string // the icon chosen in the composer
	ways  map[string]*form
	edits *form
}

func (p *matterPage) title() string {
	if p.view == nil {
		return "Matter"
	}
	return orText(p.view.Title, p.view.Category)
}

func (p *matterPage) load(ctx context.Context, g Game) (func(), error) {
	id, err := strconv.ParseInt(p.id, 10, 64)
	if err != nil {
		return nil, errNoSuch("matter", p.id)
	}
	v, err := g.Matter(ctx, id)
	if err != nil {
		return nil, err
	}
	return func() {
		p.view = v
		if p.tab == "" {
			p.tab = "text"
			if len(v.Amendments) > 0 && v.Body == "" {
				p.tab = "changes"
			}
		}
		if p.ways == nil {
			p.ways = make(map[string]*form)
		}
		for _, w := range v.Ways {
			if w.Action == nil {
				continue
			}
			if f := p.ways[w.Can]; f != nil {
				f.renew(*w.Action)
				continue
			}
			f := newForm(p.r, "way-"+w.Can, *w.Action)
			f.fixed = map[string]any{postParam(*w.Action): v.ID}
			p.ways[w.Can] = f
		}
		if v.Remove != nil && p.edits == nil {
			p.edits = newForm(p.r, "remove", *v.Remove)
			p.edits.fixed = map[string]any{postParam(*v.Remove): v.ID}
		}
	}, nil
}

func (p *matterPage) render() app.UI {
	v := p.view
	r := p.r
	body := []app.UI{
		r.postHead(v.Post, app.H1().ID("page-title").TabIndex(-1).DataSet("test", "matter-title").Text(orText(v.Title, v.Category))),
	}
	if v.Tentative {
		body = append(body, waits(v.Waits))
	}
	if len(v.Tally) > 0 {
		body = append(body, app.Section().Class("tally-block").Aria("label", "Tally").Body(
			tallyBar(v.Tally, v.Quorum, v.Electorate), p.faces()))
	}
	if v.Next != "" {
		body = append(body, app.Div().Class("next").DataSet("test", "next").Body(icon("next"), app.P().Text(v.Next)))
	}
	body = append(body, p.doors(), p.tabs(), p.tabBody())
	body = append(body, app.Section().Class("talk").Body(
		app.H2().Text("Comments"),
		when(len(v.Comments) == 0, func() app.UI { return empty("Nobody has said anything yet.") }),
		r.comments(v.Comments),
		p.composer(),
	))
	return app.Div().Class("matter").DataSet("test", "matter").DataSet("matter", v.ID).Body(body...)
}

// faces shows every voter by how their vote counts, and who has not voted.
func (p *matterPage) faces() app.UI {
	var missing, done []Vote
	for _, v := range p.view.Votes {
		if v.Icon == "" && v.Counts == "" {
			missing = append(missing, v)
		} else {
			done = append(done, v)
		}
	}
	var parts []app.UI
	if len(done) > 0 {
		parts = append(parts, app.Ul().Class("voters").Aria("label", "Votes").Body(each(done, p.voter)...))
	}
	if len(missing) > 0 {
		parts = append(parts, app.P().Class("missing").DataSet("test", "not-voted").Body(
			app.Span().Class("quiet").Text("Not voted: "),
			app.Span().Text(names(voterNames(missing)))))
	}
	return app.Div().Body(parts...)
}

func voterNames(votes []Vote) []string {
	list := make([]string, len(votes))
	for i, v := range votes {
		list[i] = v.Player
		if v.You {
			list[i] = "you"
		}
	}
	return list
}

func (p *matterPage) voter(_ int, v Vote) app.UI {
	name := v.Player
	if v.You {
		name += " (you)"
	}
	text := orText(v.Icon, v.Counts)
	if v.Counts != "" && v.Counts != v.Icon && v.Icon != "" {
		text += ", counts " + v.Counts
	}
	return app.Li().Class("voter").DataSet("test", "vote-of-"+slug(v.Player)).DataSet("icon", v.Icon).DataSet("counts", v.Counts).
		Title(v.Why).Body(
		face1(v.Player), app.Span().Text(name),
		app.Span().Class("vote-icon", "vote-"+slug(orText(v.Counts, v.Icon))).Body(icon(v.Glyph), app.Span().Text(text)))
}

// doors are the ways the matter can end, with their buttons or why they are shut.
func (p *matterPage) doors() app.UI {
	v := p.view
	if len(v.Ways) == 0 {
		return nil
	}
	var open, shut []app.UI
	told := map[string]bool{} // one line for each kind of end; the tab Why has them all
	for _, w := range byHope(v.Ways) {
		if told[w.Can] {
			continue
		}
		told[w.Can] = true
		if f := p.ways[w.Can]; w.Open && f != nil && w.Action != nil && w.Action.Open {
			open = append(open, app.Div().Class("way").DataSet("test", "way-"+slug(w.Can)).Body(
				app.If(w.Why != "", app.P().Class("quiet").Text(capital(w.Why))), f.render()))
			continue
		}
		line := []app.UI{app.Strong().Text(w.Can)}
		switch {
		case w.Open:
			line = append(line, app.Text(": possible now"))
			if w.Action != nil && w.Action.Reason != "" {
				line = append(line, app.Text(", but not by you: "+w.Action.Reason))
			}
		case w.Why != "":
			line = append(line, app.Text(": "+w.Why))
		default:
			line = append(line, app.Text(": not now"))
		}
		if w.From != 0 {
			line = append(line, app.Text(" · "), until(w.From, p.r.now()))
		}
		shut = append(shut, app.Li().DataSet("test", "shut-"+slug(w.Can)).Body(line...))
	}
	return app.Div().Class("ways").Body(app.Div().Class("ways-open").Body(open...),
		when(len(shut) > 0, func() app.UI { return app.Ul().Class("plain-list", "quiet").Body(shut...) }))
}

// byHope puts the ways that are open first.
func byHope(ways []Way) []Way {
	list := slices.Clone(ways)
	slices.SortStableFunc(list, func(a, b Way) int {
		switch {
		case a.Open == b.Open:
			return 0
		case a.Open:
			return -1
		}
		return 1
	})
	return list
}

func (p *matterPage) tabs() app.UI {
	v := p.view
	list := []tabItem{{"text", "Text"}}
	if len(v.Amendments) > 0 {
		list = append(list, tabItem{"changes", "Changes (" + itoa(len(v.Amendments)) + ")"})
	}
	if v.Effects != nil {
		list = append(list, tabItem{"effects", "Preview"})
	}
	list = append(list, tabItem{"why", "Why"})
	return tabBar(list, p.tab, func(id string) { p.tab = id })
}

type tabItem struct{ id, label string }

// tabBar is a row of tabs; arrows move between them.
func tabBar(list []tabItem, now string, choose func(string)) app.UI {
	return app.Div().Class("tabs").Role("tablist").Body(each(list, func(i int, t tabItem) app.UI {
		index := -1
		if t.id == now {
			index = 0
		}
		return app.Button().Type("button").Class("tab").Role("tab").ID("tab-"+t.id).TabIndex(index).
			Aria("selected", t.id == now).Aria("controls", "tab-body").DataSet("test", "tab-"+t.id).
			OnClick(func(app.Context, app.Event) { choose(t.id) }, t.id).
			OnKeyDown(func(ctx app.Context, e app.Event) {
				step := map[string]int{"ArrowRight": 1, "ArrowLeft": len(list) - 1}[e.Get("key").String()]
				if step == 0 {
					return
				}
				to := list[(i+step)%len(list)].id
				choose(to)
				focus(ctx, "tab-"+to)
			}, t.id, len(list)).
			Text(t.label)
	})...)
}

func (p *matterPage) tabBody() app.UI {
	v := p.view
	var body []app.UI
	switch p.tab {
	case "changes":
		if len(v.Problems) > 0 {
			body = append(body, problemList(v.Problems, "As the game stands now this could not be enacted:"))
		}
		body = append(body, each(v.Amendments, func(_ int, a Amendment) app.UI { return p.r.amendmentView(a) })...)
	case "effects":
		if v.Effects == nil {
			body = append(body, empty("What it would do cannot be computed now."))
		} else {
			body = append(body, p.r.previewView(v.Effects))
		}
	case "why":
		body = append(body, p.why())
	default:
		if v.Body == "" {
			body = append(body, empty("The author gives no text beside the changes."))
		} else {
			body = append(body, p.r.md.markdown(v.Body))
		}
	}
	return keyed("tab-"+p.tab, app.Div().ID("tab-body").Class("tab-body").Role("tabpanel").
		Aria("labelledby", "tab-"+p.tab).Body(body...))
}

// why explains each vote by the rule that counted it.
func (p *matterPage) why() app.UI {
	v := p.view
	if len(v.Votes) == 0 && len(v.Ways) == 0 {
		return empty("Nobody votes in this matter.")
	}
	return app.Div().Body(p.whyVotes(), p.whyWays())
}

// whyWays lists all ways in which the matter can end.
func (p *matterPage) whyWays() app.UI {
	if len(p.view.Ways) == 0 {
		return nil
	}
	return app.Div().Body(app.H3().Class("why-head").Text("How it can end"),
		app.Ul().Class("plain-list").Body(each(p.view.Ways, func(_ int, w Way) app.UI {
			glyph, word := "cross", " not now: "
			if w.Open {
				glyph, word = "check", " possible: "
			}
			return app.Li().Class("way-line").Body(icon(glyph), app.Span().Body(app.Strong().Text(w.Can),
				app.Text(word+w.Why), app.If(w.From > p.r.now(), app.Text(" · "), until(w.From, p.r.now()))))
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
		app.TBody().Body(each(v.Votes, func(_ int, w Vote) app.UI {
			return app.Tr().Body(
				app.Th().Scope("row").Text(w.Player),
				app.Td().Text(orDash(w.Icon)), app.Td().Text(orText(w.Counts, "not")), app.Td().Text(w.Why))
		})...)))
}

// composer writes a comment, with a vote icon or without.
func (p *matterPage) composer() app.UI {
	v := p.view
	if v.Vote == nil && v.Reply == nil {
		return nil
	}
	shut := v.Vote
	if shut == nil {
		shut = v.Reply
	}
	if (v.Vote == nil || !v.Vote.Open) && (v.Reply == nil || !v.Reply.Open) {
		return app.P().Class("quiet").DataSet("test", "composer-shut").Text("You cannot comment here: " + shut.Reason)
	}
	icons := []app.UI{p.iconChoice(VoteIcon{Title: "Only a comment", Glyph: "comment"})}
	for _, ic := range v.Icons {
		icons = append(icons, p.iconChoice(ic))
	}
	label := "Comment"
	if p.icon != "" {
		label = "Vote " + p.icon
	}
	busy := p.r.busy["comment"]
	return app.Form().Class("composer", "form").DataSet("test", "composer").OnSubmit(p.onSubmit).Body(
		app.If(len(v.Icons) > 0, app.FieldSet().Class("icons").Body(
			app.Legend().Text(mineText(v)),
			app.Div().Class("icon-row").Body(icons...))),
		keyed("text-"+itoa(p.r.sayings), field("comment-text", "What you say", "Markdown works.",
			app.Textarea().ID("comment-text").Rows(3).DataSet("test", "comment-text"))),
		app.Div().Class("row").Body(
			app.Button().Type("submit").Class("btn", "btn-main").Disabled(busy).DataSet("test", "comment-submit").
				Body(app.Span().Text(label))),
	)
}

func mineText(v *Matter) string {
	if v.Mine == "" {
		return "Your vote"
	}
	return "Your vote (now " + v.Mine + ")"
}

func (p *matterPage) iconChoice(ic VoteIcon) app.UI {
	word := ic.Word
	return app.Label().Class("icon-choice", "vote-"+slug(word)).Title(ic.Reason).Body(
		app.Input().Type("radio").Name("icon").Checked(p.icon == word).Disabled(ic.Reason != "").
			DataSet("test", "icon-"+orText(slug(word), "none")).
			OnChange(func(app.Context, app.Event) { p.icon = word }, word),
		app.Span().Class("icon-face").Body(icon(ic.Glyph), app.Span().Text(orText(ic.Title, word))))
}

func (p *matterPage) onSubmit(ctx app.Context, e app.Event) {
	e.PreventDefault()
	v := p.view
	text := ""
	if el := app.Window().GetElementByID("comment-text"); el.Truthy() {
		text = trim(el.Get("value").String())
	}
	a := v.Reply
	if p.icon != "" && v.Vote != nil || a == nil {
		a = v.Vote
	}
	if a == nil {
		return
	}
	if p.icon == "" && text == "" {
		p.r.say(ctx, saying{kind: "bad", text: "There is nothing to send yet: choose a vote or write something."})
		return
	}
	args := map[string]any{postParam(*a): v.ID}
	for _, q := range a.Params {
		switch {
		case q.Name == "seen":
			args[q.Name] = v.Fingerprint
		case q.Kind == "icon" || q.Name == "icon":
			if p.icon != "" {
				args[q.Name] = p.icon
			}
		case q.Kind == "prose" || q.Kind == "text":
			if text != "" || !q.Optional {
				args[q.Name] = text
			}
		}
	}
	title := "Your comment"
	if p.icon != "" {
		title = "Your vote " + p.icon
	}
	p.r.act(ctx, "comment", title, a.Name, args, func(ctx app.Context, _ *Result) {
		p.icon = ""
		setValue("comment-text", "")
	})
}

// amendmentView shows one change a matter would make.
func (r *root) amendmentView(a Amendment) app.UI {
	body := []app.UI{app.H3().Text(a.What)}
	if a.Problem != "" {
		body = append(body, note("bad", a.Problem))
	}
	switch {
	case a.Document:
		body = append(body, documentDiff(a.Old, a.New))
	case a.Old != "" || a.New != "":
		body = append(body, changeList([]Change{{Column: "", Old: a.Old, New: a.New}}))
	}
	return app.Article().Class("amendment").DataSet("test", "amendment").Body(body...)
}

// problemList shows what is wrong, by rule and line.
func problemList(list []Problem, lead string) app.UI {
	return app.Div().Class("problems").DataSet("test", "problems").Role("status").Body(
		app.P().Body(icon("warn"), app.Span().Text(lead)),
		app.Ul().Body(each(list, func(_ int, q Problem) app.UI {
			where := q.Rule
			if q.Line > 0 {
				where = joinWords(where, "line "+itoa(q.Line))
			}
			return app.Li().Body(app.Strong().Text(where), app.Text(" "+q.Message))
		})...))
}
