package pages

import (
	"slices"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"peernomic/app/kit"
	"peernomic/app/view"
)

// hiddenKey keeps which columns of the tracker are not shown.
const hiddenKey = "tracker: hidden columns"

// hides says whether a column is not shown.
func (p *trackerPage) hides(t *view.Table, column string) bool {
	return slices.Contains(p.hidden[t.Name], column)
}

// toggle shows a column or hides it.
func (p *trackerPage) toggle(table, column string) {
	if list := p.hidden[table]; slices.Contains(list, column) {
		p.hidden[table] = slices.DeleteFunc(slices.Clone(list), func(s string) bool { return s == column })
		return
	}
	p.hidden[table] = append(slices.Clone(p.hidden[table]), column)
}

// columnPicker chooses which columns are shown.
func (p *trackerPage) columnPicker(t *view.Table) app.UI {
	shown := len(t.Columns)
	for _, c := range t.Columns {
		if p.hides(t, c.Name) {
			shown--
		}
	}
	table := t.Name
	return app.Details().Class("columns").DataSet("test", "columns").Body(
		app.Summary().Text("Columns ("+kit.Itoa(shown)+" of "+kit.Itoa(len(t.Columns))+")"),
		app.Div().Class("column-list").Body(kit.Each(t.Columns, func(_ int, c view.Column) app.UI {
			name := c.Name
			return app.Label().Class("check").Body(
				app.Input().Type("checkbox").Checked(!p.hides(t, name)).DataSet("test", "column-"+kit.Slug(name)).
					OnChange(func(app.Context, app.Event) {
						p.toggle(table, name)
						p.keepColumns()
					}, table, name),
				app.Span().Text(c.Title))
		})...))
}

func (p *trackerPage) keepColumns() {
	if g := p.f.Game; g != nil {
		p.f.Keep(g, hiddenKey, "Which columns are shown", p.hidden)
	}
}

// news says how much of a table is new to the person, and what marks it.
func (p *trackerPage) news(t *view.Table) app.UI {
	n := 0
	for _, r := range t.Rows {
		for i, c := range t.Columns {
			if i < len(r.Cells) && r.Cells[i].Changed && !p.hides(t, c.Name) {
				n++
			}
		}
	}
	if n == 0 {
		return nil
	}
	return app.P().Class("news").DataSet("test", "news").Body(app.Span().Class("news-mark").Text(kit.Plural(n, "value", "values")),
		app.Text(" changed since your last visit, "), kit.Moment(p.view.Since, p.f.Now()), app.Text("."))
}
