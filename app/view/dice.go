package view

import "context"

// DiceReader serves the list of rolls and the page of each.
type DiceReader interface {
	// Rolls returns every roll of the game.
	Rolls(ctx context.Context) (*Rolls, error)
	// Roll returns one with its proof, by its id, or [ErrNone].
	Roll(ctx context.Context, id string) (*Roll, error)
}

// Rolls is every roll of the game, newest first.
type Rolls struct {
	Rolls   []RollLine
	Waiting string // a roll whose dice have not fallen yet; empty if there is none
}

// RollLine is a roll in a list.
type RollLine struct {
	Chip
	Who, For  string
	Time      int64
	Witnessed string // how many witnesses it had, if it should have some
	Alone     bool   // it had none of those
}

// Roll is one action's dice with their proof.
type Roll struct {
	RollLine
	All        []Chip // every die of the same action, this one included
	Facts      []Fact
	Checks     []Proof
	Unproved   string // why it has no proof of its own, if it has none
	Transcript []byte
	JSON       string
}

// Chip is one roll, small.
type Chip struct {
	ID           string
	Sides, Value uint64
	Face         string // what a dice word shows, such as a fruit
	Tentative    bool
}

// Proof is one check of a roll.
type Proof struct {
	Text, Detail string
	OK           bool
}

// Fact is a name and a value, the value being hex or text.
type Fact struct {
	Name, Value string
	Help        string // what it is, where the name does not say it
	Code        bool
}
