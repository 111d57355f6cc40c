package rules

import (
	"slices"
	"strings"

	"go.starlark.net/starlark"

	"peernomic/engine/rules/sandbox"
	"peernomic/engine/state"
)

// try runs fn in a transaction of its own that leaves nothing behind.
func (w *World) try(fn func(*run)) { w.tryOn(sandbox.NewMeter(sandbox.LookBudget), fn) }

func (w *World) tryOn(m *sandbox.Meter, fn func(*run)) {
	r := &run{w: w, time: w.now, readOnly: true, meter: m}
	mark := w.state.Mark()
	w.run = r
	fn(r)
	w.run = nil
	w.state.Revert(mark)
}

// PlayerView is a person.
type PlayerView struct {
	ID             int64
	Key            string // identity, hex
	Name, Standing string
	Joined, Acted  int64
}

// Players returns everybody who ever made themselves known, by id.
func (w *World) Players() []PlayerView {
	var out []PlayerView
	for _, id := range w.state.Rows(tablePlayers) {
		out = append(out, PlayerView{
			ID: id, Key: w.text(tablePlayers, id, "key"), Name: w.text(tablePlayers, id, "name"), Standing: w.text(tablePlayers, id, "standing"),
			Joined: w.int(tablePlayers, id, "joined"), Acted: w.int(tablePlayers, id, "acted"),
		})
	}
	return out
}

// PersonOf returns the id of the person with an identity (hex), or 0.
func (w *World) PersonOf(key string) int64 {
	return w.index(tablePlayers, func(id int64) bool { return w.text(tablePlayers, id, "key") == key })
}

// RowNamed returns the row of a table that people call by this name, or 0.
func (w *World) RowNamed(table, name string) int64 {
	want := casefold(name)
	return w.index(table, func(id int64) bool { return casefold(w.label(table, id)) == want })
}

// FindRow returns the first row of a table whose cells equal the values, or 0.
func (w *World) FindRow(table string, equal map[string]any) int64 {
	return w.index(table, func(id int64) bool {
		for name, want := range equal { // all must hold, in whatever order
			if got, ok := w.Cell(table, id, name); !ok || !state.Equal(got, want) {
				return false
			}
		}
		return true
	})
}

// Cell returns what a cell holds, derived ones included, and reports whether
// there is such a cell. Rows are given by their ids.
func (w *World) Cell(table string, id int64, name string) (state.Value, bool) {
	decl := w.decl.tables[table]
	if decl == nil || !w.state.Has(table, id) {
		return nil, false
	}
	if c := decl.column(name); c != nil {
		return w.cell(table, id, c), true
	}
	if d := decl.derivation(name); d != nil {
		v, err := w.derive(d, &row{w: w, table: table, id: id})
		if err != nil {
			return nil, true
		}
		plain, err := fromStarlark(v)
		return plain, err == nil
	}
	return nil, false
}

// GameCell returns a game variable.
func (w *World) GameCell(name string) (state.Value, bool) { return w.Cell(tableGame, gameRow, name) }

// Rows returns the ids of a table's rows.
func (w *World) Rows(table string) []int64 { return slices.Clone(w.state.Rows(table)) }

// Label names a row for people.
func (w *World) Label(table string, id int64) string { return w.label(table, id) }

// Choice is one of the values that a parameter offers.
type Choice struct {
	Value state.Value
	Label string
}

// ParamView is a parameter of an action, for a form.
type ParamView struct {
	Name, Label, Help string
	Kind              state.Kind
	Form              string // "amendments", or empty
	Table             string // of a reference
	Min, Max          *int64
	MaxLen            int
	Optional          bool
	Initial           state.Value // nil if there is none
	Choices           []Choice
	Listed            bool // Choices is all there is to choose from
}

// ActionView is an action as somebody finds it now.
type ActionView struct {
	Name, Title, Group, Help string
	Dice, Form, Rule         string
	Refused                  *Refusal // nil if the action is open
	Params                   []ParamView
}

// Actions returns all actions as they are for a person now, in the order in which the
// rules declare them. Parameters are worked out for the open ones only.
func (w *World) Actions(player int64) []ActionView {
	if !w.state.Has(tablePlayers, player) {
		return nil
	}
	var out []ActionView
	me := &row{w: w, table: tablePlayers, id: player}
	meter := sandbox.NewMeter(sandbox.PageBudget)
	for _, a := range w.decl.actions {
		v := ActionView{Name: a.name, Title: w.expandWords(a.title), Group: w.expandWords(a.group), Help: w.expandWords(a.help), Dice: a.dice, Form: a.form, Rule: a.rule}
		w.tryOn(meter, func(*run) {
			if v.Refused = w.closed(a, me); v.Refused == nil {
				v.Params = w.params(a.params, me)
			}
		})
		out = append(out, v)
	}
	return out
}

// ActionNames returns the names of all actions, in the order in which the rules declare
// them.
func (w *World) ActionNames() []string {
	out := make([]string, len(w.decl.actions))
	for i, a := range w.decl.actions {
		out[i] = a.name
	}
	return out
}

// MeasureView is something that a proposal can do besides amending.
type MeasureView struct {
	Name, Help, Rule string
	Params           []ParamView
}

// Measures returns what proposals can do, by name.
func (w *World) Measures(player int64) []MeasureView {
	var names []string
	for name := range w.decl.measures {
		names = append(names, name)
	}
	var out []MeasureView
	for _, name := range sorted(names) {
		m := w.decl.measures[name]
		w.try(func(*run) {
			out = append(out, MeasureView{Name: name, Help: w.expandWords(m.help), Rule: m.rule, Params: w.params(m.params, &row{w: w, table: tablePlayers, id: player})})
		})
	}
	return out
}

func (w *World) params(decls []*paramDecl, me *row) []ParamView {
	var out []ParamView
	for _, p := range decls {
		t, err := w.resolveType(p.typ)
		if err != nil {
			t = p.typ.typ
		}
		v := ParamView{Name: p.name, Label: w.expandWords(p.label), Help: w.expandWords(p.help), Kind: t.Kind, Form: p.typ.form, Table: t.Table,
			Min: t.Min, Max: t.Max, MaxLen: t.MaxLen, Optional: p.optional || p.initial != nil}
		initial := p.initial
		if fn, ok := initial.(starlark.Callable); ok {
			if initial, err = w.look(fn, nil, me); err != nil {
				initial = nil
			}
		}
		if initial != nil {
			v.Initial, _ = fromStarlark(initial) // what cannot be shown is not offered
		}
		switch {
		case p.choices != nil:
			v.Listed = true
			if list, err := w.look(p.choices, nil, me); err == nil {
				v.Choices = w.choices(list, t)
			}
		case t.Kind == state.Choice:
			v.Listed = true
			for _, c := range t.Choices {
				v.Choices = append(v.Choices, Choice{c, w.expandWords(c)})
			}
		case t.Kind == state.Ref:
			v.Listed = true
			for _, id := range w.state.Rows(t.Table) {
				if t.Table == tablePlayers && w.text(t.Table, id, "standing") != StandingPlayer {
					continue
				}
				if v.Choices = append(v.Choices, Choice{id, w.label(t.Table, id)}); len(v.Choices) == MaxChoices {
					break
				}
			}
		}
		out = append(out, v)
	}
	return out
}

// choices reads what a choices function returned: values, or pairs of value and label.
func (w *World) choices(v starlark.Value, t state.Type) []Choice {
	it, ok := v.(starlark.Iterable)
	if !ok {
		return nil
	}
	var out []Choice
	for e := range starlark.Elements(it) {
		label := ""
		if pair, ok := e.(starlark.Tuple); ok && len(pair) == 2 {
			label, _ = starlark.AsString(pair[1])
			e = pair[0]
		}
		plain, err := fromStarlark(e)
		if err != nil || len(out) == MaxChoices {
			continue
		}
		if label == "" {
			label = w.show(plain, t)
		}
		out = append(out, Choice{plain, w.expandWords(label)})
	}
	return out
}

// show writes a value for people.
func (w *World) show(v state.Value, t state.Type) string {
	switch v := v.(type) {
	case nil:
		return ""
	case bool:
		if v {
			return "yes"
		}
		return "no"
	case int64:
		switch t.Kind {
		case state.Ref:
			return w.label(t.Table, v)
		case state.Moment:
			return clock(v)
		}
	case string:
		return w.expandWords(v)
	}
	return strings.TrimSpace(plainToStarlark(v).String())
}

// ColumnView is a column of a table.
type ColumnView struct {
	Name, Title, Doc, Rule string
	Kind                   state.Kind
	Table                  string
	Choices                []string
	Min, Max               *int64
	Edit, Derived          bool
}

// CellView is a cell with its value written for people.
type CellView struct {
	Value state.Value
	Text  string
}

// RowView is a row of a table.
type RowView struct {
	ID    int64
	Label string
	Cells []CellView // as the table's columns
}

// TableView is a table of the tracker.
type TableView struct {
	Name, Title, One, Rule string
	Columns                []ColumnView
	Rows                   []RowView
}

// Tables returns the tables that the tracker shows: game variables, players, and those
// that the rules declare.
func (w *World) Tables() []TableView {
	var out []TableView
	for _, name := range w.decl.tableOrder {
		t := w.decl.tables[name]
		if t.hidden {
			continue
		}
		v := TableView{Name: name, Title: w.expandWords(t.title), One: w.expandWords(t.one), Rule: t.rule}
		if name == tablePlayers {
			v.Title, _ = w.wordOr("Players", v.Title)
			v.One, _ = w.wordOr("Player", v.One)
		}
		for _, c := range t.columns {
			if c.hidden || c.compute != nil {
				continue
			}
			typ, err := w.resolveType(c.typ)
			if err != nil {
				typ = c.typ.typ
			}
			v.Columns = append(v.Columns, ColumnView{Name: c.name, Title: w.expandWords(c.title), Doc: w.expandWords(c.doc), Rule: c.rule, Kind: typ.Kind, Table: typ.Table,
				Choices: typ.Choices, Min: typ.Min, Max: typ.Max, Edit: c.edit})
		}
		for _, d := range t.derived {
			v.Columns = append(v.Columns, ColumnView{Name: d.name, Title: w.expandWords(d.title), Rule: d.rule, Derived: true})
		}
		for _, id := range w.state.Rows(name) {
			r := RowView{ID: id, Label: w.label(name, id)}
			for _, c := range v.Columns {
				r.Cells = append(r.Cells, w.cellView(name, id, c))
			}
			v.Rows = append(v.Rows, r)
		}
		out = append(out, v)
	}
	return out
}

func (w *World) wordOr(key, otherwise string) (string, bool) {
	if v, ok := w.word(key); ok {
		return v, true
	}
	return otherwise, false
}

func (w *World) cellView(table string, id int64, c ColumnView) CellView {
	if c.Derived {
		v, err := w.derive(w.decl.tables[table].derivation(c.Name), &row{w: w, table: table, id: id})
		if err != nil {
			return CellView{Text: "?"}
		}
		if r, ok := v.(*row); ok {
			return CellView{r.id, w.label(r.table, r.id)}
		}
		plain, err := fromStarlark(v)
		if err != nil {
			return CellView{Text: "?"}
		}
		return CellView{plain, w.show(plain, state.Type{})}
	}
	v := w.cell(table, id, w.decl.tables[table].column(c.Name))
	return CellView{v, w.show(v, state.Type{Kind: c.Kind, Table: c.Table})}
}

// RevisionView is a change of a rule: what it said before.
type RevisionView struct {
	Title, Text, Change string
	Entry, Time         int64
}

// RuleView is a rule in force.
type RuleView struct {
	ID, Section, Parent int64
	Depth               int // 0 for rules directly in their section
	Number, Title       string
	Heading             string // title as it is written, with its placeholders
	Prose               string // Markdown, placeholders filled
	Script              string // without the lines of prose
	Text                string // the whole document
	Fingerprint         string
	Revisions           []RevisionView
	Declares            []string // the actions, tables and columns that it makes
}

// SectionView is a section of the ruleset.
type SectionView struct {
	ID           int64
	Number       int
	Title, Prose string
	Rules        []RuleView
}

// Rules returns the rules in force, by section.
func (w *World) Rules() []SectionView {
	var out []SectionView
	for i, s := range w.state.Rows(tableSections) {
		v := SectionView{ID: s, Number: i + 1, Title: w.expandWords(w.text(tableSections, s, "title")), Prose: w.prose(w.text(tableSections, s, "text"))}
		for _, id := range w.appendRules(nil, s, 0) {
			v.Rules = append(v.Rules, w.ruleView(id))
		}
		out = append(out, v)
	}
	return out
}

func (w *World) ruleView(id int64) RuleView {
	text := w.text(tableRules, id, "text")
	doc, err := parseDocument(text)
	if err != nil {
		doc = parsed{title: w.text(tableRules, id, "title"), prose: text}
	}
	number := w.ruleNumber(id)
	v := RuleView{
		ID: id, Section: w.int(tableRules, id, "section"), Parent: w.int(tableRules, id, "parent"), Depth: strings.Count(number, ".") - 1, Number: number,
		Title: w.expandWords(doc.title), Heading: doc.title, Prose: w.prose(doc.prose), Script: strings.Trim(doc.script, "\n"), Text: text, Fingerprint: fingerprint(text),
		Declares: w.declaredBy(doc.title),
	}
	for _, rev := range w.state.Rows(tableRevisions) {
		if w.int(tableRevisions, rev, "rule") == id {
			v.Revisions = append(v.Revisions, RevisionView{Title: w.text(tableRevisions, rev, "title"), Text: w.text(tableRevisions, rev, "text"),
				Change: w.text(tableRevisions, rev, "change"), Entry: w.int(tableRevisions, rev, "entry"), Time: w.int(tableRevisions, rev, "time")})
		}
	}
	return v
}

// RuleTitled returns the rule with a title and reports whether there is one.
func (w *World) RuleTitled(title string) (RuleView, bool) {
	id := w.ruleTitled(title)
	if id == 0 {
		return RuleView{}, false
	}
	return w.ruleView(id), true
}

// prose fills the placeholders of a text: this game's words and live values.
func (w *World) prose(text string) string {
	return expand(text, func(name string) (string, bool) {
		if v, ok := w.word(name); ok {
			return v, true
		}
		if h, ok := w.decl.lives[name]; ok {
			v, err := w.look(h.fn, nil)
			if s, isText := starlark.AsString(v); err == nil && isText {
				return s, true
			}
		}
		return "", false
	})
}

func (w *World) declaredBy(title string) []string {
	var out []string
	for _, a := range w.decl.actions {
		if a.rule == title {
			out = append(out, "action "+a.name)
		}
	}
	for _, name := range w.decl.tableOrder {
		t := w.decl.tables[name]
		if t.rule == title {
			out = append(out, "table "+w.expandWords(t.title))
		}
		for _, c := range t.columns {
			if c.rule == title && t.rule != title {
				out = append(out, "column "+w.expandWords(c.title))
			}
		}
	}
	return out
}

// CommentView is a comment on a post.
type CommentView struct {
	ID, Author int64
	Time       int64
	Text, Icon string
	Current    bool // made on the post as it reads now
}

// PostView is a post with its comments.
type PostView struct {
	ID, Author                int64
	Category, CategoryTitle   string
	Title, Body, Status, Note string // Note: what an admin added
	Time, Edited              int64
	Official                  bool
	Fingerprint               string
	Amendments                []any
	Comments                  []CommentView
	Icons                     []IconView // that comments on it may carry
	Votable                   bool
}

// IconView is a mark that a comment can carry.
type IconView struct{ Name, Glyph, Title string }

// Posts returns all posts that were not removed, oldest first.
func (w *World) Posts() []PostView {
	comments := map[int64][]CommentView{}
	fingerprints := map[int64]string{}
	for _, id := range w.state.Rows(tablePosts) {
		fingerprints[id] = w.postFingerprint(id).(string)
	}
	for _, id := range w.state.Rows(tableComments) {
		if v, _ := w.state.Get(tableComments, id, "removed"); v == true {
			continue
		}
		post := w.int(tableComments, id, "post")
		comments[post] = append(comments[post], CommentView{ID: id, Author: w.int(tableComments, id, "author"), Time: w.int(tableComments, id, "time"),
			Text: w.text(tableComments, id, "text"), Icon: w.text(tableComments, id, "icon"),
			Current: w.text(tableComments, id, "fingerprint") == fingerprints[post]})
	}
	var out []PostView
	for _, id := range w.state.Rows(tablePosts) {
		if v, _ := w.state.Get(tablePosts, id, "removed"); v == true {
			continue
		}
		category := w.text(tablePosts, id, "category")
		v := PostView{ID: id, Author: w.int(tablePosts, id, "author"), Category: category, CategoryTitle: category, Title: w.text(tablePosts, id, "title"),
			Body: w.text(tablePosts, id, "body"), Status: w.text(tablePosts, id, "status"), Note: w.text(tablePosts, id, "admin_field"),
			Time: w.int(tablePosts, id, "time"), Edited: w.int(tablePosts, id, "edited"), Fingerprint: fingerprints[id], Comments: comments[id]}
		official, _ := w.state.Get(tablePosts, id, "official")
		v.Official = official == true
		amendments, _ := w.state.Get(tablePosts, id, "amendments")
		v.Amendments, _ = amendments.([]any)
		for _, c := range w.decl.categories {
			if c.name == category {
				v.CategoryTitle = w.expandWords(c.title)
				v.Icons = w.Icons(c.icons)
			}
		}
		_, v.Votable = w.decl.matters[category]
		out = append(out, v)
	}
	return out
}

// Icons returns the icons with the given names; all of them if names is nil.
func (w *World) Icons(names []string) []IconView {
	var out []IconView
	for _, i := range w.decl.icons {
		if names == nil || slices.Contains(names, i.name) {
			out = append(out, IconView{i.name, i.glyph, w.expandWords(i.title)})
		}
	}
	return out
}

// VoteView is how one person's voice counts in a matter.
type VoteView struct {
	Player            int64
	Icon, Counts, Why string // Counts: FOR, AGAINST, ABSTAIN or empty
}

// WayView is something that can be done with a matter, now or later.
type WayView struct {
	Can, Why, Rule string
	Open           bool
	From           int64 // Unix ms; 0 if that is not known
}

// MatterView is how a matter stands.
type MatterView struct {
	Post, Quorum, Electorate int64
	Status, Next             string
	Tally                    map[string]int64
	Votes                    []VoteView
	Ways                     []WayView
}

// Matter assesses a post that is voted on. It fails with a [*Refusal] if the rules
// cannot assess it.
func (w *World) Matter(post int64) (MatterView, error) {
	h, ok := w.decl.matters[w.text(tablePosts, post, "category")]
	if !ok {
		return MatterView{}, &Refusal{Code: CodeUnknown, Reason: "this post is not voted on"}
	}
	v, err := w.look(h.fn, nil, &row{w: w, table: tablePosts, id: post})
	if err != nil {
		return MatterView{}, err
	}
	plain, err := fromStarlark(v)
	if err != nil {
		return MatterView{}, refuse(err, h.rule)
	}
	m, _ := plain.(map[string]any)
	a := amendment(m)
	out := MatterView{Post: post, Quorum: a.int("quorum"), Electorate: a.int("electorate"), Status: a.text("status"), Next: w.expandWords(a.text("next")), Tally: map[string]int64{}}
	if tally, ok := m["tally"].(map[string]any); ok {
		for icon := range tally {
			out.Tally[icon] = amendment(tally).int(icon)
		}
	}
	for _, e := range listOf(m["votes"]) {
		out.Votes = append(out.Votes, VoteView{e.int("player"), e.text("icon"), e.text("counts"), w.expandWords(e.text("why"))})
	}
	for _, e := range listOf(m["ways"]) {
		open, _ := e["open"].(bool)
		out.Ways = append(out.Ways, WayView{e.text("can"), w.expandWords(e.text("why")), e.text("rule"), open, e.int("from")})
	}
	return out, nil
}

func listOf(v any) []amendment {
	list, _ := v.([]any)
	var out []amendment
	for _, e := range list {
		if m, ok := e.(map[string]any); ok {
			out = append(out, m)
		}
	}
	return out
}

// PageView is a page that a rule writes.
type PageView struct{ Name, Title, Rule, Text string }

// Pages returns the pages of the rules.
func (w *World) Pages() []PageView {
	var out []PageView
	for _, p := range w.decl.pages {
		v := PageView{Name: p.name, Title: w.expandWords(p.title), Rule: p.rule}
		text, err := w.look(p.fn, nil)
		if s, ok := starlark.AsString(text); err == nil && ok {
			v.Text = w.expandWords(s)
		}
		out = append(out, v)
	}
	return out
}

// CategoryView is a kind of post.
type CategoryView struct {
	Name, Title       string
	Official, Votable bool
}

// Categories returns the kinds of posts.
func (w *World) Categories() []CategoryView {
	var out []CategoryView
	for _, c := range w.decl.categories {
		_, votable := w.decl.matters[c.name]
		out = append(out, CategoryView{c.name, w.expandWords(c.title), c.official, votable})
	}
	return out
}

// OptionView is a choice of the founder's.
type OptionView struct{ Name, Initial, Help string }

// Options returns what the founder could choose.
func (w *World) Options() []OptionView {
	var out []OptionView
	for _, o := range w.decl.options {
		out = append(out, OptionView{o.name, o.initial, w.expandWords(o.help)})
	}
	return out
}

// Word returns this game's word for a key such as "Player" or "Players"; the key itself if
// it has none.
func (w *World) Word(key string) string {
	v, _ := w.wordOr(key, key)
	return v
}

// Summary returns the founding ruleset's description of itself, as Markdown.
func (w *World) Summary() string { return w.prose(w.summary) }

// DueTimers returns when the next timer is due, Unix ms, or 0.
func (w *World) DueTimers() int64 {
	if id := w.nextTimer(maxTime); id != 0 {
		return w.int(tableTimers, id, "due")
	}
	return 0
}

// Documents returns the ruleset in force as files, as it could be founded anew.
func (w *World) Documents() []Document {
	var out []Document
	for i, s := range w.state.Rows(tableSections) {
		dir := numbered(i+1, w.text(tableSections, s, "title"))
		out = append(out, Document{Path: dir + "/section.md", Text: "# " + w.text(tableSections, s, "title") + "\n\n" + w.text(tableSections, s, "text") + "\n"})
		for _, id := range w.appendRules(nil, s, 0) {
			_, number, _ := strings.Cut(w.ruleNumber(id), ".")
			out = append(out, Document{Path: dir + "/" + number + "-" + slug(w.text(tableRules, id, "title")) + ".md", Text: w.text(tableRules, id, "text")})
		}
	}
	return out
}
