package ui

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
	Face        *Face
	Gauge       *Gauge
	Parts       []Part
	Lines       []ThreadLine
	Deeds       []Deed
}

// Face is what a card shows.
type Face struct {
	Title, Subtitle, Swatch, Glyph, Text string
	Owner, Href                          string
	Mine                                 bool
	Stats                                []FaceGroup
	Gauges                               []Gauge
	Parts                                []Part
}

// FaceGroup are values under a heading, which may be empty.
type FaceGroup struct {
	Title string
	Stats []Fact
}

// Gauge is a value between two ends.
type Gauge struct {
	Title           string
	Value, Min, Max int64
	Exact           string // the value, if it is not whole
	Fill            int64  // in thousandths
	Low             bool
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

// BoardLink leads to a board, or to all boards or cards of a table.
type BoardLink struct {
	Title, Href string
	Many        bool // of a table: one for each of its rows
}

// Decision is a choice that a rule has put before me.
type Decision struct {
	ID             int64
	Question, Rule string
	Otherwise      string // what is chosen by time; empty if nothing is
	Until          int64
	Options        []Choice
	Shut           string // why I cannot choose now; empty if I can
}

// Forecast is what an action may do, the dice being open.
type Forecast struct {
	Lines []string // what may change, and how far
	None  string   // why it cannot be told, or empty
}
