package rules

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"go.starlark.net/starlark"

	"peernomic/engine/rules/amendment"
	"peernomic/engine/rules/document"
	"peernomic/engine/rules/sandbox"
)

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
	doc, err := document.Parse(text)
	if err != nil {
		doc = document.Parsed{Title: w.text(tableRules, id, "title"), Prose: text}
	}
	number := w.ruleNumber(id)
	v := RuleView{
		ID: id, Section: w.int(tableRules, id, "section"), Parent: w.int(tableRules, id, "parent"), Depth: strings.Count(number, ".") - 1, Number: number,
		Title: w.expandWords(doc.Title), Heading: doc.Title, Prose: w.prose(doc.Prose) + w.closing(id), Script: strings.Trim(doc.Script, "\n"), Text: text, Fingerprint: document.Fingerprint(text),
		Declares: w.declaredBy(doc.Title),
	}
	for _, rev := range w.state.Rows(tableRevisions) {
		if w.int(tableRevisions, rev, "rule") == id {
			v.Revisions = append(v.Revisions, RevisionView{Title: w.text(tableRevisions, rev, "title"), Text: w.text(tableRevisions, rev, "text"),
				Change: w.text(tableRevisions, rev, "change"), Entry: w.int(tableRevisions, rev, "entry"), Time: w.int(tableRevisions, rev, "time")})
		}
	}
	return v
}

// closing is what the rule above has to say at the end of a rule, or nothing.
func (w *World) closing(id int64) string {
	h, ok := w.decl.Closings[w.text(tableRules, w.int(tableRules, id, "parent"), "title")]
	if !ok {
		return ""
	}
	v, err := w.look(h.Fn, nil, &row{w: w, table: tableRules, id: id})
	if s, isText := starlark.AsString(v); err == nil && isText && s != "" {
		return "\n\n" + w.expandWords(s)
	}
	return ""
}

// RuleTitled returns the rule with a title and reports whether there is one.
func (w *World) RuleTitled(title string) (RuleView, bool) {
	id := w.ruleTitled(title)
	if id == 0 {
		return RuleView{}, false
	}
	return w.ruleView(id), true
}

// RuleOf returns the rule that an amendment names and reports whether there is one.
func (w *World) RuleOf(name amendment.Ref) (RuleView, bool) {
	id, err := w.ruleOf(name)
	if err != nil {
		return RuleView{}, false
	}
	return w.ruleView(id), true
}

// prose fills the placeholders of a text: this game's words and live values.
func (w *World) prose(text string) string {
	return document.Expand(text, func(name string) (string, bool) {
		if v, ok := w.word(name); ok {
			return v, true
		}
		if h, ok := w.decl.Lives[name]; ok {
			v, err := w.look(h.Fn, nil)
			if s, isText := starlark.AsString(v); err == nil && isText {
				return s, true
			}
		}
		return "", false
	})
}

// LiveProblem tells why a live text cannot take its place in the prose now, or is empty if all can.
func (w *World) LiveProblem() (problem string) {
	for _, name := range slices.Sorted(maps.Keys(w.decl.Lives)) {
		h := w.decl.Lives[name]
		w.tryOn(sandbox.NewMeter(sandbox.LookBudget), func(*run) {
			v, err := w.look(h.Fn, nil)
			if _, isText := starlark.AsString(v); err == nil && !isText {
				err = &Refusal{Code: CodeScript, Rule: h.Rule, Line: h.Line, Reason: fmt.Sprintf("a text is needed, not %s", v.Type())}
			}
			if err != nil {
				problem = fmt.Sprintf("{{%s}}: %s", name, refuse(err, h.Rule))
			}
		})
	}
	return problem
}

func (w *World) declaredBy(title string) []string {
	var out []string
	for _, a := range w.decl.Actions {
		if a.Rule == title {
			out = append(out, "action "+a.Name)
		}
	}
	for _, name := range w.decl.TableOrder {
		t := w.decl.Tables[name]
		if t.Rule == title {
			out = append(out, "table "+w.expandWords(t.Title))
		}
		for _, c := range t.Columns {
			if c.Rule == title && t.Rule != title {
				out = append(out, "column "+w.expandWords(c.Title))
			}
		}
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

// Documents returns the ruleset in force as files, as it could be founded anew.
func (w *World) Documents() []document.Document {
	var out []document.Document
	for i, s := range w.state.Rows(tableSections) {
		dir := document.Folder(i+1, w.text(tableSections, s, "title"))
		out = append(out, document.Document{Path: dir + "/section.md", Text: "# " + w.text(tableSections, s, "title") + "\n\n" + w.text(tableSections, s, "text") + "\n"})
		for _, id := range w.appendRules(nil, s, 0) {
			_, number, _ := strings.Cut(w.ruleNumber(id), ".")
			out = append(out, document.Document{Path: dir + "/" + document.File(number, w.text(tableRules, id, "title")), Text: w.text(tableRules, id, "text")})
		}
	}
	return out
}
