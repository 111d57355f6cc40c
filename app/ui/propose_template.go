package ui

import (
	"slices"
	"strconv"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"peernomic/app/view"
)

// filling is a template whose form is being filled in.
type filling struct {
	template
	form *form
}

// templateButtons begin a change by a form instead of by an empty editor.
func (p *proposePage) templateButtons() app.UI {
	buttons := each(templates, func(_ int, t template) app.UI {
		return iconButton(t.glyph, t.label, func(app.Context, app.Event) { p.fill(t) }, t.name).
			Aria("expanded", p.filling != nil && p.filling.name == t.name).DataSet("test", "template-"+t.name)
	})
	return app.Div().Class("row", "adders").Body(append([]app.UI{app.Span().Class("quiet").Text("By a form:")}, buttons...)...)
}

// fill opens the form of a template, or closes it again.
func (p *proposePage) fill(t template) {
	if p.filling != nil && p.filling.name == t.name {
		p.filling = nil
		return
	}
	f := &filling{template: t}
	f.form = newForm(p.f, "template-"+t.name, view.Action{Name: t.name, Params: t.params(p.view, func(string) any { return nil })})
	f.form.changed = func(app.Context) { f.form.renew(view.Action{Name: t.name, Params: t.params(p.view, f.typed)}) }
	p.filling = f
	p.f.Hush()
}

// typed is what has been chosen in the form so far, or nil.
func (f *filling) typed(name string) any {
	i := slices.IndexFunc(f.form.action.Params, func(q view.Param) bool { return q.Name == name })
	if i < 0 {
		return nil
	}
	q := f.form.action.Params[i]
	k, err := strconv.Atoi(f.form.typed[name])
	if err != nil || k < 0 || k >= len(q.Choices) {
		return nil
	}
	return q.Choices[k].Value
}

// fillingView is the form; what it writes can be edited like everything else.
func (p *proposePage) fillingView() app.UI {
	f := p.filling
	if f == nil {
		return nil
	}
	return keyed("filling-"+f.name+"-"+itoa(f.form.turn), app.Div().Class("change", "form").DataSet("test", "filling-"+f.name).Body(
		app.H3().Text(f.label),
		app.P().Class("help").Text(f.help),
		app.Div().Class("form").Body(each(f.form.action.Params, func(_ int, q view.Param) app.UI { return f.form.control(q) })...),
		app.Div().Class("row").Body(
			button("Write it", p.onWrite).Class("btn-main").DataSet("test", "template-write"),
			button("Cancel", func(app.Context, app.Event) { p.filling = nil }).Class("btn-quiet"))))
}

func (p *proposePage) onWrite(ctx app.Context, _ app.Event) {
	f := p.filling
	args, ok := f.form.args()
	if !ok {
		return
	}
	c := f.make(p.view, args)
	if c == nil {
		return
	}
	p.filling = nil
	p.add(c)
	if p.draft.Title == "" && c.Kind == "enact" {
		p.draft.Title = documentTitle(c.document())
		setValue("propose-title", p.draft.Title)
	}
	p.f.Focus(c.firstInput())
	p.touched(ctx)
}
