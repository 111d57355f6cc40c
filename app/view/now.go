package view

import "context"

// NowReader serves the page Now.
type NowReader interface {
	// Now returns what waits for the person, and what they can do.
	Now(ctx context.Context) (*Now, error)
}

// Now is what needs me and what I can do.
type Now struct {
	Decisions []Decision
	Needs     []Need
	Groups    []Group
	Closed    []Action
	Next      string // what happens next without me
}

// Need is something that waits for me.
type Need struct {
	Kind, Title, Text, Href, Go string
	Until                       int64
	Action                      *Action
	Tentative                   bool
	Key                         string         // tells needs with one action apart
	Fixed                       map[string]any // values of the action that are not asked for
	Given                       []string       // parameters whose default was said before: shown, and asked for only on request
}

// Group is a heading with actions under it.
type Group struct {
	Title   string
	Seldom  bool // of the rules about rules: kept folded
	Actions []Action
}

// Decision is a choice that a rule has put before me.
type Decision struct {
	ID        int64
	Question  string
	Otherwise string // what is chosen by time; empty if nothing is
	Until     int64
	Options   []Choice
	Shut      string // why I cannot choose now; empty if I can
}
