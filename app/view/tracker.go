package view

import "context"

// TrackerReader serves the tracker.
type TrackerReader interface {
	// Tracker returns the tables of the game and the log of what changed them.
	Tracker(ctx context.Context) (*Tracker, error)
}

// Tracker is all tables and the log.
type Tracker struct {
	Tables    []Table
	Variables []Variable
	Log       []Entry
	Edit      *Action // edits a value by hand
	DiceWords []string
	Since     int64 // when I looked last before this visit; cells changed since say so
}

// Table is one table of the gamestate.
type Table struct {
	Name, Title, One string
	Columns          []Column
	Rows             []Row
}

// Column is one column of a table.
type Column struct {
	Name, Title, Doc, Kind string
	Edit, Derived          bool
	Choices                []Choice
	Min, Max               *int64
}

// Row is one row of a table.
type Row struct {
	ID    int64
	Label string
	Mine  bool
	Cells []Cell
}

// Cell is one value, as it is shown and as it is edited.
type Cell struct {
	Text, Raw          string
	Number             int64
	Numeric            bool
	Changed, Tentative bool
}

// Variable is a value of the whole game.
type Variable struct{ Name, Title, Text, Doc string }

// Entry is one line of the log.
type Entry struct {
	Number, Time                   int64
	Who, Action, Comment           string
	Changes                        []Change
	Notes                          []string
	Rolls                          []Chip
	Tentative, CanUndo             bool
	Waits, Refused, RefusedBy, Ref string
	About, Icon, Glyph             string // which post it was about, and the icon used
}
