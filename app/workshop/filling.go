package workshop

import (
	"slices"
	"strconv"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"peernomic/app/kit"
	"peernomic/app/view"
)

// filling is a template whose form is being filled in.
type filling struct {
	template
	form *kit.Form
}

// templateButtons begin a change by a form instead of by an empty editor.
func (p *Page) templateButtons() app.UI {
	buttons := kit.Each(templates, func(_ int, t template) app.UI {
		return kit.IconButton(t.glyph, t.label, func(app.Context, app.Event) { p.fill(t) }, t.name).
			Aria("expanded", p.filling != nil && p.filling.name == t.name).DataSet("test", "template-"+t.name)
	})
	return app.Div().Class("row", "adders").Body(append([]app.UI{app.Span().Class("quiet").Text("By a form:")}, buttons...)...)
}

// fill opens the form of a template, or closes it again.
func (p *Page) fill(t template) {
	if p.filling != nil && p.filling.name == t.name {
		p.filling = nil
		return
	}
	f := &filling{template: t}
	f.form = kit.NewForm(p.f, "template-"+t.name, view.Action{Name: t.name, Params: t.params(p.view, func(string) any { return nil })})
	f.form.Changed = func() { f.form.Renew(view.Action{Name: t.name, Params: t.params(p.view, f.typed)}) }
	p.filling = f
	p.f.ClearMessages()
}

// typed is what has been chosen in the form so far, or nil.
func (f *filling) typed(name string) any {
	i := slices.IndexFunc(f.form.Action.Params, func(q view.Param) bool { return q.Name == name })
	if i < 0 {
		return nil
	}
	q := f.form.Action.Params[i]
	k, err := strconv.Atoi(f.form.Typed[name])
	if err != nil || k < 0 || k >= len(q.Choices) {
		return nil
	}
	return q.Choices[k].Value
}

// fillingView is the form; what it writes can be edited like everything else.
func (p *Page) fillingView() app.UI {
	f := p.filling
	if f == nil {
		return nil
	}
	return kit.Keyed("filling-"+f.name+"-"+kit.Itoa(f.form.Turn), app.Div().Class("change", "form").DataSet("test", "filling-"+f.name).Body(
		app.H3().Text(f.label),
		app.P().Class("help").Text(f.help),
		app.Div().Class("form").Body(kit.Each(f.form.Action.Params, func(_ int, q view.Param) app.UI { return f.form.Control(q) })...),
		app.Div().Class("row").Body(
			kit.Button("Write it", p.onWrite).Class("btn-main").DataSet("test", "template-write"),
			kit.Button("Cancel", func(app.Context, app.Event) { p.filling = nil }).Class("btn-quiet"))))
}

func (p *Page) onWrite(app.Context, app.Event) {
	f := p.filling
	args, ok := f.form.Args()
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
		p.draft.Title = kit.DocumentTitle(c.document())
		kit.SetValue("propose-title", p.draft.Title)
	}
	p.f.Focus(c.firstInput())
	p.touched()
}
