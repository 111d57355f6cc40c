package rules

import (
	"errors"
	"maps"
	"slices"

	"go.starlark.net/starlark"

	"peernomic/engine/rules/declare"
	"peernomic/engine/rules/document"
)

// Survey is what a ruleset's documents hold, as far as they can be read: for tools that help
// their authors. A game is founded with [Found], which stops at the first problem.
type Survey struct {
	Problems []*document.Problem // why documents and rules do not load, one a rule at most, in their order
	Declared []declare.Declared  // in the order of the rules, those of the kernel first
	Words    []string            // every name that scripts find without declaring or loading it
	Fields   []string            // what values have by a dot that no rule declares: methods and fields
	world    *World
}

// Look surveys a ruleset.
func Look(docs []document.Document) *Survey {
	s := &Survey{}
	for docs = slices.Clone(docs); ; {
		s.world = newWorld(Founding{})
		err := s.world.placeDocuments(docs)
		if err == nil {
			break
		}
		at := s.report(err)
		left := slices.DeleteFunc(docs, func(d document.Document) bool { return d.Path == at })
		if len(left) == len(docs) {
			break
		}
		docs = left
	}
	l := s.world.loader()
	for _, id := range s.world.ruleOrder() {
		if _, err := l.load(id, nil); err != nil {
			s.report(err)
		}
	}
	if err := l.decl.CheckTables(); err != nil && len(s.Problems) == 0 {
		s.report(err)
	}
	s.world.decl = l.decl
	s.Declared = l.decl.List()
	s.Words = slices.Sorted(maps.Keys(s.world.predeclared))
	s.Fields = fieldNames()
	return s
}

// report keeps a problem, once, and returns the rule that it names.
func (s *Survey) report(err error) string {
	var p *document.Problem
	if !errors.As(err, &p) {
		p = &document.Problem{Message: err.Error()}
	}
	if !slices.Contains(s.Problems, p) { // who loads from a rule that does not load has the same
		s.Problems = append(s.Problems, p)
	}
	return p.Rule
}

// RuleTitled returns the number and the title of a rule by its title as written or read.
func (s *Survey) RuleTitled(title string) (number, heading string, ok bool) {
	id := s.world.ruleTitled(title)
	if id == 0 {
		return "", "", false
	}
	return s.world.ruleNumber(id), s.world.text(tableRules, id, "title"), true
}

// RuleNumbered returns the title of the rule with a number such as "2.6.1".
func (s *Survey) RuleNumbered(number string) (heading string, ok bool) {
	for _, id := range s.world.ruleOrder() {
		if s.world.ruleNumber(id) == number {
			return s.world.text(tableRules, id, "title"), true
		}
	}
	return "", false
}

// fieldNames are the methods of texts, lists, dicts and sets, and the fields of what the kernel
// returns as structs.
func fieldNames() []string {
	names := []string{
		"day", "week", "weekday", "year", "month", "date", "starts", "text", // calendar()
		"number", "player", "action", "time", "refused", "changes", "op", "table", "row", "column", "old", "new", // log_entry()
		"section", "rule", "parent", "title", "what", "row", "value", // touched()
		"by", // a secret
	}
	for _, v := range []starlark.HasAttrs{starlark.String(""), starlark.NewList(nil), starlark.NewDict(0), starlark.NewSet(0)} {
		names = append(names, v.AttrNames()...)
	}
	return append(names, slices.Sorted(maps.Keys(declare.ReservedNames))...)
}
