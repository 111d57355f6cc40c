package rules

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"go.starlark.net/starlark"

	"peernomic/engine/state"
)

// amendment is one change that a proposal carries, as a map:
//
//	{"op": "enact", "section": 2 or title, "parent": title or "", "after": title or "", "text": document}
//	{"op": "amend", "rule": title, "base": fingerprint of the text it changes, "text": document}
//	{"op": "repeal", "rule": title}
//	{"op": "move", "rule": title, "section": …, "parent": …, "after": …}
//	{"op": "set", "table": name, "row": id, "column": name, "value": value}
//	{"op": "create", "table": name, "values": {column: value}}
//	{"op": "remove", "table": name, "row": id}
//	{"op": "keyword", "key": key, "one": word, "many": word}
//	{"op": "measure", "name": name, "args": {…}}
type amendment map[string]any

// apply carries amendments out, in order. Those that change rules take effect, all
// together, before the next that does not.
func (r *run) apply(list []any) error {
	if len(list) > MaxAmendments {
		return &Refusal{Code: CodeLimit, Reason: fmt.Sprintf("a proposal may carry %d amendments, not %d", MaxAmendments, len(list))}
	}
	stale := false
	for i, item := range list {
		m, ok := item.(map[string]any)
		if !ok {
			return &Refusal{Code: CodeArgument, Reason: fmt.Sprintf("amendment %d is not a map", i+1)}
		}
		a := amendment(m)
		of, ok := amendmentOps[a.text("op")]
		if !ok {
			return &Refusal{Code: CodeArgument, Reason: fmt.Sprintf("amendment %d: there is no operation %q", i+1, a.text("op"))}
		}
		if stale && !of.rules {
			if err := r.reloadRules(); err != nil {
				return err
			}
			stale = false
		}
		if err := of.do(r, a); err != nil {
			var refused *Refusal
			if errors.As(err, &refused) || errors.Is(err, errWaiting) {
				return err
			}
			return &Refusal{Code: CodeArgument, Reason: fmt.Sprintf("amendment %d: %s", i+1, err)}
		}
		stale = stale || of.rules
	}
	if stale {
		return r.reloadRules()
	}
	return nil
}

// reloadRules puts changed rules in force and tells them so.
func (r *run) reloadRules() error {
	former := r.w.decl
	err := r.w.reload()
	var p *Problem
	if errors.As(err, &p) {
		return p.refusal(CodeScript)
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

type amendmentOp struct {
	rules bool // changes rules, which then have to be loaded again
	do    func(*run, amendment) error
	takes []string // what it is made of, beside its op
}

var amendmentOps = map[string]amendmentOp{
	"enact":   {true, (*run).enact, []string{"section", "parent", "after", "text"}},
	"amend":   {true, (*run).amend, []string{"rule", "base", "text"}},
	"repeal":  {true, (*run).repeal, []string{"rule"}},
	"move":    {true, (*run).move, []string{"rule", "section", "parent", "after"}},
	"set":     {false, (*run).amendSet, []string{"table", "row", "column", "value"}},
	"create":  {false, (*run).amendCreate, []string{"table", "values"}},
	"remove":  {false, (*run).amendRemove, []string{"table", "row"}},
	"keyword": {false, (*run).amendKeyword, []string{"key", "one", "many"}},
	"measure": {false, (*run).measure, []string{"name", "args"}},
}

func (a amendment) text(name string) string {
	s, _ := a[name].(string)
	return s
}

func (a amendment) int(name string) int64 {
	i, _ := a[name].(int64)
	return i
}

// rule finds the rule that an amendment names by title or id.
func (r *run) ruleOf(a amendment) (int64, error) {
	if id, ok := a["rule"].(int64); ok && r.w.state.Has(tableRules, id) {
		return id, nil
	}
	if id := r.w.ruleTitled(a.text("rule")); id != 0 {
		return id, nil
	}
	return 0, fmt.Errorf("there is no rule %q", a.text("rule"))
}

// place finds the section and the parent that an amendment names.
func (r *run) place(a amendment) (section, parent int64, err error) {
	if title := a.text("parent"); title != "" {
		if parent = r.w.ruleTitled(title); parent == 0 {
			return 0, 0, fmt.Errorf("there is no rule %q to stand below", title)
		}
		return r.w.int(tableRules, parent, "section"), parent, nil
	}
	sections := r.w.state.Rows(tableSections)
	if n := a.int("section"); n >= 1 && n <= int64(len(sections)) {
		return sections[n-1], 0, nil
	}
	title := a.text("section")
	section = r.w.index(tableSections, func(id int64) bool {
		return title != "" && casefold(r.w.text(tableSections, id, "title")) == casefold(title)
	})
	if section == 0 {
		return 0, 0, fmt.Errorf("there is no section %v", a["section"])
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
func (r *run) readDocument(a amendment, self int64) (text, title string, err error) {
	text = strings.ReplaceAll(a.text("text"), "\r\n", "\n")
	doc, err := parseDocument(text)
	if err != nil {
		return "", "", err
	}
	if other := r.w.ruleTitled(doc.title); other != 0 && other != self {
		return "", "", &Refusal{Code: CodeArgument, Rule: doc.title, Line: 1, Reason: "there is another rule with this title"}
	}
	return text, doc.title, nil
}

func (r *run) enact(a amendment) error {
	if len(r.w.state.Rows(tableRules)) >= MaxRules {
		return &Refusal{Code: CodeLimit, Reason: fmt.Sprintf("a ruleset may have %d rules", MaxRules)}
	}
	section, parent, err := r.place(a)
	if err != nil {
		return err
	}
	text, title, err := r.readDocument(a, 0)
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
	return r.arrange(id, a.text("after"))
}

func (r *run) amend(a amendment) error {
	id, err := r.ruleOf(a)
	if err != nil {
		return err
	}
	if base := a.text("base"); base != r.w.ruleFingerprint(id) {
		return &Refusal{Code: CodeRefused, Rule: r.w.text(tableRules, id, "title"), Reason: "the rule has changed since this amendment was written"}
	}
	text, title, err := r.readDocument(a, id)
	if err != nil {
		return err
	}
	if err := r.revise(id, "amended"); err != nil {
		return err
	}
	r.changed(Change{Op: ChangeSet, Table: tableRules, Row: id, Column: "text", Old: r.w.ruleFingerprint(id), New: fingerprint(text)})
	return r.w.setAll(tableRules, id, cells{"title": title, "text": text})
}

func (r *run) repeal(a amendment) error {
	id, err := r.ruleOf(a)
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

func (r *run) move(a amendment) error {
	id, err := r.ruleOf(a)
	if err != nil {
		return err
	}
	section, parent, err := r.place(a)
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
	return r.arrange(id, a.text("after"))
}

// revise keeps what a rule said before a change.
func (r *run) revise(id int64, change string) error {
	_, err := r.w.newRow(tableRevisions, cells{
		"rule": id, "title": r.w.text(tableRules, id, "title"), "text": r.w.text(tableRules, id, "text"),
		"entry": int64(len(r.w.log) + 1), "time": r.w.now, "change": change,
	})
	return err
}

func (r *run) amendSet(a amendment) error {
	decl := r.w.decl.tables[a.text("table")]
	if decl == nil || decl.column(a.text("column")) == nil {
		return fmt.Errorf("there is no column %s in %s", a.text("column"), a.text("table"))
	}
	c := decl.column(a.text("column"))
	if c.sealed {
		return fmt.Errorf("only the kernel sets %s", c.name)
	}
	if !r.w.state.Has(decl.name, a.int("row")) {
		return fmt.Errorf("there is no %s %d", decl.one, a.int("row"))
	}
	return r.w.setCell(r, decl.name, a.int("row"), c, a["value"])
}

func (r *run) amendCreate(a amendment) error {
	values, _ := a["values"].(map[string]any)
	_, err := r.create(a.text("table"), values)
	return err
}

func (r *run) amendRemove(a amendment) error {
	return r.remove(a.text("table"), a.int("row"))
}

func (r *run) amendKeyword(a amendment) error {
	key, one, many := a.text("key"), a.text("one"), a.text("many")
	if _, ok := r.w.word(key); !ok {
		return fmt.Errorf("there is no keyword %q", key)
	}
	if many == "" {
		many = one + "s"
	}
	for _, word := range []string{one, many} {
		if _, err := textOf(MaxName).Check(word); err != nil || strings.TrimSpace(word) == "" {
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

func (r *run) measure(a amendment) error {
	m := r.w.decl.measures[a.text("name")]
	if m == nil {
		return fmt.Errorf("the rules have no measure %q", a.text("name"))
	}
	args, _ := a["args"].(map[string]any)
	kwargs, err := r.w.arguments(m.params, args, 0)
	if err != nil {
		return err
	}
	if m.check != nil {
		v, err := r.w.look(m.check, kwargs)
		if err != nil {
			return err
		}
		if refused := reasonOf(v, m.rule); refused != nil {
			return refused
		}
	}
	_, err = r.call(hook{m.run, m.origin}, kwargs)
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

func runApply(t *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	list, err := unpackAmendments(b, args, kwargs)
	if err != nil {
		return nil, err
	}
	r, err := writing(t, b)
	if err != nil {
		return nil, err
	}
	return starlark.None, r.apply(list)
}

func runProblems(t *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	list, err := unpackAmendments(b, args, kwargs)
	if err != nil {
		return nil, err
	}
	r, err := running(t, b)
	if err != nil {
		return nil, err
	}
	var out []starlark.Value
	if refused := r.problem(list); refused != nil {
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

func unpackAmendments(b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) ([]any, error) {
	var v starlark.Value
	if err := starlark.UnpackArgs(b.Name(), args, kwargs, "amendments", &v); err != nil {
		return nil, err
	}
	plain, err := fromStarlark(v)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", b.Name(), err)
	}
	list, ok := plain.([]any)
	if !ok && plain != nil {
		return nil, fmt.Errorf("%s: amendments are a list", b.Name())
	}
	return list, nil
}
