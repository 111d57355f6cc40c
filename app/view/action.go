package view

import "context"

// Player acts in a game.
type Player interface {
	// Act takes an action. A refusal is a result; an error means that it could not
	// be tried or kept.
	Act(ctx context.Context, name string, args map[string]any) (*Result, error)
	// Fate tells what became of an action that was tentative, by its reference.
	Fate(ctx context.Context, ref string) (*Result, error)
	// Preview tells what an action would do if it were taken now.
	Preview(ctx context.Context, name string, args map[string]any) (*Preview, error)
}

// Action is something that the rules let people do.
type Action struct {
	Name, Title, Help, Rule, Dice string
	Params                        []Param
	Open                          bool
	Reason                        string // why it is closed
	Until                         int64  // when that changes
	Left                          string // what is left of an allowance
}

// Param is a value that an action asks for.
type Param struct {
	Name, Label, Help, Kind, Table string
	Min, Max                       *int64
	MaxLen                         int
	Choices                        []Choice
	Default                        any
	Optional                       bool
	Listed                         bool // Choices is all there is to choose from
}

// Result is what became of an action.
type Result struct {
	Refused  string // the reason, or empty
	Rule     string // the rule that refused
	Until    int64
	Waits    string // what a tentative action waits for, or empty
	Notes    []string
	Rolls    []Chip
	Changes  []Change
	NewPost  int64
	EntryRef string
	Undo     int64 // entry of the log by which it can be undone; 0 if it cannot
}

// Change is one value that changed, in words.
type Change struct{ Row, Column, Old, New string }

// Preview is what an action would do.
type Preview struct {
	Refused  string
	Outcomes []Outcome
	Partial  bool // more outcomes exist than were tried
}

// Outcome is one way an action may turn out.
type Outcome struct {
	Chance, Dice string
	Changes      []Change
	Notes        []string
}

// Choice is one of several values; Value is what goes back.
type Choice struct {
	Value any
	Label string
}
