package rules

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"go.starlark.net/starlark"

	"peernomic/engine/rules/amendment"
	"peernomic/engine/rules/declare"
	"peernomic/engine/rules/document"
	"peernomic/engine/rules/internal/confusable"
	"peernomic/engine/rules/internal/convert"
	"peernomic/engine/rules/sandbox"
	"peernomic/engine/state"
)

// apply carries amendments out, in order. Those that change rules take effect, all
// together, before the next that does not.
func (r *run) apply(list []any) error {
	amendments, err := decodeAmendments(list)
	if err != nil {
		return err
	}
	stale := false
	for i, a := range amendments {
		if stale && !changesRules(a) {
			if err := r.reloadRules(); err != nil {
				return err
			}
		}
		stale = changesRules(a)
		if err := r.carryOut(a); err != nil {
			var refused *Refusal
			if errors.As(err, &refused) || errors.Is(err, errWaiting) {
				return err
			}
			return &Refusal{Code: CodeArgument, Reason: fmt.Sprintf("amendment %d: %s", i+1, err)}
		}
	}
	if stale {
		return r.reloadRules()
	}
	return nil
}

// decodeAmendments reads what a proposal carries.
func decodeAmendments(list []any) ([]amendment.Amendment, error) {
	if len(list) > MaxAmendments {
		return nil, &Refusal{Code: CodeLimit, Reason: fmt.Sprintf("a proposal may carry %d amendments, not %d", MaxAmendments, len(list))}
	}
	out := make([]amendment.Amendment, len(list))
	for i, item := range list {
		var err error
		if out[i], err = amendment.Decode(item); err != nil {
			return nil, &Refusal{Code: CodeArgument, Reason: fmt.Sprintf("amendment %d: %s", i+1, err)}
		}
	}
	return out, nil
}

// changesRules reports whether the rules have to be loaded again after an amendment.
func changesRules(a amendment.Amendment) bool {
	switch a.(type) {
	case *amendment.Enact, *amendment.Amend, *amendment.Repeal, *amendment.Move:
		return true
	}
	return false
}

// carryOut carries one amendment out. What it changes is told beforehand by [World.touches].
func (r *run) carryOut(a amendment.Amendment) error {
	switch a := a.(type) {
	case *amendment.Enact:
		return r.enact(a)
	case *amendment.Amend:
		return r.amend(a)
	case *amendment.Repeal:
		return r.repeal(a)
	case *amendment.Move:
		return r.move(a)
	case *amendment.Set:
		return r.amendSet(a)
	case *amendment.Create:
		_, err := r.create(a.Table, a.Values)
		return err
	case *amendment.Remove:
		return r.remove(a.Table, a.Row)
	case *amendment.Keyword:
		return r.amendKeyword(a)
	case *amendment.Measure:
		return r.measure(a)
	}
	return fmt.Errorf("nothing carries out %q", a.Op())
}

// reloadRules puts changed rules in force and tells them so.
func (r *run) reloadRules() error {
	former := r.w.decl
	err := r.w.reload()
	var p *document.Problem
	if errors.As(err, &p) {
		return refusalOf(p, CodeScript)
	}
	if err != nil {
		return err
	}
	if err := r.w.beginAnew(former); err != nil {
		return err
	}
	if err := r.seatEntities(); err != nil {
		return err
	}
	if err := r.dropDeadEnds(); err != nil {
		return err
	}
	return r.fire("amended")
}

// ruleOf finds the rule that an amendment names.
func (w *World) ruleOf(name amendment.Ref) (int64, error) {
	if name.Title == "" && w.state.Has(tableRules, name.Number) {
		return name.Number, nil
	}
	if id := w.ruleTitled(name.Title); id != 0 {
		return id, nil
	}
	return 0, fmt.Errorf("there is no rule %s", name)
}

// placeOf finds the section and the parent that an amendment names.
func (w *World) placeOf(p amendment.Place) (section, parent int64, err error) {
	if p.Parent != "" {
		if parent = w.ruleTitled(p.Parent); parent == 0 {
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
		i := slices.Index(siblings, w.ruleTitled(after))
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

// readDocument checks the text of an amendment and that its title is free.
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

func (r *run) amend(a *amendment.Amend) error {
	id, err := r.w.ruleOf(a.Rule)
	if err != nil {
		return err
	}
	if a.Base != r.w.ruleFingerprint(id) {
		return &Refusal{Code: CodeRefused, Rule: r.w.text(tableRules, id, "title"), Reason: "the rule has changed since this amendment was written"}
	}
	text, title, err := r.readDocument(a.Text, id)
	if err != nil {
		return err
	}
	if err := r.revise(id, "amended"); err != nil {
		return err
	}
	r.changed(Change{Op: ChangeSet, Table: tableRules, Row: id, Column: "text", Old: r.w.ruleFingerprint(id), New: document.Fingerprint(text)})
	return r.w.setAll(tableRules, id, cells{"title": title, "text": text})
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

// revise keeps what a rule said before a change.
func (r *run) revise(id int64, change string) error {
	_, err := r.w.newRow(tableRevisions, cells{
		"rule": id, "title": r.w.text(tableRules, id, "title"), "text": r.w.text(tableRules, id, "text"),
		"entry": int64(len(r.w.log) + 1), "time": r.w.now, "change": change,
	})
	return err
}

func (r *run) amendSet(a *amendment.Set) error {
	decl := r.w.decl.Tables[a.Table]
	if decl == nil || decl.Column(a.Column) == nil {
		return fmt.Errorf("there is no column %s in %s", a.Column, a.Table)
	}
	c := decl.Column(a.Column)
	if c.Sealed {
		return fmt.Errorf("only the kernel sets %s", c.Name)
	}
	if !r.w.state.Has(decl.Name, a.Row) {
		return fmt.Errorf("there is no %s %d", decl.One, a.Row)
	}
	return r.w.setCell(r, decl.Name, a.Row, c, a.Value)
}

func (r *run) amendKeyword(a *amendment.Keyword) error {
	key, one, many := a.Key, a.One, a.Many
	if _, ok := r.w.word(key); !ok {
		return fmt.Errorf("there is no keyword %q", key)
	}
	if many == "" {
		many = one + "s"
	}
	for _, word := range []string{one, many} {
		if _, err := textOf(declare.MaxName).Check(word); err != nil || strings.TrimSpace(word) == "" {
			return fmt.Errorf("%q cannot be a keyword", word)
		}
	}
	id := r.w.index(tableKeywords, func(id int64) bool { return r.w.text(tableKeywords, id, "key") == key })
	if id == 0 {
		var err error
		if id, err = r.w.state.Create(tableKeywords); err != nil {
			return err
		}
	}
	old, _ := r.w.word(key)
	if err := r.w.setAll(tableKeywords, id, cells{"key": key, "one": one, "many": many}); err != nil {
		return err
	}
	r.changed(Change{Op: ChangeSet, Table: tableKeywords, Row: id, Column: "one", Old: old, New: one})
	return nil
}

func (r *run) measure(a *amendment.Measure) error {
	m := r.w.decl.Measures[a.Name]
	if m == nil {
		return fmt.Errorf("the rules have no measure %q", a.Name)
	}
	kwargs, err := r.w.arguments(m.Params, a.Args, 0)
	if err != nil {
		return err
	}
	if m.Check != nil {
		v, err := r.w.look(m.Check, kwargs)
		if err != nil {
			return err
		}
		if refused := reasonOf(v, m.Rule); refused != nil {
			return refused
		}
	}
	_, err = r.call(declare.Hook{Fn: m.Run, Origin: m.Origin}, kwargs)
	return err
}

// problem tries amendments out and tells what is wrong with them, or returns nil.
// Nothing of the trial remains.
func (r *run) problem(list []any) *Refusal {
	mark, changes, rolls, notes, dice, readOnly := r.w.state.Mark(), r.changes, r.rolls, r.notes, r.dice, r.readOnly
	r.dice, r.readOnly = nil, false
	err := r.apply(list)
	r.w.state.Revert(mark)
	r.changes, r.rolls, r.notes, r.dice, r.readOnly = changes, rolls, notes, dice, readOnly
	if err == nil || errors.Is(err, errWaiting) {
		return nil
	}
	refused := refuse(err, "")
	if refused.Code == CodeWaiting {
		return nil // it rolls: what it does cannot be known beforehand
	}
	return refused
}

// Check tries amendments out now and tells what is wrong with them, or returns
// nil. It changes nothing.
func (w *World) Check(amendments []any) *Refusal {
	list, err := state.Normalize(amendments)
	if err != nil {
		return &Refusal{Code: CodeArgument, Reason: err.Error()}
	}
	var out *Refusal
	w.try(func(r *run) { out = r.problem(list.([]any)) })
	return out
}

func runApply(call *invocation) (starlark.Value, error) {
	list, err := unpackAmendments(call.Invocation)
	if err != nil {
		return nil, err
	}
	return starlark.None, call.apply(list)
}

func runProblems(call *invocation) (starlark.Value, error) {
	list, err := unpackAmendments(call.Invocation)
	if err != nil {
		return nil, err
	}
	var out []starlark.Value
	if refused := call.problem(list); refused != nil {
		text := refused.Reason
		switch {
		case refused.Line > 0:
			text = refused.Error()
		case refused.Rule != "":
			text = refused.Rule + ": " + text
		}
		out = append(out, starlark.String(text))
	}
	return starlark.NewList(out), nil
}

func unpackAmendments(call *sandbox.Invocation) ([]any, error) {
	var v starlark.Value
	if err := call.Unpack("amendments", &v); err != nil {
		return nil, err
	}
	plain, err := convert.Plain(v)
	if err != nil {
		return nil, call.Wrong("%w", err)
	}
	list, ok := plain.([]any)
	if !ok && plain != nil {
		return nil, call.Wrong("amendments are a list")
	}
	return list, nil
}
