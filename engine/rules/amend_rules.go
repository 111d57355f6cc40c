package rules

import (
	"fmt"
	"slices"
	"strings"

	"peernomic/engine/rules/amendment"
	"peernomic/engine/rules/document"
	"peernomic/engine/rules/internal/confusable"
	"peernomic/engine/rules/internal/merge"
)

// ruleOf finds the rule that an amendment names.
func (w *World) ruleOf(name amendment.Ref) (int64, error) {
	if name.Title == "" && w.state.Has(tableRules, name.Number) {
		return name.Number, nil
	}
	if id := w.ruleCalled(name.Title); id != 0 {
		return id, nil
	}
	return 0, fmt.Errorf("there is no rule %s", name)
}

// placeOf finds the section and the parent that an amendment names.
func (w *World) placeOf(p amendment.Place) (section, parent int64, err error) {
	if p.Parent != "" {
		if parent = w.ruleCalled(p.Parent); parent == 0 {
			return 0, 0, fmt.Errorf("there is no rule %q to stand below", p.Parent)
		}
		return w.int(tableRules, parent, "section"), parent, nil
	}
	sections := w.state.Rows(tableSections)
	if n := p.Section.Number; n >= 1 && n <= int64(len(sections)) {
		return sections[n-1], 0, nil
	}
	title := p.Section.Title
	section = w.index(tableSections, func(id int64) bool {
		return title != "" && confusable.Fold(w.text(tableSections, id, "title")) == confusable.Fold(title)
	})
	if section == 0 {
		return 0, 0, fmt.Errorf("there is no section %s", p.Section)
	}
	return section, 0, nil
}

// arrange puts a rule behind another among its siblings; behind all if after is "".
func (r *run) arrange(id int64, after string) error {
	w := r.w
	siblings := w.siblings(w.int(tableRules, id, "section"), w.int(tableRules, id, "parent"))
	siblings = slices.DeleteFunc(siblings, func(s int64) bool { return s == id })
	at := len(siblings)
	if after != "" {
		i := slices.Index(siblings, w.ruleCalled(after))
		if i < 0 {
			return fmt.Errorf("the rule %q does not stand there", after)
		}
		at = i + 1
	}
	for i, s := range slices.Insert(siblings, at, id) {
		if err := w.state.Set(tableRules, s, "position", int64(i)); err != nil {
			return err
		}
	}
	return nil
}

// readDocument checks the text of a rule, and that no other rule than self has its title.
func (r *run) readDocument(written string, self int64) (text, title string, err error) {
	text = strings.ReplaceAll(written, "\r\n", "\n")
	doc, err := document.Parse(text)
	if err != nil {
		return "", "", err
	}
	if other := r.w.ruleTitled(doc.Title); other != 0 && other != self {
		return "", "", &Refusal{Code: CodeArgument, Rule: doc.Title, Line: 1, Reason: "there is another rule with this title"}
	}
	return text, doc.Title, nil
}

func (r *run) enact(a *amendment.Enact) error {
	if len(r.w.state.Rows(tableRules)) >= document.MaxRules {
		return &Refusal{Code: CodeLimit, Reason: fmt.Sprintf("a ruleset may have %d rules", document.MaxRules)}
	}
	section, parent, err := r.w.placeOf(a.Place)
	if err != nil {
		return err
	}
	text, title, err := r.readDocument(a.Text, 0)
	if err != nil {
		return err
	}
	id, err := r.w.newRow(tableRules, cells{"title": title, "text": text, "section": section, "parent": parent})
	if err != nil {
		return err
	}
	r.changed(Change{Op: ChangeCreate, Table: tableRules, Row: id, New: map[string]any{"title": title}})
	if err := r.revise(id, "enacted"); err != nil {
		return err
	}
	return r.arrange(id, a.After)
}

// amend gives a rule the text that an amendment makes of the one it has.
func (r *run) amend(a amendment.Amendment) error {
	id, written, err := r.w.rewritten(a)
	if err != nil {
		return err
	}
	text, title, err := r.readDocument(written, id)
	if err != nil {
		return err
	}
	if err := r.revise(id, "amended"); err != nil {
		return err
	}
	r.changed(Change{Op: ChangeSet, Table: tableRules, Row: id, Column: "text", Old: r.w.ruleFingerprint(id), New: document.Fingerprint(text)})
	return r.w.setAll(tableRules, id, cells{"title": title, "text": text})
}

// rewritten finds the rule whose text an amendment changes, and what it makes of the text that the rule has now.
func (w *World) rewritten(a amendment.Amendment) (id int64, text string, err error) {
	switch a := a.(type) {
	case *amendment.Amend:
		if id, err = w.ruleOf(a.Rule); err != nil {
			return 0, "", err
		}
		text, err = w.merged(id, a)
		return id, text, err
	case *amendment.Replace:
		if id, err = w.ruleOf(a.Rule); err != nil {
			return 0, "", err
		}
		now := w.text(tableRules, id, "text")
		if n := strings.Count(now, a.Old); n != 1 || a.Old == "" {
			return id, "", w.unchanged(id, fmt.Sprintf("“%s” stands there %d times, not once", a.Old, n))
		}
		return id, strings.Replace(now, a.Old, a.New, 1), nil
	}
	return 0, "", fmt.Errorf("%s changes no rule's text", a.Op())
}

// merged is what an amendment makes of a rule's text: its own text or, if the rule has changed since that was written,
// what both changed.
func (w *World) merged(id int64, a *amendment.Amend) (string, error) {
	now := w.text(tableRules, id, "text")
	if a.Base == document.Fingerprint(now) {
		return a.Text, nil
	}
	base := w.index(tableRevisions, func(rev int64) bool {
		return w.int(tableRevisions, rev, "rule") == id && document.Fingerprint(w.text(tableRevisions, rev, "text")) == a.Base
	})
	if base == 0 {
		return "", w.unchanged(id, "this amendment was written on a text that the rule never had")
	}
	before, amended := w.text(tableRevisions, base, "text"), strings.ReplaceAll(a.Text, "\r\n", "\n")
	if w.run != nil { // texts that have nothing in common take a tenth of a second
		if err := w.run.meter.Spend(uint64(len(before)+len(now)+len(amended)) / 2); err != nil {
			return "", err
		}
	}
	text, conflict := merge.Documents(before, now, amended)
	if conflict != nil {
		return "", w.unchanged(id, fmt.Sprintf("the rule has changed since this amendment was written: where it said “%s” it says “%s” now, and the amendment says “%s”",
			brief(conflict.Base), brief(conflict.Now), brief(conflict.Amended)))
	}
	return text, nil
}

// maxQuoted is how many characters of each text a reason quotes.
const maxQuoted = 100

// brief is a text as a reason can quote it.
func brief(text string) string {
	if r := []rune(text); len(r) > maxQuoted {
		return string(r[:maxQuoted]) + "…"
	}
	return text
}

// unchanged refuses to change a rule's text.
func (w *World) unchanged(id int64, reason string) *Refusal {
	return &Refusal{Code: CodeRefused, Rule: w.text(tableRules, id, "title"), Reason: reason}
}

// TextAfter returns what a rule would say after an amendment of its text. It fails with a reason, a [*Refusal], or if there
// is no such rule.
func (w *World) TextAfter(a amendment.Amendment) (string, error) {
	_, text, err := w.rewritten(a)
	return text, err
}

func (r *run) repeal(a *amendment.Repeal) error {
	id, err := r.w.ruleOf(a.Rule)
	if err != nil {
		return err
	}
	section := r.w.int(tableRules, id, "section")
	for _, rule := range append(r.w.appendRules(nil, section, id), id) {
		if err := r.revise(rule, "repealed"); err != nil {
			return err
		}
		r.changed(Change{Op: ChangeRemove, Table: tableRules, Row: rule})
		if err := r.w.state.Remove(tableRules, rule); err != nil {
			return err
		}
	}
	return nil
}

func (r *run) move(a *amendment.Move) error {
	id, err := r.w.ruleOf(a.Rule)
	if err != nil {
		return err
	}
	section, parent, err := r.w.placeOf(a.Place)
	if err != nil {
		return err
	}
	below := r.w.appendRules(nil, r.w.int(tableRules, id, "section"), id)
	if parent == id || slices.Contains(below, parent) {
		return fmt.Errorf("a rule cannot stand below itself")
	}
	if err := r.revise(id, "moved"); err != nil {
		return err
	}
	for _, rule := range append(below, id) {
		if err := r.w.state.Set(tableRules, rule, "section", section); err != nil {
			return err
		}
	}
	if err := r.w.state.Set(tableRules, id, "parent", parent); err != nil {
		return err
	}
	r.changed(Change{Op: ChangeSet, Table: tableRules, Row: id, Column: "parent", New: parent})
	return r.arrange(id, a.After)
}

// revise keeps what a rule says before it is changed, for its history.
func (r *run) revise(id int64, change string) error {
	_, err := r.w.newRow(tableRevisions, cells{
		"rule": id, "title": r.w.text(tableRules, id, "title"), "text": r.w.text(tableRules, id, "text"),
		"entry": r.w.nextEntry(), "time": r.w.now, "change": change,
	})
	return err
}
