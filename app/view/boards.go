package view

import "context"

// BoardReader serves the pages that rules make.
type BoardReader interface {
	// Pages lists the pages that rules make.
	Pages(ctx context.Context) (*Pages, error)
	// Board draws a page that rules make of cards: by its name and maybe a row, "battle/3", or,
	// as a gallery, all cards of a table. Where there is none it returns [ErrNone].
	Board(ctx context.Context, name string, gallery bool) (*Board, error)
	// Forecast tells what an action may do, with some arguments given and the first choice for the rest.
	Forecast(ctx context.Context, name string, fixed map[string]any) (*Forecast, error)
}

// Pages are the pages that rules make.
type Pages struct {
	Pages  []RulePage
	Boards []BoardLink
}

// RulePage is one page made by a rule.
type RulePage struct{ Name, Title, Body, Rule string }

// BoardLink leads to a board, or to all boards or cards of a table.
type BoardLink struct {
	Title, Href string
	Many        bool // of a table: one for each of its rows
}

// Board is a page that a rule makes of cards and other parts.
type Board struct {
	Title, Rule string
	Under       string // the page that it belongs to: its title and path
	UnderHref   string
	Decisions   []Decision
	Parts       []Part
	Problem     string // why it cannot be drawn
}

// Part is a piece of a board. Which fields count depends on its kind: "text", "card", "meter",
// "place", "thread" or "deeds".
type Part struct {
	Kind, Title string
	Text        string // Markdown
	Shape       string // of a place: "stack", "row", "grid" or "ladder"
	Until       int64
	Card        *Card
	Meter       *Meter
	Parts       []Part
	Lines       []ThreadLine
	Deeds       []Deed
}

// Card shows one thing of the game, mostly a row of a table.
type Card struct {
	Title, Subtitle, Swatch, Glyph, Text string
	Owner, Href                          string
	Mine                                 bool
	Stats                                []StatGroup
	Meters                               []Meter
	Parts                                []Part
}

// StatGroup are values under a heading, which may be empty.
type StatGroup struct {
	Title string
	Stats []Stat
}

// Stat is a value with its title.
type Stat struct{ Title, Value string }

// Meter is a value between two ends.
type Meter struct {
	Title      string
	Value, Max int64  // the whole part of the value
	Exact      string // the value, if it is not whole
	Fill       int64  // in thousandths
	Low        bool
}

// ThreadLine is a comment with the dice of the action that made it.
type ThreadLine struct {
	Who, Text string // Text is Markdown
	Time      int64
	Rolls     []Chip
	Tentative bool
}

// Deed is an action with what it is done to.
type Deed struct {
	Action Action
	Fixed  map[string]any
}

// Forecast is what an action may do, the dice being open.
type Forecast struct {
	Lines []string // what may change, and how far
	None  string   // why it cannot be told, or empty
}
