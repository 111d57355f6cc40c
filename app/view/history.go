package view

import "context"

// HistoryReader serves the page History.
type HistoryReader interface {
	// History returns a line for each action, and what can be plotted.
	History(ctx context.Context) (*History, error)
	// Plot follows a column through the whole game.
	Plot(ctx context.Context, table, column string) (*Plot, error)
}

// History is the whole game, one line an action.
type History struct {
	At     int           // how many actions have happened at the moment looked at
	Lines  []HistoryLine // oldest first
	Tables []Table       // with the columns that can be plotted, without rows
}

// HistoryLine is one action in one line.
type HistoryLine struct {
	N                int // from 1
	Time             int64
	Who, What, About string
	Refused          bool
	Changes          int
	Rolls            []Chip
}

// Moment is a point of the game's past that a person looks at.
type Moment struct {
	At, Of int // after so many actions, of so many that there are
	Line   HistoryLine
}

// Plot is how the values of a column went.
type Plot struct {
	Title    string
	From, To int64
	Lines    []PlotLine
}

// PlotLine is one row's value; it holds from each point to the next.
type PlotLine struct {
	Label  string
	Points []PlotPoint
}

// PlotPoint is a value and since when it holds.
type PlotPoint struct{ Time, Value int64 }
