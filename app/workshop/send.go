package workshop

import (
	"cmp"
	"strings"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"peernomic/app/kit"
	"peernomic/app/view"
)

func (p *Page) onSubmit(ctx app.Context, _ app.Event) {
	a := p.action()
	if a == nil {
		return
	}
	list, complete := p.amendments()
	title := strings.TrimSpace(p.draft.Title)
	if title == "" {
		p.f.Say("bad", cmp.Or(kit.Param(*a, kit.TitleParam(*a)).Label, "Title")+": this cannot be empty, so that the others can speak of it.")
		p.f.Focus("propose-title")
		return
	}
	if q := kit.Param(*a, kit.TitleParam(*a)); p.f.TooLong("propose-title", title, q.MaxLen) {
		return
	}
	why := kit.Param(*a, kit.BodyParam(*a))
	if why.Name != "" && !why.Optional && strings.TrimSpace(p.draft.Body) == "" {
		p.f.Say("bad", cmp.Or(why.Label, "Text")+": this cannot be empty.")
		p.f.Focus("propose-body")
		return
	}
	if p.f.TooLong("propose-body", p.draft.Body, why.MaxLen) {
		return
	}
	if !complete {
		p.f.Say("bad", "Some changes are not complete yet; complete or remove them.")
		return
	}
	args, ok := p.form.Args()
	if !ok {
		return
	}
	for _, q := range a.Params {
		switch {
		case q.Kind == "amendments":
			if list == nil {
				list = []any{}
			}
			args[q.Name] = list
		case q.Name == kit.TitleParam(*a):
			args[q.Name] = title
		case q.Name == kit.BodyParam(*a):
			args[q.Name] = p.draft.Body
		}
	}
	if p.repairs() {
		if len(list) == 0 {
			p.f.Say("bad", "A repair has to change something.")
			return
		}
		p.f.Convene(view.Call{Kind: "repair", Why: title, Amendments: list}, func(ctx app.Context) {
			p.sent = true
			p.drop()
			ctx.Navigate(p.f.Path("convention"))
		})
		return
	}
	p.f.Act("propose", a.Title, a.Name, args, func(ctx app.Context, res *view.Result) {
		p.sent = true
		p.drop()
		post := res.NewPost
		if e := p.editing(); e != nil {
			post = e.Post
		}
		if post != 0 {
			ctx.Navigate(p.f.Path("matters", kit.Itoa(post)))
			return
		}
		ctx.Navigate(p.f.Path("matters"))
	})
}

func (p *Page) onDiscard(app.Context, app.Event) {
	p.drop()
	name := p.draft.Action
	p.draft = draft{Action: name}
	p.problems, p.checked = nil, false
	kit.SetValue("propose-title", "")
	kit.SetValue("propose-body", "")
	p.pickAction(name)
}
