package ui

// Feed is the game's journal of posts.
type Feed struct {
	Posts      []Post
	Post       *Action  // writes a post
	Comment    *Action  // comments on one
	Edit       *Action  // alters one that says CanEdit
	Remove     *Action  // takes one back that says CanRemove
	Categories []string // that a post can be written in
}

// Post is one entry of the feed.
type Post struct {
	ID                             int64
	Category, Title, Body, Author  string
	AuthorID, Time, Edited         int64
	Official, Mine, Matter         bool
	Status, Outcome                string // Outcome: open, passed, failed, or empty
	Comments                       []Comment
	Tentative                      bool
	Waits                          string
	CanComment, CanEdit, CanRemove bool
	Fingerprint                    string // of the text as it reads now
	Note                           string // what an admin added
	Flavour                        string // goes with the text and is no part of it
}

// Comment is one comment with or without a vote icon.
type Comment struct {
	ID                   int64
	Author, Text         string
	AuthorID, Time       int64
	Icon, Glyph          string     // the last of its icons
	Before               []VoteIcon // the others, in their order
	Stale, Tentative, Me bool
	Waits                string
}

// VoteIcon is one a comment can carry.
type VoteIcon struct {
	Word, Title, Glyph string
	Reason             string // why I cannot use it, or empty
}

// Matters are the things that are decided.
type Matters struct {
	Open, Closed []MatterLine
	Make         []Action // what makes a new one in the workshop
}

// MatterLine is a matter in a list.
type MatterLine struct {
	ID                              int64
	Category, Title, Author, Status string
	Outcome, Next, Mine, MineGlyph  string
	Time                            int64
	Tally                           []TallyPart
	Quorum, Electorate, Missing     int
	NeedsMe, Tentative              bool
}

// TallyPart is one side of a tally.
type TallyPart struct {
	Word, Glyph string
	Count       int
}

// Vote is how one person stands in a matter.
type Vote struct {
	PlayerID                         int64
	Player, Icon, Glyph, Counts, Why string
	You, Idle                        bool
}

// VoteEffect is what a vote would do that is not cast yet.
type VoteEffect struct {
	Refused string   // why it would not be taken, or empty
	Says    []string // sentences: what it counts as first, and then what follows
}

// Way is one way a matter can end.
type Way struct {
	Can, Why, Rule string
	Open           bool
	From           int64
	Action         *Action
}

// Matter is one matter in full.
type Matter struct {
	Post
	Tally              []TallyPart
	Quorum, Electorate int
	Votes              []Vote
	Ways               []Way
	Next               string
	Amendments         []Amendment
	Ahead              bool // what the amendments would do can be asked for
	Icons              []VoteIcon
	Mine               string
	Vote, Reply        *Action
	Edit, Remove       *Action
}

// Outlook is what the amendments of a matter would do now, or why they could not be carried out.
type Outlook struct {
	Problems []Problem
	Effects  *Preview
}

// Amendment is one change that a matter would make.
type Amendment struct {
	Op, What, Old, New string // Old and New are whole documents or values
	Document           bool   // Old and New are rule documents
	Problem            string
}

// Workshop is what a proposal can be made from.
type Workshop struct {
	Propose []Action // actions that make something with amendments
	Rules   []RuleSource
	Tables  []Table
	Words   []Keyword
	// Measures are what a proposal can do besides amending.
	Measures []Action
	Edits    []PostEdit // posts with amendments that I may alter
}

// PostEdit is a post with amendments that its author may still alter.
type PostEdit struct {
	Post        int64
	Title, Body string
	Action      Action
	Amendments  []any    // as they are
	Says        []string // and in words
}

// RuleSource is a rule as it is edited.
type RuleSource struct {
	Number, Title, Fingerprint, Text string
	Name                             string // the title as it is read, with the words in force
	Section                          int
}

// Keyword is one of the dynasty's words.
type Keyword struct{ Key, One, Many string }
