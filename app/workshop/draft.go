package workshop

import (
	"net/url"
	"slices"
	"strconv"

	"peernomic/app/frame"
	"peernomic/app/kit"
	"peernomic/app/view"
)

// draft is what a proposal holds before it is made. It is kept on the device.
type draft struct {
	Action, Title, Body string
	Changes             []*change
	Next                int
}

// draftKey keeps drafts of different beginnings apart.
func (p *Page) draftKey() string { return "propose?" + p.addr.Query.Encode() }

// lacking says what an address begins a proposal with that the game does not have.
func lacking(v *view.Workshop, q url.Values) error {
	for _, key := range []string{"rule", "under"} {
		title := q.Get(key)
		if _, ok := findRule(v, title); title != "" && !ok {
			return view.NoSuch{What: "rule", ID: title}
		}
	}
	if kind := q.Get("kind"); kind != "" && !slices.ContainsFunc(v.Propose, func(a view.Action) bool { return a.Name == kind }) {
		return view.NoSuch{What: "action", ID: kind}
	}
	if id := q.Get("edit"); id != "" && !slices.ContainsFunc(v.Edits, func(e view.PostEdit) bool { return kit.Itoa(e.Post) == id }) {
		return view.NoSuch{What: "post to alter", ID: id}
	}
	name := q.Get("table")
	if name == "" {
		return nil
	}
	i := slices.IndexFunc(v.Tables, func(t view.Table) bool { return t.Name == name })
	if i < 0 {
		return view.NoSuch{What: "table", ID: name}
	}
	if row := q.Get("row"); row != "" && !slices.ContainsFunc(v.Tables[i].Rows, func(x view.Row) bool { return kit.Itoa(x.ID) == row }) {
		return view.NoSuch{What: "row", ID: row}
	}
	return nil
}

// begin starts from the kept draft, or from what the address asks for.
func (p *Page) begin(kept string) {
	d := draft{}
	if frame.Recall(kept, &d) {
		p.draft = d
		for _, c := range d.Changes {
			c.begin()
			if c.Kind == "measure" {
				p.measureForm(c)
			}
		}
	}
	q := p.addr.Query
	if e := p.editing(); e != nil && kept == "" {
		p.draft.Title, p.draft.Body, p.draft.Action = e.Title, e.Body, e.Action.Name
		for i := range e.Amendments {
			p.add(changeOf(p.view, e, i))
		}
	}
	p.began = p.draft
	if len(p.draft.Changes) == 0 {
		switch {
		case q.Get("rule") != "":
			if s, ok := findRule(p.view, q.Get("rule")); ok {
				p.add(amendChange(s))
			}
		case q.Get("table") != "":
			row, _ := strconv.ParseInt(q.Get("row"), 10, 64)
			p.add(&change{Kind: "set", Table: q.Get("table"), Row: row, Column: q.Get("column")})
		case q.Get("under") != "":
			s, _ := findRule(p.view, q.Get("under"))
			p.add(p.blank(s))
		}
	}
	if p.draft.Action == "" {
		p.draft.Action = p.kind()
	}
	p.pickAction(p.draft.Action)
}

// kind is the action that the address asks for; else the first that is open.
func (p *Page) kind() string {
	list := p.view.Propose
	if i := slices.IndexFunc(list, func(a view.Action) bool { return a.Name == p.addr.Query.Get("kind") }); i >= 0 {
		return list[i].Name
	}
	if i := slices.IndexFunc(list, func(a view.Action) bool { return a.Open }); i >= 0 {
		return list[i].Name
	}
	if len(list) > 0 {
		return list[0].Name
	}
	return ""
}

// editing is the post that is altered rather than made, or nil.
func (p *Page) editing() *view.PostEdit {
	id, _ := strconv.ParseInt(p.addr.Query.Get("edit"), 10, 64)
	for i := range p.view.Edits {
		if p.view.Edits[i].Post == id {
			return &p.view.Edits[i]
		}
	}
	return nil
}

// findRule finds a rule by its title, as it is written or as it is read.
func findRule(v *view.Workshop, title string) (view.RuleSource, bool) {
	i := slices.IndexFunc(v.Rules, func(s view.RuleSource) bool { return s.Title == title || s.Name == title })
	if i < 0 {
		return view.RuleSource{Section: 2}, false
	}
	return v.Rules[i], true
}

// blank is a new rule after another.
func (p *Page) blank(after view.RuleSource) *change {
	c := &change{Kind: "enact", Section: max(after.Section, 1), Rule: after.Title, Under: ruleAbove(p.view, after)}
	c.setDocument(newRuleText)
	return c
}

// add puts a change at the end of the draft.
func (p *Page) add(c *change) {
	p.draft.Next++
	c.N = p.draft.Next
	c.begin()
	p.draft.Changes = append(p.draft.Changes, c)
	p.checked = false
}

// action is what the draft will be sent by, or nil if the rules in force have no such action.
func (p *Page) action() *view.Action {
	if p.repairs() {
		return &repairAction
	}
	if e := p.editing(); e != nil {
		return &e.Action
	}
	for i := range p.view.Propose {
		if p.view.Propose[i].Name == p.draft.Action {
			return &p.view.Propose[i]
		}
	}
	return nil
}

// pickAction chooses what kind of matter is made, and keeps a form for what else it
// asks for.
func (p *Page) pickAction(name string) {
	p.draft.Action = name
	a := p.action()
	if a == nil {
		p.form = nil
		return
	}
	p.form = kit.NewForm(p.f, "propose-more", *a)
	p.form.Fixed = map[string]any{}
	if e := p.editing(); e != nil {
		p.form.Fixed[kit.PostParam(*a)] = e.Post
	}
	for _, q := range a.Params {
		if q.Kind == "amendments" || q.Name == kit.TitleParam(*a) || q.Name == kit.BodyParam(*a) {
			p.form.Fixed[q.Name] = nil
		}
	}
}
