package ui

import (
	"github.com/maxence-charriere/go-app/v9/pkg/app"
)

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
			app.Button().Type("submit").Class("btn", "btn-main").ID("comment-submit").Aria("busy", busy).DataSet("test", "comment-submit").
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
		focus(ctx, "comment-submit")
	})
}
