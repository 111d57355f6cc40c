package live

import (
	"cmp"
	"slices"
	"strconv"

	"peernomic/app/view"
	"peernomic/engine/rules"
)

func (l *lens) book() *view.Book {
	v := &view.Book{}
	for _, s := range l.w.Rules() {
		section := view.Section{Number: strconv.Itoa(s.Number), Title: s.Title}
		for _, r := range s.Rules {
			section.Rules = append(section.Rules, l.ruleLine(r))
		}
		v.Sections = append(v.Sections, section)
	}
	return v
}

func (l *lens) ruleLine(r rules.RuleView) view.RuleLine {
	line := view.RuleLine{Number: r.Number, Title: r.Title, Depth: r.Depth, Tentative: l.mark(rulesTable, r.ID)}
	if n := len(r.Revisions); n > 0 {
		line.Amended = r.Revisions[n-1].Time
	}
	return line
}

// ruleView is one rule, found by its title as it is shown.
func (l *lens) ruleView(title string) (*view.Rule, error) {
	var flat []rules.RuleView
	section := map[int64]string{}
	for _, s := range l.w.Rules() {
		section[s.ID] = strconv.Itoa(s.Number) + ". " + s.Title
		flat = append(flat, s.Rules...)
	}
	i := slices.IndexFunc(flat, func(r rules.RuleView) bool { return r.Title == title || r.Heading == title })
	if i < 0 {
		return nil, view.ErrNone
	}
	r := flat[i]
	v := &view.Rule{Number: r.Number, Title: r.Title, Section: section[r.Section], Prose: r.Prose, Script: r.Script, Makes: r.Declares}
	if i > 0 {
		v.Previous = flat[i-1].Title
	}
	if i+1 < len(flat) {
		v.Next = flat[i+1].Title
	}
	for _, s := range flat {
		if s.Parent == r.ID {
			v.Subrules = append(v.Subrules, l.ruleLine(s))
		}
	}
	for _, a := range l.acts() {
		if a.Rule == r.Heading || a.Rule == r.Title {
			v.Actions = append(v.Actions, cmp.Or(a.Title, a.Name))
		}
	}
	v.History = l.history(r)
	return v, nil
}

// history is the texts of a rule, newest first. A revision holds what the rule said
// before it.
func (l *lens) history(r rules.RuleView) []view.Revision {
	if len(r.Revisions) == 0 {
		return nil
	}
	var out []view.Revision
	for i := len(r.Revisions) - 1; i >= 0; i-- {
		rev := r.Revisions[i]
		text := r.Text
		if i+1 < len(r.Revisions) {
			text = r.Revisions[i+1].Text
		}
		h := view.Revision{Time: rev.Time, What: capital(cmp.Or(rev.Change, "amended")), Text: text}
		if e, ok := l.entry(rev.Entry); ok {
			h.Who = l.doer(e)
			if post, ok := e.Args["post"].(int64); ok {
				h.Matter, h.MatterTitle = post, l.w.Label(postsTable, post)
			}
		}
		out = append(out, h)
	}
	return append(out, view.Revision{What: "As founded", Time: 0, Text: r.Revisions[0].Text})
}

func (l *lens) entry(number int64) (rules.Entry, bool) {
	log := l.w.Log()
	if number < 1 || number > int64(len(log)) {
		return rules.Entry{}, false
	}
	return log[number-1], true
}

func (l *lens) pages(path func(string, ...string) string) *view.Pages {
	v := &view.Pages{}
	v.Boards = l.boardLinks(path)
	for _, p := range l.w.Pages() {
		v.Pages = append(v.Pages, view.RulePage{Name: p.Name, Title: cmp.Or(p.Title, p.Name), Body: p.Text, Rule: p.Rule})
	}
	return v
}

// workshop is what a proposal can be made from.
func (l *lens) workshop() *view.Workshop {
	v := &view.Workshop{Tables: l.tables(true)}
	for _, a := range l.makers() {
		v.Propose = append(v.Propose, actionView(a))
	}
	for _, p := range l.w.Posts() {
		a, mine := l.formOn("amend-proposal", p.ID)
		if !mine {
			continue
		}
		e := view.PostEdit{Post: p.ID, Title: p.Title, Body: p.Body, Action: actionView(*a), Amendments: p.Amendments}
		for _, m := range p.Amendments {
			e.Says = append(e.Says, l.amendment(m, "open").What)
		}
		v.Edits = append(v.Edits, e)
	}
	for i, s := range l.w.Rules() {
		for _, r := range s.Rules {
			v.Rules = append(v.Rules, view.RuleSource{Number: r.Number, Title: r.Heading, Name: r.Title, Fingerprint: r.Fingerprint, Text: r.Text, Section: i + 1})
		}
	}
	for _, key := range []string{"Player", "Head"} {
		if one := l.w.Word(key); one != key {
			v.Words = append(v.Words, view.Keyword{Key: key, One: one})
		}
	}
	for _, m := range l.w.Measures(l.me) {
		measure := view.Action{Name: m.Name, Title: m.Name, Help: m.Help, Rule: m.Rule, Open: true}
		for _, p := range m.Params {
			measure.Params = append(measure.Params, paramView(p))
		}
		v.Measures = append(v.Measures, measure)
	}
	return v
}
