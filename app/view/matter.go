package view

import "context"

// MatterReader serves the list of matters and the page of each.
type MatterReader interface {
	// Matters returns what is to be decided, and what was.
	Matters(ctx context.Context) (*Matters, error)
	// Matter returns one of them by the id of its post, or [ErrNone].
	Matter(ctx context.Context, id int64) (*Matter, error)
	// Outlook tries what a matter would change. It carries the rules out anew, so it takes longer than the matter itself.
	Outlook(ctx context.Context, id int64) (*Outlook, error)
	// VoteEffect tells what a vote on a matter would count as, and what would follow.
	VoteEffect(ctx context.Context, post int64, name string, args map[string]any) (*VoteEffect, error)
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

// VoteIcon is one a comment can carry.
type VoteIcon struct {
	Word, Title, Glyph string
	Reason             string // why I cannot use it, or empty
}

// TallyPart is one side of a tally.
type TallyPart struct {
	Word, Glyph string
	Count       int
}

// Vote is how one person stands in a matter.
type Vote struct {
	Player, Icon, Glyph, Counts, Why string
	You                              bool
}

// VoteEffect is what a vote would do that is not cast yet.
type VoteEffect struct {
	Refused string   // why it would not be taken, or empty
	Says    []string // sentences: what it counts as first, and then what follows
}

// Way is one way a matter can end.
type Way struct {
	Can, Why string
	Open     bool
	From     int64
	Action   *Action
}

// Outlook is what the amendments of a matter would do now, or why they could not be carried out.
type Outlook struct {
	Problems []Problem
	Effects  *Preview
}

// Amendment is one change that a matter would make.
type Amendment struct {
	What, Old, New string // Old and New are whole documents or values
	Document       bool   // Old and New are rule documents
	Problem        string
}
