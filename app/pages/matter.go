package pages

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"time"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"peernomic/app/frame"
	"peernomic/app/kit"
	"peernomic/app/view"
)

// matterPage is one matter in full.
type matterPage struct {
	f        *frame.Frame
	id       string
	view     *view.Matter
	tab      string
	composer *composer
	ways     map[string]*kit.Form
	edits    *kit.Form

	outlook *view.Outlook // what its changes would do, as it was tried last
	trying  bool          // it is being tried
	triedOn string        // the game's digest then
	stale   bool          // it has not been tried, or the game has changed since
	failure error         // why it could not be tried

	earlier int // how many more comments than the latest are shown
}

// commentsShown is how many comments are shown at first, the latest.
const commentsShown = 30

func (p *matterPage) Title() string {
	if p.view == nil {
		return "Matter"
	}
	return cmp.Or(p.view.Title, p.view.Category)
}

func (p *matterPage) Load(ctx context.Context, g view.Game) (func(), error) {
	id, err := strconv.ParseInt(p.id, 10, 64)
	if err != nil {
		return nil, view.ErrNone
	}
	v, err := g.Matter(ctx, id)
	if err != nil {
		return nil, err
	}
	kept, err := g.Draft(ctx, p.draftKey())
	if err != nil {
		return nil, err
	}
	return func() {
		p.view, p.stale = v, p.stale || p.f.Shell == nil || p.f.Shell.Digest != p.triedOn
		if !v.Ahead {
			p.outlook, p.failure = nil, nil
			if p.tab == "effects" {
				p.tab = "changes"
			}
		}
		defer p.lookAhead()
		if p.tab == "" {
			p.tab = "text"
			if len(v.Amendments) > 0 && v.Body == "" {
				p.tab = "changes"
			}
		}
		if p.composer == nil {
			p.composer = newComposer(p, kept)
		}
		p.composer.renew()
		if p.ways == nil {
			p.ways = make(map[string]*kit.Form)
		}
		for _, w := range v.Ways {
			if w.Action == nil {
				continue
			}
			if f := p.ways[w.Can]; f != nil {
				f.Renew(*w.Action)
				continue
			}
			f := kit.NewForm(p.f, "way-"+w.Can, *w.Action)
			f.Fixed = map[string]any{kit.PostParam(*w.Action): v.ID}
			p.ways[w.Can] = f
		}
		switch {
		case v.Remove == nil:
			p.edits = nil
		case p.edits == nil:
			p.edits = kit.NewForm(p.f, "remove", *v.Remove)
			p.edits.Fixed = map[string]any{kit.PostParam(*v.Remove): v.ID}
			p.edits.Done = func(ctx app.Context, _ *view.Result) { ctx.Navigate(p.f.Path("matters")) }
		}
	}, nil
}

func (p *matterPage) Render() app.UI {
	v := p.view
	body := []app.UI{
		postHead(p.f, v.Post, kit.Alone(app.H1().ID("page-title").TabIndex(-1).DataSet("test", "matter-title"), cmp.Or(v.Title, v.Category))),
	}
	if v.Tentative {
		body = append(body, kit.Waits(v.Waits))
	}
	if len(v.Tally) > 0 {
		body = append(body, app.Section().Class("tally-block").Aria("label", "Tally").Body(
			tallyBar(v.Tally, v.Quorum, v.Electorate), p.voters()))
	}
	if v.Next != "" {
		body = append(body, app.Div().Class("next").DataSet("test", "next").Body(kit.Icon("next"), app.P().Text(v.Next)))
	}
	body = append(body, p.ends(), p.author(), p.tabs(), p.tabBody())
	body = append(body, p.comments())
	class := "matter"
	if p.tab == "changes" {
		class += " matter-wide" // old and new stand beside each other
	}
	return app.Div().Class(class).DataSet("test", "matter").DataSet("matter", v.ID).Body(body...)
}

// comments are the latest of them, and the composer.
func (p *matterPage) comments() app.UI {
	list := p.view.Comments
	hidden := max(len(list)-commentsShown-p.earlier, 0)
	head := []app.UI{app.H2().Text("Comments")}
	if len(list) > 5 && openTo(p.view) != "" {
		head = append(head, kit.Button(openTo(p.view), func(ctx app.Context, _ app.Event) { kit.Focus(ctx, "comment-text") }).DataSet("test", "to-composer"))
	}
	return app.Section().Class("talk").Body(
		app.Div().Class("row").Body(head...),
		kit.When(len(list) == 0, func() app.UI { return kit.Empty("Nobody has said anything yet.") }),
		kit.When(hidden > 0, func() app.UI {
			return kit.Button(kit.Plural(hidden, "earlier comment", "earlier comments"), func(app.Context, app.Event) { p.earlier += 4 * commentsShown }).
				DataSet("test", "earlier-comments")
		}),
		comments(p.f, list[hidden:]),
		p.composer.render(),
	)
}

// openTo says what one may do here: vote, comment, or nothing.
func openTo(v *view.Matter) string {
	switch {
	case v.Vote != nil && v.Vote.Open:
		return "Vote or comment"
	case v.Reply != nil && v.Reply.Open:
		return "Comment"
	}
	return ""
}

// author is what only its author can do with the matter.
func (p *matterPage) author() app.UI {
	v := p.view
	var body []app.UI
	if v.Edit != nil {
		body = append(body, app.A().Class("btn").Href(p.f.Path("propose")+"?edit="+kit.Itoa(v.ID)).DataSet("test", "alter").
			Body(kit.Icon("pen"), app.Span().Text(v.Edit.Title)))
	}
	if v.Remove != nil && p.edits != nil {
		body = append(body, takeBack(p.edits))
	}
	if len(body) == 0 {
		return nil
	}
	return app.Div().Class("row", "own").Body(body...)
}

// voters shows each voter by how their vote counts, and who has yet to vote.
func (p *matterPage) voters() app.UI {
	var missing, done []view.Vote
	for _, v := range p.view.Votes {
		if v.Icon == "" && v.Counts == "" {
			missing = append(missing, v)
		} else {
			done = append(done, v)
		}
	}
	var parts []app.UI
	if len(done) > 0 {
		parts = append(parts, app.Ul().Class("voters").Aria("label", "Votes").Body(kit.Each(done, p.voter)...))
	}
	if len(missing) > 0 {
		parts = append(parts, app.P().Class("missing").DataSet("test", "not-voted").Body(
			app.Span().Class("quiet").Text("Not voted: "),
			app.Span().Text(kit.Names(voterNames(missing)))))
	}
	return app.Div().Body(parts...)
}

func voterNames(votes []view.Vote) []string {
	list := make([]string, len(votes))
	for i, v := range votes {
		list[i] = v.Player
		if v.You {
			list[i] = "you"
		}
	}
	return list
}

func (p *matterPage) voter(_ int, v view.Vote) app.UI {
	name := v.Player
	if v.You {
		name += " (you)"
	}
	text := cmp.Or(v.Icon, v.Counts)
	if v.Counts != "" && v.Counts != v.Icon && v.Icon != "" {
		text += ", counts " + v.Counts
	}
	return app.Li().Class("voter").DataSet("test", "vote-of-"+kit.Slug(v.Player)).DataSet("icon", v.Icon).DataSet("counts", v.Counts).
		Title(v.Why).Body(
		kit.Disc(v.Player), app.Span().Text(name),
		app.Span().Class("vote-icon", "vote-"+kit.Slug(cmp.Or(v.Counts, v.Icon))).Body(kit.Icon(v.Glyph), app.Span().Text(text)))
}

// ends are the ways the matter can end, each with its button or the reason why it is closed.
func (p *matterPage) ends() app.UI {
	v := p.view
	if len(v.Ways) == 0 {
		return nil
	}
	var open, shut []app.UI
	told := map[string]bool{} // one line for each kind of end; the tab Why has them all
	for _, w := range openFirst(v.Ways) {
		if told[w.Can] {
			continue
		}
		told[w.Can] = true
		if f := p.ways[w.Can]; w.Open && f != nil && w.Action != nil && w.Action.Open {
			open = append(open, app.Div().Class("way").DataSet("test", "way-"+kit.Slug(w.Can)).Body(
				app.If(w.Why != "", app.P().Class("quiet").Text(kit.Capital(w.Why))), f.Render()))
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
		if w.From > p.f.Now() {
			line = append(line, app.Text(" · "), kit.Until(w.From, p.f.Now()))
		}
		shut = append(shut, app.Li().DataSet("test", "shut-"+kit.Slug(w.Can)).Body(line...))
	}
	return app.Div().Class("ways").Body(app.Div().Class("ways-open").Body(open...),
		kit.When(len(shut) > 0, func() app.UI { return app.Ul().Class("plain-list", "quiet").Body(shut...) }))
}

// openFirst puts the ways that are open first.
func openFirst(ways []view.Way) []view.Way {
	list := slices.Clone(ways)
	slices.SortStableFunc(list, func(a, b view.Way) int {
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
	list := []kit.Tab{{ID: "text", Label: "Text"}}
	if len(v.Amendments) > 0 {
		list = append(list, kit.Tab{ID: "changes", Label: "Changes (" + kit.Itoa(len(v.Amendments)) + ")"})
	}
	if v.Ahead {
		list = append(list, kit.Tab{ID: "effects", Label: "Preview"})
	}
	list = append(list, kit.Tab{ID: "why", Label: "Why"})
	return kit.Tabs(list, p.tab, func(id string) {
		p.tab = id
		p.lookAhead()
	})
}

// outlookPause is how long trying the changes waits, so that the page is drawn first: the rules are carried out anew for it,
// and nothing else happens in the page meanwhile.
const outlookPause = 50 * time.Millisecond

// lookAhead tries what the matter would change, if somebody looks at that.
func (p *matterPage) lookAhead() {
	ctx, g, life, id := p.f.Ctx, p.f.Game, p.f.Life, p.view.ID
	if ctx == nil || p.trying || !p.stale || !p.looksAhead() {
		return
	}
	p.trying, p.stale, p.triedOn = true, false, p.f.Shell.Digest
	ctx.Async(func() {
		time.Sleep(outlookPause)
		o, err := g.Outlook(life, id)
		ctx.Dispatch(func(app.Context) {
			p.trying, p.failure = false, err
			if err == nil {
				p.outlook = o
			}
			p.lookAhead() // the game may have changed meanwhile
		})
	})
}

// looksAhead reports whether what is shown says what the changes would do.
func (p *matterPage) looksAhead() bool {
	return p.view.Ahead && (p.tab == "changes" || p.tab == "effects")
}

// effects shows what the matter would change.
func (p *matterPage) effects() app.UI {
	switch o := p.outlook; {
	case p.failure != nil:
		return kit.Note("bad", "What it would do could not be worked out: "+p.failure.Error()+".")
	case o == nil:
		return app.P().Class("quiet").Role("status").DataSet("test", "trying").Text("Working out what the game would be like…")
	case o.Effects == nil:
		return kit.Problems(o.Problems, "As the game stands now this could not be enacted:")
	default:
		return kit.Outcomes(o.Effects)
	}
}

func (p *matterPage) tabBody() app.UI {
	v := p.view
	var body []app.UI
	switch p.tab {
	case "changes":
		if p.outlook != nil && len(p.outlook.Problems) > 0 {
			body = append(body, kit.Problems(p.outlook.Problems, "As the game stands now this could not be enacted:"))
		}
		body = append(body, kit.Each(v.Amendments, func(_ int, a view.Amendment) app.UI { return amendmentView(p.f, a) })...)
	case "effects":
		body = append(body, p.effects())
	case "why":
		body = append(body, p.why())
	default:
		if v.Body == "" {
			body = append(body, kit.Empty("The author gives no text beside the changes."))
		} else {
			body = append(body, p.f.Markdown(v.Body))
		}
		body = append(body, flavour(p.f, v.Post))
	}
	return kit.Keyed("tab-"+p.tab, app.Div().ID("tab-body").Class("tab-body").Role("tabpanel").
		Aria("labelledby", "tab-"+p.tab).Body(body...))
}
