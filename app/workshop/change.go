package workshop

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"peernomic/app/kit"
	"peernomic/app/view"
)

// change is one amendment in the making, as the workshop edits it.
type change struct {
	N     int    // tells changes of one proposal apart
	Kind  string // amend, enact, repeal, set, keyword, measure, or kept: as it was in the post that is altered
	Rule  string // amend, repeal: which; enact: after which
	Under string // enact: below which
	Base  string // amend: fingerprint of the text it was written on
	Old   string // amend: that text

	Prose, Script, Whole string
	AsWhole              bool // the document is edited in one piece

	Section       int
	Table, Column string
	Row           int64
	Value         string
	One, Many     string
	Typed         map[string]string // measure: what its form holds

	turn  int
	wrong string
	// began is the change as it was when its inputs were made: what they began with.
	began *change
	form  *kit.Form // measure
}

// begin notes what the inputs begin with and makes them afresh.
func (c *change) begin() {
	b := *c
	b.began = nil
	c.began = &b
	c.turn++
}

// kinds of changes, with what the workshop calls them.
var changeKinds = []struct{ kind, label, glyph string }{
	{"amend", "Change a rule", "pen"},
	{"enact", "New rule", "plus"},
	{"repeal", "Repeal a rule", "bin"},
	{"set", "Set a value", "tracker"},
	{"keyword", "Change a word", "comment"},
	{"measure", "Something else", "star"},
}

// newRuleText is what a new rule begins with.
const newRuleText = "# Title of the rule\n\nWhat it says.\n"

// amendChange begins a change of a rule.
func amendChange(s view.RuleSource) *change {
	c := &change{Kind: "amend", Rule: s.Title, Base: s.Fingerprint, Old: s.Text, Section: s.Section}
	c.setDocument(s.Text)
	return c
}

// setDocument puts a document into the editor.
func (c *change) setDocument(doc string) {
	c.Whole = doc
	c.AsWhole = !kit.SimpleDocument(doc)
	c.Prose, c.Script = kit.SplitDocument(doc)
	c.begin()
}

// edits says whether the change edits a document.
func (c *change) edits() bool { return c.Kind == "enact" || c.Kind == "amend" && c.Rule != "" }

// firstInput names the editor that the change begins with.
func (c *change) firstInput() string {
	if c.AsWhole {
		return "whole-" + kit.Itoa(c.N)
	}
	return "prose-" + kit.Itoa(c.N)
}

// document is the rule document as the editor has it now.
func (c *change) document() string {
	if c.AsWhole {
		return c.Whole
	}
	return kit.JoinDocument(c.Prose, c.Script)
}

// switchView goes between editing the document in one piece and in two, taking the
// text along.
func (c *change) switchView() bool {
	doc := c.document()
	if c.AsWhole && !kit.SimpleDocument(doc) {
		return false
	}
	c.AsWhole = !c.AsWhole
	c.Whole = doc
	c.Prose, c.Script = kit.SplitDocument(doc)
	c.begin()
	return true
}

// put says where a new rule goes: "after" or "below" and the place of a rule in the workshop's list, or
// nothing for the end of the dynasty's rules.
func (c *change) put(w *view.Workshop, where string) {
	c.Section, c.Under, c.Rule = 2, "", ""
	how, place, _ := strings.Cut(where, " ")
	i, err := strconv.Atoi(place)
	if err != nil || i < 0 || i >= len(w.Rules) {
		return
	}
	s := w.Rules[i]
	c.Section = s.Section
	if how == "below" {
		c.Under = s.Title
		return
	}
	c.Rule, c.Under = s.Title, ruleAbove(w, s)
}

// ruleLabel is what a rule is called in a list.
func ruleLabel(s view.RuleSource) string { return s.Number + " " + cmp.Or(s.Name, s.Title) }

// ruleAbove is the title of the rule that another stands directly below, or empty.
func ruleAbove(w *view.Workshop, s view.RuleSource) string {
	at := strings.LastIndex(s.Number, ".")
	if i := slices.IndexFunc(w.Rules, func(r view.RuleSource) bool { return at > 0 && r.Number == s.Number[:at] }); i >= 0 {
		return w.Rules[i].Title
	}
	return ""
}

// title is what the change is called in the list.
func (c *change) title() string {
	switch c.Kind {
	case "amend":
		return "Change “" + c.Rule + "”"
	case "enact":
		return "New rule “" + kit.DocumentTitle(c.document()) + "”"
	case "repeal":
		return "Repeal “" + c.Rule + "”"
	case "set":
		return "Set a value"
	case "keyword":
		return "Change a word"
	case "kept":
		return c.Rule
	case "measure":
		if c.Rule == "" {
			return "Something that only a proposal can do"
		}
		return c.Rule
	}
	return c.Kind
}

// amendment is the change as the rules take it, or what is missing.
func (c *change) amendment(w *view.Workshop) (m map[string]any, missing string) {
	switch c.Kind {
	case "amend":
		if c.Rule == "" {
			return nil, "Choose the rule to change."
		}
		if c.document() == c.Old {
			return nil, "“" + c.Rule + "” is still as it was."
		}
		return map[string]any{"op": "amend", "rule": c.Rule, "base": c.Base, "text": c.document()}, ""
	case "enact":
		return map[string]any{"op": "enact", "section": int64(max(c.Section, 1)), "parent": c.Under,
			"after": c.Rule, "text": c.document()}, ""
	case "repeal":
		if c.Rule == "" {
			return nil, "Choose the rule to repeal."
		}
		return map[string]any{"op": "repeal", "rule": c.Rule}, ""
	case "set":
		return c.setting(w)
	case "keyword":
		if c.Rule == "" || strings.TrimSpace(c.One) == "" {
			return nil, "Choose the word and say what it becomes."
		}
		return map[string]any{"op": "keyword", "key": c.Rule, "one": strings.TrimSpace(c.One), "many": strings.TrimSpace(c.Many)}, ""
	}
	if c.Kind == "measure" && c.form != nil {
		args, ok := c.form.Args()
		if !ok {
			return nil, "“" + c.Rule + "” needs more to be said."
		}
		return map[string]any{"op": "measure", "name": c.Rule, "args": args}, ""
	}
	return nil, "Choose what to change."
}

func (c *change) setting(w *view.Workshop) (map[string]any, string) {
	i := slices.IndexFunc(w.Tables, func(t view.Table) bool { return t.Name == c.Table })
	if i < 0 {
		return nil, "Choose a table."
	}
	j := slices.IndexFunc(w.Tables[i].Columns, func(k view.Column) bool { return k.Name == c.Column })
	if c.Row == 0 || j < 0 {
		return nil, "Choose whose value and which."
	}
	col := w.Tables[i].Columns[j]
	v, wrong := kit.ReadParam(view.Param{Kind: col.Kind, Choices: col.Choices, Min: col.Min, Max: col.Max}, c.Value)
	if wrong != "" {
		return nil, wrong
	}
	return map[string]any{"op": "set", "table": c.Table, "row": c.Row, "column": c.Column, "value": v}, ""
}
