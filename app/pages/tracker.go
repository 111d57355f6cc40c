package pages

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"peernomic/app/frame"
	"peernomic/app/kit"
	"peernomic/app/view"
	"peernomic/app/workshop"
)

// trackerPage shows the tables of the gamestate and the log of what changed them.
type trackerPage struct {
	f      *frame.Frame
	table  string
	view   *view.Tracker
	sort   string
	down   bool
	edit   *cellEdit
	hidden map[string][]string // columns that are not shown, by table; kept on the device
	logEnd int
}

// cellEdit is a value being edited by hand.
type cellEdit struct {
	table, column  string
	row            int64
	value, comment string
	before         string // what the value was
	wrong          string
}

const logStep = 30

func (p *trackerPage) Title() string { return "Tracker" }

func (p *trackerPage) Load(ctx context.Context, g view.Game) (func(), error) {
	v, err := g.Tracker(ctx)
	if err != nil {
		return nil, err
	}
	if p.table != "" && !slices.ContainsFunc(v.Tables, func(t view.Table) bool { return t.Name == p.table }) && p.view == nil {
		return nil, view.ErrNone
	}
	kept, err := g.Draft(ctx, hiddenKey)
	return func() {
		p.view = v
		if p.hidden == nil {
			p.hidden = map[string][]string{}
			frame.Recall(kept, &p.hidden) // nothing is kept at first
		}
		if p.logEnd == 0 {
			p.logEnd = logStep
		}
		if p.table == "" && len(v.Tables) > 0 {
			p.table = v.Tables[0].Name
		}
	}, err
}

func (p *trackerPage) current() *view.Table {
	for i := range p.view.Tables {
		if p.view.Tables[i].Name == p.table {
			return &p.view.Tables[i]
		}
	}
	return nil
}

func (p *trackerPage) Render() app.UI {
	v := p.view
	body := []app.UI{kit.Heading("Tracker")}
	if len(v.Tables) > 1 {
		body = append(body, app.Nav().Class("filters").Aria("label", "Tables").Body(kit.Each(v.Tables, func(_ int, t view.Table) app.UI {
			a := app.A().Class("filter").Href(p.f.Path("tracker", t.Name)).DataSet("test", "table-"+kit.Slug(t.Name)).
				Body(app.Text(t.Title+" "), app.Span().Class("quiet").Text(kit.Itoa(len(t.Rows))))
			if t.Name == p.table {
				a = a.Aria("current", "page")
			}
			return a
		})...))
	}
	if t := p.current(); t != nil {
		body = append(body, p.tableView(t))
	} else {
		body = append(body, kit.Empty("There is no such table now."))
	}
	if len(v.Variables) > 0 {
		body = append(body, app.Section().Body(app.H2().Text("Of the whole game"),
			app.Dl().Class("facts").Body(kit.Each(v.Variables, func(_ int, x view.Variable) app.UI {
				return app.Div().DataSet("test", "variable-"+kit.Slug(x.Name)).Body(
					app.Dt().Title(x.Doc).Text(x.Title), app.Dd().Text(kit.OrDash(x.Text)))
			})...)))
	}
	body = append(body, p.log())
	return app.Div().Class("tracker").Body(body...)
}

func (p *trackerPage) tableView(t *view.Table) app.UI {
	if len(t.Rows) == 0 {
		return kit.Empty("No " + t.One + " yet.")
	}
	rows := p.sorted(t)
	head := []app.UI{app.Th().Scope("col").Class("sticky").Body(p.sortButton("", t.One))}
	for _, c := range t.Columns {
		if p.hides(t, c.Name) {
			continue
		}
		th := app.Th().Scope("col").Aria("sort", p.sortState(c.Name)).Body(p.sortButton(c.Name, c.Title))
		if c.Kind == "integer" || c.Kind == "decimal" {
			th = th.Class("num")
		}
		head = append(head, th)
	}
	var trs []app.UI
	for _, row := range rows {
		tr := app.Tr().DataSet("test", "row-"+kit.Itoa(row.ID)).DataSet("label", row.Label)
		if row.Mine {
			tr = tr.Class("mine")
		}
		cells := []app.UI{kit.Alone(app.Th().Scope("row").Class("sticky"), row.Label)}
		for i, c := range t.Columns {
			if i < len(row.Cells) && !p.hides(t, c.Name) {
				cells = append(cells, p.cell(t, row, c, row.Cells[i]))
			}
		}
		trs = append(trs, tr.Body(cells...))
		if e := p.edit; e != nil && e.table == t.Name && e.row == row.ID {
			trs = append(trs, app.Tr().Class("edit-row").Body(app.Td().ColSpan(len(t.Columns)+1).Body(p.editor(t, row))))
		}
	}
	hint := "Sort by a heading."
	if p.view.Edit != nil && p.view.Edit.Open {
		hint += " Press a value to set it by hand."
	}
	return kit.Keyed("table-"+t.Name, app.Div().Class("table-wrap").TabIndex(0).Role("region").Aria("label", t.Title).Body(
		app.Table().Class("table", "tracker-table").DataSet("test", "tracker-"+kit.Slug(t.Name)).Body(
			app.Caption().Class("unseen").Text(t.Title),
			app.THead().Body(app.Tr().Body(head...)),
			app.TBody().Body(trs...))),
		p.news(t),
		app.P().Class("quiet", "table-hint").Text(hint),
		p.columnPicker(t))
}

func (p *trackerPage) sorted(t *view.Table) []view.Row {
	rows := slices.Clone(t.Rows)
	at := slices.IndexFunc(t.Columns, func(c view.Column) bool { return c.Name == p.sort })
	if p.sort == "" && !p.down || at < 0 && p.sort != "" {
		return rows
	}
	slices.SortStableFunc(rows, func(a, b view.Row) int {
		var n int
		switch {
		case p.sort == "":
			n = cmp.Compare(a.Label, b.Label)
		case at < len(a.Cells) && at < len(b.Cells):
			x, y := a.Cells[at], b.Cells[at]
			if x.Numeric && y.Numeric {
				n = cmp.Compare(x.Number, y.Number)
			} else {
				n = cmp.Compare(x.Text, y.Text)
			}
		}
		if p.down {
			n = -n
		}
		return n
	})
	return rows
}

func (p *trackerPage) sortState(name string) string {
	switch {
	case p.sort != name:
		return "none"
	case p.down:
		return "descending"
	}
	return "ascending"
}

func (p *trackerPage) sortButton(name, title string) app.UI {
	glyph := ""
	if p.sort == name && (name != "" || p.down) {
		glyph = "up"
		if p.down {
			glyph = "fall"
		}
	}
	body := []app.UI{app.Span().Text(title)}
	if glyph != "" {
		body = append(body, kit.Icon(glyph))
	}
	return app.Button().Type("button").Class("sort").OnClick(func(app.Context, app.Event) {
		if p.sort == name {
			p.down = !p.down
		} else {
			p.sort, p.down = name, name != ""
		}
	}, name).Body(body...)
}

func (p *trackerPage) cell(t *view.Table, row view.Row, c view.Column, v view.Cell) app.UI {
	td := app.Td().DataSet("test", "cell-"+kit.Slug(t.Name)+"-"+kit.Itoa(row.ID)+"-"+kit.Slug(c.Name)).DataSet("value", v.Text)
	if v.Numeric {
		td = td.Class("num")
	}
	if v.Changed {
		td = td.Class("changed").Title("Changed since your last visit")
	}
	if v.Tentative {
		td = td.Class("tentative").Title("Tentative: waits for its place in the game's order")
	}
	if !c.Edit || p.view.Edit == nil || !p.view.Edit.Open {
		return kit.Alone(td, kit.OrDash(v.Text))
	}
	table, id, column, raw := t.Name, row.ID, c.Name, v.Raw
	return td.Body(app.Button().Type("button").Class("cell").ID(cellID(table, id, column)).
		Aria("label", row.Label+", "+c.Title+": "+cmp.Or(v.Text, "empty")+". Edit").
		OnClick(func(ctx app.Context, _ app.Event) {
			p.edit = &cellEdit{table: table, row: id, column: column, value: raw, before: raw}
			p.f.ClearMessages()
			kit.Focus(ctx, "edit-value")
		}, table, id, column, raw).Attr("dir", "auto").Text(kit.OrDash(v.Text)))
}

// editor sets one value by hand, with a comment in which dice words are rolled.
func (p *trackerPage) editor(t *view.Table, row view.Row) app.UI {
	e := p.edit
	at := slices.IndexFunc(t.Columns, func(c view.Column) bool { return c.Name == e.column })
	if at < 0 {
		return app.P().Text("This column is gone.")
	}
	c := t.Columns[at]
	help := kit.RangeText(c.Min, c.Max)
	if help == "" {
		help = c.Doc
	}
	var control app.UI
	set := func(ctx app.Context, _ app.Event) {
		e.value = ctx.JSSrc().Get("value").String()
	}
	key := t.Name + "-" + kit.Itoa(row.ID) + "-" + c.Name
	switch {
	case c.Kind == "flag":
		control = app.Select().ID("edit-value").OnChange(set, key).Body(
			app.Option().Value("yes").Selected(e.value == "yes").Text("yes"),
			app.Option().Value("").Selected(e.value != "yes").Text("no"))
	case len(c.Choices) > 0:
		control = app.Select().ID("edit-value").OnChange(set, key).Body(kit.Each(c.Choices, func(i int, ch view.Choice) app.UI {
			v := strconv.Itoa(i)
			return app.Option().Value(v).Selected(e.value == v).Text(ch.Label)
		})...)
	default:
		in := app.Input().ID("edit-value").Type("text").Value(e.value).OnInput(set, key)
		if c.Kind == "integer" {
			in = in.Type("number").Step(1)
		}
		control = in
	}
	return kit.Keyed("edit-"+key, app.Form().Class("form", "edit-form").DataSet("test", "edit-form").OnSubmit(p.onSave).
		OnKeyDown(func(_ app.Context, ev app.Event) {
			if ev.Get("key").String() == "Escape" {
				p.shut()
			}
		}).Body(
		app.P().Class("edit-what").Body(kit.Alone(app.Strong(), row.Label), app.Text(" · "+c.Title)),
		app.Div().Class("edit-fields").Body(
			kit.Field("edit-value", "New value", help, control),
			kit.Bounded("edit-comment", "Comment for the log", diceHelp(p.view.DiceWords), e.comment, kit.Param(*p.view.Edit, "comment").MaxLen,
				app.Input().ID("edit-comment").Type("text").DataSet("test", "edit-comment").
					OnInput(func(ctx app.Context, _ app.Event) {
						e.comment = ctx.JSSrc().Get("value").String()
					}, key))),
		kit.When(e.wrong != "", func() app.UI { return app.P().Class("wrong").Role("alert").Text(e.wrong) }),
		app.Div().Class("row").Body(
			app.Button().Type("submit").Class("btn", "btn-main").Aria("busy", p.f.Busy("edit")).DataSet("test", "edit-save").
				Body(app.Span().Text("Set it")),
			kit.Button("Cancel", func(app.Context, app.Event) { p.shut() }).Class("btn-quiet"),
			kit.When(p.f.Shell.CanPropose, func() app.UI {
				return app.A().Class("btn", "btn-quiet").Href(workshop.SetPath(p.f.Address.Room, e.table, row.ID, e.column)).DataSet("test", "edit-propose").
					Body(kit.Icon("pen"), app.Span().Text("Propose it instead"))
			}))))
}

func diceHelp(words []string) string {
	if len(words) == 0 {
		return ""
	}
	return "Dice words in it are rolled: " + kit.Names(words) + "."
}

func (p *trackerPage) onSave(_ app.Context, ev app.Event) {
	ev.PreventDefault()
	e, t := p.edit, p.current()
	if e == nil || t == nil || p.view.Edit == nil {
		return
	}
	at := slices.IndexFunc(t.Columns, func(c view.Column) bool { return c.Name == e.column })
	if at < 0 {
		return
	}
	c := t.Columns[at]
	v, wrong := kit.ReadParam(view.Param{Kind: c.Kind, Choices: c.Choices, Min: c.Min, Max: c.Max, Optional: true}, e.value)
	if wrong != "" {
		e.wrong = wrong
		return
	}
	if v == nil && (c.Kind == "text" || c.Kind == "prose") {
		v = ""
	}
	if p.f.TooLong("edit-comment", e.comment, kit.Param(*p.view.Edit, "comment").MaxLen) {
		return
	}
	title := c.Title + " by hand"
	if e.value == e.before {
		if strings.TrimSpace(e.comment) == "" {
			e.wrong = "Nothing would change: this is what it is now."
			return
		}
		title = "Comment in the log (" + c.Title + " stays as it is)"
	}
	args := map[string]any{"table": e.table, "row": e.row, "column": e.column, "value": v, "comment": e.comment}
	p.f.Act("edit", title, p.view.Edit.Name, args, func(app.Context, *view.Result) { p.shut() })
}

// cellID names the button of a value on the page.
func cellID(table string, row int64, column string) string {
	return "c-" + kit.Slug(table) + "-" + kit.Itoa(row) + "-" + kit.Slug(column)
}

// shut closes the editor; the keyboard goes back to the value.
func (p *trackerPage) shut() {
	if e := p.edit; e != nil {
		p.f.Focus(cellID(e.table, e.row, e.column))
	}
	p.edit = nil
}
