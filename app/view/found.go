package view

import "context"

// Founder makes new games.
type Founder interface {
	// Rulesets returns what a game can be founded with.
	Rulesets(ctx context.Context) ([]Ruleset, error)
	// Found makes a new game and returns its room. Without a relay it fails with [ErrNoRelay],
	// unless the game is for practice.
	Found(ctx context.Context, f Founding) (room string, err error)
}

// Ruleset is one that a game can be founded with.
type Ruleset struct {
	Name, Title, Summary, Mood, Learn, Accent string
	Options                                   []Option
}

// Option is a choice that the founder makes.
type Option struct {
	Name, Label, Help, Default string
	Choices                    []Choice
}

// Choice is one of several values; Value is what goes back.
type Choice struct {
	Value any
	Label string
}

// Founding is what a new game is made from.
type Founding struct {
	Ruleset, Title, Name string
	Options              map[string]string
	Practice             bool // alone on this device, without a relay
}
