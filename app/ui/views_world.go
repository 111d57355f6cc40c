package ui

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
	Script, Source         string
	Fingerprint            string
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
	Name, Title, Doc, Rule, Kind string
	Edit, Derived                bool
	Choices                      []Choice
	Min, Max                     *int64
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
type Variable struct{ Name, Title, Text, Doc, Rule string }

// Entry is one line of the log.
type Entry struct {
	Number, Time, WhoID            int64
	Who, Action, Rule, Comment     string
	Changes                        []Change
	Notes                          []string
	Rolls                          []Chip
	Tentative, CanUndo             bool
	Waits, Refused, RefusedBy, Ref string
	About, Icon, Glyph             string // which post it was about, and the icon used
}

// Pages are the pages that rules make.
type Pages struct {
	Pages  []RulePage
	Boards []BoardLink
}

// RulePage is one page made by a rule.
type RulePage struct{ Name, Title, Body, Rule string }

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

// Fact is a name and a value, the value being hex or text.
type Fact struct {
	Name, Value string
	Help        string // what it is, where the name does not say it
	Code        bool
}

// Proof is one check of a roll.
type Proof struct {
	Text, Detail string
	OK           bool
}

// People is the roster.
type People struct {
	People  []Person
	Actions []Action // standing of people: join, leave, idle and the like
	Invite  string
}

// Settings is what concerns this device and this game.
type Settings struct {
	Invite, RelayURL, Version, Notary, Digest string
	Seals                                     uint64
	Placed, Tentative                         int
	Net                                       Net
	BackedUp                                  bool
	Storage                                   string
	Options                                   []Fact
	Findings                                  []Finding
}

// Finding is what reached this device and does not count, for one reason.
type Finding struct {
	Code, Text string
	Count      int
}

// Verdict is what came of checking a file.
type Verdict struct {
	OK                 bool
	None               bool // there is nothing to check, as Text says
	Alone              bool // the proof of a roll, without the game that shows whether the roll counted
	What, Text, Clause string
	Facts              []Fact
}

// Backup is an identity to be kept.
type Backup struct {
	Words []string
	File  []byte
	Name  string // file name
}
