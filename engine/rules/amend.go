package rules

import (
	"errors"
	"fmt"
	"strings"

	"go.starlark.net/starlark"

	"peernomic/engine/rules/amendment"
	"peernomic/engine/rules/declare"
	"peernomic/engine/rules/document"
	"peernomic/engine/rules/internal/convert"
	"peernomic/engine/rules/sandbox"
	"peernomic/engine/state"
)

// apply carries amendments out, in order. Changes of rules that follow each other take effect together: two rules that
// need each other can be enacted by one proposal.
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
	case *amendment.Enact, *amendment.Amend, *amendment.Replace, *amendment.Repeal, *amendment.Move:
		return true
	}
	return false
}

// carryOut carries one amendment out. What it changes is told beforehand by [World.touches].
func (r *run) carryOut(a amendment.Amendment) error {
	if change, ok := cellsChanged(a); ok {
		return r.amendCells(change)
	}
	switch a := a.(type) {
	case *amendment.Enact:
		return r.enact(a)
	case *amendment.Amend, *amendment.Replace:
		return r.amend(a)
	case *amendment.Repeal:
		return r.repeal(a)
	case *amendment.Move:
		return r.move(a)
	case *amendment.Create:
		_, err := r.create(a.Table, a.Values)
		return err
	case *amendment.Remove:
		return r.remove(a.Table, a.Row)
	case *amendment.Keyword:
		return r.amendKeyword(a)
	case *amendment.Measure:
		return r.measure(a)
	case *amendment.Seat:
		return r.amendSeat(a)
	}
	return fmt.Errorf("nothing carries out %q", a.Op())
}

// reloadRules puts changed rules in force, makes the state fit them, and tells them so.
func (r *run) reloadRules() error {
	former := r.w.decl
	err := r.w.reload(r)
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
