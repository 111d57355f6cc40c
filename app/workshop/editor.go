package workshop

import (
	"slices"
	"strconv"
	"strings"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"peernomic/app/kit"
	"peernomic/app/view"
)

// changeView edits one change.
func (p *Page) changeView(_ int, c *change) app.UI {
	n := c.N
	body := []app.UI{app.Header().Class("change-head").Body(
		app.H3().Text(c.title()),
		kit.IconButton("bin", "Remove", func(app.Context, app.Event) { p.remove(n) }, n).Class("btn-quiet"))}
	switch c.Kind {
	case "amend", "repeal":
		if c.Rule == "" {
			body = append(body, p.rulePicker(c))
		}
	}
	switch c.Kind {
	case "amend":
		if c.Rule != "" {
			body = append(body, p.editor(c))
			if c.document() != c.Old {
				body = append(body, app.Details().Class("diff-fold").Open(true).Body(
					app.Summary().Text("What changes in the text"), p.f.Diff(c.Old, c.document())))
			}
		}
	case "enact":
		body = append(body, p.whereTo(c), p.editor(c))
	case "set":
		body = append(body, p.valuePicker(c))
	case "keyword":
		body = append(body, p.wordPicker(c))
	case "measure":
		body = append(body, p.measurePicker(c))
	}
	if c.wrong != "" {
		body = append(body, app.P().Class("quiet").Body(kit.Icon("wait"), app.Text(c.wrong)))
	}
	return kit.Keyed("change-"+kit.Itoa(n)+"-"+kit.Itoa(c.turn), app.Article().Class("change", "change-"+c.Kind).
		DataSet("test", "change-"+c.Kind).Body(body...))
}

func (p *Page) remove(n int) {
	p.draft.Changes = slices.DeleteFunc(p.draft.Changes, func(c *change) bool { return c.N == n })
	p.problems, p.checked = nil, false
	p.touched()
}

func (p *Page) rulePicker(c *change) app.UI {
	id := "rule-of-" + kit.Itoa(c.N)
	n := c.N
	return kit.Field(id, "Which rule", "", app.Select().ID(id).DataSet("test", "pick-rule").OnChange(func(ctx app.Context, _ app.Event) {
		title := ctx.JSSrc().Get("value").String()
		s, ok := findRule(p.view, title)
		if !ok {
			return
		}
		if c.Kind == "amend" {
			*c = *amendChange(s)
			c.N, c.turn = n, c.turn+1
		} else {
			c.Rule = title
		}
		p.touched()
	}, n).Body(append([]app.UI{app.Option().Value("").Text("choose…")},
		kit.Each(p.view.Rules, func(_ int, s view.RuleSource) app.UI {
			return app.Option().Value(s.Title).Text(ruleLabel(s))
		})...)...))
}

// whereTo says where a new rule goes.
func (p *Page) whereTo(c *change) app.UI {
	id := "after-" + kit.Itoa(c.N)
	options := []app.UI{app.Option().Value("").Selected(c.Rule == "" && c.Under == "").Text("at the end of section 2")}
	for i, s := range p.view.Rules {
		options = append(options, app.Option().Value("after "+kit.Itoa(i)).Selected(s.Title == c.Rule).Text("after "+ruleLabel(s)))
		if ruleAbove(p.view, s) == "" {
			options = append(options, app.Option().Value("below "+kit.Itoa(i)).Selected(c.Rule == "" && s.Title == c.Under).Text("below "+ruleLabel(s)))
		}
	}
	return kit.Field(id, "Where it stands", "After a rule, or as the last of those below one.", app.Select().ID(id).DataSet("test", "pick-after").OnChange(func(ctx app.Context, _ app.Event) {
		c.put(p.view, ctx.JSSrc().Get("value").String())
		p.touched()
	}, c.N).Body(options...))
}

// editor edits a rule document: prose beside script, or in one piece.
func (p *Page) editor(c *change) app.UI {
	n := c.N
	wrong := p.problemsOf(c)
	marks := map[int]bool{}
	for _, q := range wrong {
		marks[q.Line] = true
	}
	var parts []app.UI
	if c.AsWhole {
		parts = append(parts, p.pane(c, "whole", "The whole document", "Markdown, with the script in a ```starlark block.", &c.Whole, c.began.Whole, 1, marks))
	} else {
		first := kit.ScriptLine(c.Prose)
		parts = append(parts,
			p.pane(c, "prose", "Prose", "Begins with “# ” and the title.", &c.Prose, c.began.Prose, 1, marks),
			p.pane(c, "script", "Script", "What the rule does, in Starlark.", &c.Script, c.began.Script, first, marks))
	}
	label := "Edit as one document"
	if c.AsWhole {
		label = "Edit prose and script beside each other"
	}
	return app.Div().Class("editor").Body(
		app.Div().Class("panes").Body(parts...),
		kit.When(len(wrong) > 0, func() app.UI { return kit.Problems(wrong, "What the check says of this text:") }),
		app.P().Body(kit.Button(label, func(app.Context, app.Event) {
			if !c.switchView() {
				p.f.Say("note", "This document has text after its script or more than one script, so it stays in one piece.")
			}
		}, n).Class("btn-quiet").DataSet("test", "switch-editor")))
}

// problemsOf is what the check says of the document that a change edits.
func (p *Page) problemsOf(c *change) []view.Problem {
	var list []view.Problem
	for _, q := range p.problems {
		if c.edits() && (q.Rule == c.Rule && c.Kind == "amend" || q.Rule == kit.DocumentTitle(c.document())) {
			list = append(list, q)
		}
	}
	return list
}

// pane is one text of the editor with the line numbers of the document beside it.
func (p *Page) pane(c *change, kind, label, help string, s *string, initial string, first int, marks map[int]bool) app.UI {
	id := kind + "-" + kit.Itoa(c.N)
	lines := strings.Count(*s, "\n") + 1
	rows := max(lines+1, 8)
	area := app.Textarea().ID(id).Rows(rows).Wrap("off").Spellcheck(kind == "prose").Text(initial).
		DataSet("test", "edit-"+kind).Attr("autocapitalize", "off").OnInput(p.typed(s), id)
	if kind == "prose" {
		return app.Div().Class("pane", "pane-prose").Body(app.Label().For(id).Text(label),
			app.Div().Class("pane-body").Body(area.Wrap("soft")), app.P().Class("help").Text(help))
	}
	gutter := make([]app.UI, 0, lines)
	for i := range lines {
		l := first + i
		span := app.Span().Text(strconv.Itoa(l))
		if marks[l] {
			span = span.Class("marked").Title("The check complains about this line")
		}
		gutter = append(gutter, span)
	}
	return app.Div().Class("pane", "pane-"+kind).Body(app.Label().For(id).Text(label),
		app.Div().Class("pane-body").Body(app.Div().Class("gutter").Aria("hidden", "true").Body(gutter...), area),
		app.P().Class("help").Text(help))
}

// valuePicker chooses a value of the gamestate and what it becomes.
func (p *Page) valuePicker(c *change) app.UI {
	w := p.view
	pick := func(id, label, test string, h app.EventHandler, options []app.UI) app.UI {
		return kit.Field(id, label, "", app.Select().ID(id).DataSet("test", test).OnChange(h, id).Body(
			append([]app.UI{app.Option().Value("").Text("choose…")}, options...)...))
	}
	n := kit.Itoa(c.N)
	body := []app.UI{pick("table-"+n, "Table", "set-table", func(ctx app.Context, _ app.Event) {
		c.Table, c.Row, c.Column = ctx.JSSrc().Get("value").String(), 0, ""
		p.touched()
	}, kit.Each(w.Tables, func(_ int, t view.Table) app.UI {
		return app.Option().Value(t.Name).Selected(t.Name == c.Table).Text(t.Title)
	}))}
	i := slices.IndexFunc(w.Tables, func(t view.Table) bool { return t.Name == c.Table })
	if i >= 0 {
		t := w.Tables[i]
		body = append(body, pick("row-"+n, kit.Capital(t.One), "set-row", func(ctx app.Context, _ app.Event) {
			c.Row, _ = strconv.ParseInt(ctx.JSSrc().Get("value").String(), 10, 64)
			p.touched()
		}, kit.Each(t.Rows, func(_ int, r view.Row) app.UI {
			return app.Option().Value(kit.Itoa(r.ID)).Selected(r.ID == c.Row).Text(r.Label)
		})), pick("column-"+n, "Value", "set-column", func(ctx app.Context, _ app.Event) {
			c.Column = ctx.JSSrc().Get("value").String()
			p.touched()
		}, kit.Each(t.Columns, func(_ int, k view.Column) app.UI {
			return app.Option().Value(k.Name).Selected(k.Name == c.Column).Text(k.Title)
		})), p.newValue(t, c, n))
	}
	return app.Div().Class("pickers").Body(body...)
}

func (p *Page) newValue(t view.Table, c *change, n string) app.UI {
	id := "value-" + n
	j := slices.IndexFunc(t.Columns, func(k view.Column) bool { return k.Name == c.Column })
	if j >= 0 && len(t.Columns[j].Choices) > 0 {
		return kit.Field(id, "Becomes", "", app.Select().ID(id).DataSet("test", "set-value").OnChange(p.typed(&c.Value), id).Body(
			append([]app.UI{app.Option().Value("").Text("choose…")}, kit.Each(t.Columns[j].Choices, func(i int, ch view.Choice) app.UI {
				v := strconv.Itoa(i)
				return app.Option().Value(v).Selected(v == c.Value).Text(ch.Label)
			})...)...))
	}
	return kit.Field(id, "Becomes", "", app.Input().ID(id).Type("text").Value(c.began.Value).DataSet("test", "set-value").
		OnInput(p.typed(&c.Value), id))
}

// wordPicker changes one of the dynasty's words.
func (p *Page) wordPicker(c *change) app.UI {
	n := kit.Itoa(c.N)
	return app.Div().Class("pickers").Body(
		kit.Field("word-"+n, "Which word", "", app.Select().ID("word-"+n).OnChange(func(ctx app.Context, _ app.Event) {
			c.Rule = ctx.JSSrc().Get("value").String()
			p.touched()
		}, n).Body(append([]app.UI{app.Option().Value("").Text("choose…")}, kit.Each(p.view.Words, func(_ int, k view.Keyword) app.UI {
			return app.Option().Value(k.Key).Selected(k.Key == c.Rule).Text(k.Key + ": now " + k.One)
		})...)...)),
		kit.Field("one-"+n, "One of them is called", "", app.Input().ID("one-"+n).Type("text").Value(c.began.One).OnInput(p.typed(&c.One), n)),
		kit.Field("many-"+n, "Several are called", "", app.Input().ID("many-"+n).Type("text").Value(c.began.Many).OnInput(p.typed(&c.Many), n)))
}

// measurePicker chooses something that only proposals can do, and asks what it needs.
func (p *Page) measurePicker(c *change) app.UI {
	id := "measure-" + kit.Itoa(c.N)
	n := c.N
	body := []app.UI{kit.Field(id, "What", "", app.Select().ID(id).DataSet("test", "pick-measure").OnChange(func(ctx app.Context, _ app.Event) {
		c.Rule, c.Typed = ctx.JSSrc().Get("value").String(), nil
		p.measureForm(c)
		p.touched()
	}, n).Body(append([]app.UI{app.Option().Value("").Text("choose…")}, kit.Each(p.view.Measures, func(_ int, m view.Action) app.UI {
		return app.Option().Value(m.Name).Selected(m.Name == c.Rule).Text(m.Name)
	})...)...))}
	if c.form != nil {
		if c.form.Action.Help != "" {
			body = append(body, app.P().Class("help").Text(c.form.Action.Help))
		}
		for _, q := range c.form.Action.Params {
			body = append(body, c.form.Control(q))
		}
	}
	return app.Div().Class("form").Body(kit.Keyed("measure-"+c.Rule, body...))
}

// measureForm makes the form of the chosen measure, with what was typed before.
func (p *Page) measureForm(c *change) {
	c.form = nil
	i := slices.IndexFunc(p.view.Measures, func(m view.Action) bool { return m.Name == c.Rule })
	if i < 0 {
		return
	}
	c.form = kit.NewForm(p.f, "measure-"+kit.Itoa(c.N), p.view.Measures[i])
	for k, v := range c.Typed {
		c.form.Set(k, v)
	}
	c.Typed = c.form.Typed
	c.form.Changed = p.touched
}
