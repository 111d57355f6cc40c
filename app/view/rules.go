package view

import "context"

// RuleReader serves the book of rules and the page of each rule.
type RuleReader interface {
	// Book returns the contents of the ruleset.
	Book(ctx context.Context) (*Book, error)
	// Rule returns a rule by its title, or [ErrNone].
	Rule(ctx context.Context, title string) (*Rule, error)
}

// Book is the contents of the ruleset.
type Book struct{ Sections []Section }

// Section is a part of the ruleset.
type Section struct {
	Number, Title string
	Rules         []RuleLine
}

// RuleLine is a rule in the contents.
type RuleLine struct {
	Number, Title string
	Depth         int
	Amended       int64
	Tentative     bool
}

// Rule is one rule in full.
type Rule struct {
	Number, Title, Section string
	Prose                  string // Markdown with live values filled in
	Script                 string
	Makes                  []string // what it declares, in words
	Actions                []string
	Subrules               []RuleLine
	History                []Revision
	Previous, Next         string // titles of the neighbours
}

// Revision is one text of a rule.
type Revision struct {
	Time        int64
	Who, What   string
	Matter      int64
	MatterTitle string
	Text        string
}
