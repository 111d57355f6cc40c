package pages

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"peernomic/app/frame"
	"peernomic/app/kit"
	"peernomic/app/view"
)

// Parameters of a vote that the composer fills in itself, by the names that rules give them.
const (
	paramIcon  = "icon"  // one icon
	paramIcons = "icons" // several, in their order
	paramSeen  = "seen"  // the fingerprint of the text that was read
)

// composer is a comment on a matter, with or without a vote, while it is being written.
type composer struct {
	p      *matterPage
	line   []string         // the icons, in their order
	text   string           // what is said
	began  string           // what the input of the text began with
	sent   int              // counts what was sent, for an input that begins anew
	typed  int              // counts changes, for a draft that waits for a pause
	rest   *kit.Form        // what else the vote may be given
	edits  int              // counts changes, so that a late answer is known as one
	effect *view.VoteEffect // what the vote would do, once the rules have said
}

// commentDraft is a composed comment as the device keeps it until it is sent.
type commentDraft struct {
	Text string
	Line []string
}

// draftKey keeps the drafts of different matters apart.
func (p *matterPage) draftKey() string { return "comment/" + p.id }

// newComposer begins with the draft that was kept, if there is one.
func newComposer(p *matterPage, kept string) *composer {
	c := &composer{p: p}
	if d := (commentDraft{}); frame.Recall(kept, &d) {
		c.text, c.began, c.line = d.Text, d.Text, d.Line
	}
	return c
}

// keep keeps the draft once the hand has rested, also if another page is open by then.
func (c *composer) keep() {
	c.typed++
	g, n := c.p.f.Game, c.typed
	c.p.f.Ctx.After(kit.TypingPause, func(app.Context) {
		if n == c.typed {
			c.store(g)
		}
	})
}

// store keeps the draft on the device; an empty one is dropped.
func (c *composer) store(g view.DraftKeeper) {
	var kept any
	if c.text != "" || len(c.line) > 0 {
		kept = commentDraft{c.text, c.line}
	}
	c.p.f.Keep(g, c.p.draftKey(), "The draft", kept)
}

// clear begins anew.
func (c *composer) clear() {
	c.line, c.effect, c.text, c.began = nil, nil, "", ""
	c.sent++
	c.edits++
	c.typed++ // what waits to be kept is not kept any more
}

// renew takes over the actions as they are now, keeping what was composed.
func (c *composer) renew() {
	v := c.p.view
	switch {
	case v.Vote == nil:
		c.rest = nil
	case c.rest == nil:
		c.rest = kit.NewForm(c.p.f, "vote", *v.Vote)
		c.rest.Changed = func() { c.touched(c.p.f.Ctx, 0) }
	default:
		c.rest.Renew(*v.Vote)
	}
	c.line = slices.DeleteFunc(c.line, func(word string) bool {
		return !slices.ContainsFunc(v.Icons, func(ic view.VoteIcon) bool { return ic.Word == word })
	})
}

// several returns the parameter that takes a line of icons, or nil if a vote is one icon.
func (c *composer) several() *view.Param {
	v := c.p.view.Vote
	if v == nil {
		return nil
	}
	if i := slices.IndexFunc(v.Params, func(p view.Param) bool { return p.Name == paramIcons && p.Kind == "several" }); i >= 0 {
		return &v.Params[i]
	}
	return nil
}

// others are the parameters that are neither the matter nor part of icons and words, and for which
// there is something to choose.
func (c *composer) others() []view.Param {
	var list []view.Param
	if v := c.p.view.Vote; v != nil {
		for _, q := range v.Params {
			if q.Name != paramIcon && q.Name != paramIcons && q.Name != paramSeen && q.Table != "posts" && len(q.Choices) > 0 {
				list = append(list, q)
			}
		}
	}
	return list
}

func (c *composer) render() app.UI {
	v := c.p.view
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
	label := "Comment"
	if len(c.line) > 0 {
		label = "Vote"
		if len(c.line) == 1 {
			label += " " + c.line[0]
		}
	}
	busy := c.p.f.Busy("comment")
	body := []app.UI{
		kit.When(len(v.Icons) > 0, c.icons),
		kit.Keyed("text-"+kit.Itoa(c.sent), kit.Field("comment-text", "What you say", "Markdown works.",
			app.Textarea().ID("comment-text").Rows(3).DataSet("test", "comment-text").Text(c.began).
				OnInput(func(ctx app.Context, _ app.Event) {
					c.text = ctx.JSSrc().Get("value").String()
					c.keep()
					c.touched(ctx, kit.TypingPause)
				}, c))),
	}
	if len(c.line) > 0 {
		body = append(body, kit.Each(c.others(), func(_ int, q view.Param) app.UI { return c.rest.Control(q) })...)
	}
	return app.Form().Class("composer", "form").DataSet("test", "composer").OnSubmit(c.onSubmit).Body(append(body,
		app.Div().Class("row").Body(
			app.Button().Type("submit").Class("btn", "btn-main").ID("comment-submit").Aria("busy", busy).DataSet("test", "comment-submit").
				Body(app.Span().Text(label))),
		c.statement())...)
}

func mineText(v *view.Matter) string {
	if v.Mine == "" {
		return "Your vote"
	}
	return "Your vote (now " + v.Mine + ")"
}

// icons lets choose one icon, or, where a vote may have several, set up a line of them.
func (c *composer) icons() app.UI {
	v := c.p.view
	if c.several() == nil || !v.Vote.Open {
		choices := append([]view.VoteIcon{{Title: "Only a comment", Glyph: "comment"}}, v.Icons...)
		return app.FieldSet().Class("icons").Body(
			app.Legend().Text(mineText(v)),
			app.Div().Class("icon-row").Body(kit.Each(choices, c.iconChoice)...))
	}
	// First the icons that are a vote by themselves.
	var list, more []view.VoteIcon
	for _, ic := range v.Icons {
		if ic.Reason == "" {
			list = append(list, ic)
		} else {
			more = append(more, ic)
		}
	}
	return app.FieldSet().Class("icons").Body(
		app.Legend().Text(mineText(v)),
		app.Div().Class("icon-row").Role("group").Aria("label", "Add an icon").Body(kit.Each(append(list, more...), c.iconButton)...),
		c.lineView())
}

func (c *composer) iconChoice(_ int, ic view.VoteIcon) app.UI {
	word := ic.Word
	var line []string
	if word != "" {
		line = []string{word}
	}
	return app.Label().Class("icon-choice", "vote-"+kit.Slug(word)).Title(ic.Reason).Body(
		app.Input().Type("radio").Name("icon").Checked(slices.Equal(c.line, line)).Disabled(ic.Reason != "").
			DataSet("test", "icon-"+cmp.Or(kit.Slug(word), "none")).
			OnChange(func(ctx app.Context, _ app.Event) { c.set(ctx, line) }, word),
		app.Span().Class("icon-face").Body(kit.Icon(ic.Glyph), app.Span().Text(cmp.Or(ic.Title, word))))
}

// iconButton puts one more icon at the end of the line.
func (c *composer) iconButton(_ int, ic view.VoteIcon) app.UI {
	several := c.several()
	word := ic.Word
	b := app.Button().Type("button").Class("icon-face", "icon-add", "vote-"+kit.Slug(word)).ID("icon-"+kit.Slug(word)).
		Aria("label", "Add "+cmp.Or(ic.Title, word)).DataSet("test", "icon-"+kit.Slug(word)).
		Disabled(several.MaxLen > 0 && len(c.line) >= several.MaxLen).
		OnClick(func(ctx app.Context, _ app.Event) { c.set(ctx, append(slices.Clone(c.line), word)) }, word).
		OnKeyDown(c.onKey).
		Body(kit.Icon(ic.Glyph), app.Span().Text(cmp.Or(ic.Title, word)))
	if ic.Reason != "" {
		b = b.Class("icon-more")
	}
	return b
}

// lineView is the icons that were tapped, in their order. A tap takes one out, Backspace the last.
func (c *composer) lineView() app.UI {
	v := c.p.view
	if len(c.line) == 0 {
		return app.P().Class("help").Text("Tap an icon to vote, or several in their order. Without one it is only a comment.")
	}
	return app.Ol().Class("vote-line").Aria("label", "Icons of your vote, in their order").DataSet("test", "vote-line").Body(kit.Each(c.line, func(at int, word string) app.UI {
		i := slices.IndexFunc(v.Icons, func(ic view.VoteIcon) bool { return ic.Word == word })
		ic := v.Icons[i]
		return app.Li().Body(app.Button().Type("button").ID("line-"+kit.Itoa(at)).Class("vote-icon", "vote-"+kit.Slug(word)).
			Title(cmp.Or(ic.Title, word)+": take it out").Aria("label", cmp.Or(ic.Title, word)+", "+kit.Itoa(at+1)+" of "+kit.Itoa(len(c.line))+": take it out").
			OnClick(func(ctx app.Context, _ app.Event) { c.takeOut(ctx, at) }, at).
			OnKeyDown(c.onKey).Body(kit.Icon(ic.Glyph)))
	})...)
}

func (c *composer) onKey(ctx app.Context, e app.Event) {
	if key := e.Get("key").String(); (key == "Backspace" || key == "Delete") && len(c.line) > 0 {
		e.PreventDefault()
		c.takeOut(ctx, len(c.line)-1)
	}
}

// takeOut removes one icon from the line; the keyboard goes to the one before, or to the first to add.
func (c *composer) takeOut(ctx app.Context, at int) {
	if at >= len(c.line) {
		return // tapped once more before it was drawn
	}
	c.set(ctx, slices.Delete(slices.Clone(c.line), at, at+1))
	to := "line-" + kit.Itoa(max(at-1, 0))
	if len(c.line) == 0 {
		to = "icon-" + kit.Slug(c.p.view.Icons[0].Word)
	}
	kit.Focus(ctx, to)
}

func (c *composer) set(ctx app.Context, line []string) {
	c.line = line
	c.keep()
	c.touched(ctx, 0)
}

// statement says what the vote would count as, by the rules' own account.
func (c *composer) statement() app.UI {
	if len(c.line) == 0 {
		return nil
	}
	body := app.Div().Class("vote-effect").DataSet("test", "vote-effect").Aria("live", "polite")
	switch {
	case c.effect == nil:
		return body.Body(app.P().Class("quiet").Text("The rules are asked what this counts as."))
	case c.effect.Refused != "":
		return body.Body(kit.Note("bad", "This would not be taken: "+c.effect.Refused+"."))
	}
	return body.Body(app.P().Body(kit.Each(c.effect.Says, func(i int, s string) app.UI {
		if i == 0 {
			return app.Strong().Text(s + " ")
		}
		return app.Span().Text(s + " ")
	})...))
}

// touched asks the rules again what the vote would count as, once the keyboard has rested.
func (c *composer) touched(ctx app.Context, rest time.Duration) {
	c.edits++
	n := c.edits
	if len(c.line) == 0 {
		c.effect = nil
		return
	}
	ask := func(ctx app.Context) {
		if n == c.edits && c.p.f.Page == frame.Page(c.p) {
			c.ask(ctx)
		}
	}
	if rest == 0 {
		ask(ctx)
		return
	}
	ctx.After(rest, ask)
}

func (c *composer) ask(ctx app.Context) {
	g, life, n := c.p.f.Game, c.p.f.Life, c.edits
	a, args, ok := c.draft()
	if g == nil || !ok {
		return
	}
	id := c.p.view.ID
	ctx.Async(func() {
		effect, err := g.VoteEffect(life, id, a.Name, args)
		ctx.Dispatch(func(app.Context) {
			if n != c.edits {
				return
			}
			if c.effect = effect; err != nil {
				c.effect = &view.VoteEffect{Says: []string{"What it would count as cannot be told: " + err.Error() + "."}}
			}
		})
	})
}

// draft is the action that the composer would take, and reports whether there is one.
func (c *composer) draft() (a *view.Action, args map[string]any, ok bool) {
	v := c.p.view
	text := strings.TrimSpace(c.text)
	a = v.Reply
	if len(c.line) > 0 && v.Vote != nil || a == nil {
		a = v.Vote
	}
	if a == nil || len(c.line) == 0 && text == "" {
		return nil, nil, false
	}
	args = map[string]any{}
	one := len(c.line) == 1 && !slices.ContainsFunc(v.Icons, func(ic view.VoteIcon) bool { return ic.Word == c.line[0] && ic.Reason != "" })
	for _, q := range a.Params {
		switch {
		case q.Name == kit.PostParam(*a):
			args[q.Name] = v.ID
		case q.Name == paramSeen:
			args[q.Name] = v.Fingerprint
		case q.Name == paramIcons && q.Kind == "several":
			if len(c.line) > 0 && !one {
				line := make([]any, len(c.line))
				for i, word := range c.line {
					line[i] = word
				}
				args[q.Name] = line
			}
		case q.Kind == "icon" || q.Name == paramIcon:
			if one {
				args[q.Name] = c.line[0]
			}
		case kit.Chosen(q):
			if slices.ContainsFunc(c.others(), func(o view.Param) bool { return o.Name == q.Name }) {
				if value, problem := kit.ReadParam(q, c.rest.Typed[q.Name]); problem == "" && value != nil {
					args[q.Name] = value
				}
			}
		case q.Kind == "prose" || q.Kind == "text":
			if text != "" || !q.Optional {
				args[q.Name] = text
			}
		}
	}
	return a, args, true
}

func (c *composer) onSubmit(ctx app.Context, e app.Event) {
	e.PreventDefault()
	a, args, ok := c.draft()
	if !ok {
		c.p.f.Say("bad", "There is nothing to send yet: choose a vote or write something.")
		return
	}
	title := "Your comment"
	if len(c.line) > 0 {
		title = "Your vote " + strings.Join(c.line, " ")
	}
	g := c.p.f.Game
	c.p.f.Act("comment", title, a.Name, args, func(ctx app.Context, _ *view.Result) {
		c.clear()
		c.store(g)
		// The page may have been left while it was sent, and opened again with the draft.
		if p, ok := c.p.f.Page.(*matterPage); ok && p != c.p && p.id == c.p.id && p.composer != nil {
			p.composer.clear()
		}
		kit.Focus(ctx, "comment-submit")
	})
}
