package view

import "context"

// WorkshopReader serves the workshop, where proposals are written.
type WorkshopReader interface {
	// Workshop returns what a proposal can be made from.
	Workshop(ctx context.Context) (*Workshop, error)
	// Check tells what is wrong with amendments now.
	Check(ctx context.Context, amendments []any) (*DraftCheck, error)
}

// DraftKeeper keeps what somebody has begun to write, on this device.
type DraftKeeper interface {
	// Draft returns the draft that is kept under a key, or an empty text.
	Draft(ctx context.Context, key string) (string, error)
	// SaveDraft keeps a draft; an empty text removes it.
	SaveDraft(ctx context.Context, key, text string) error
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
type Keyword struct{ Key, One string }

// DraftCheck is what the rules say of changes that somebody drafts.
type DraftCheck struct {
	Problems   []Problem // why they could not be enacted now
	Recognised []string  // what the rules take them for, and what follows; Markdown
}

// Problem is something wrong with a rule.
type Problem struct {
	Rule    string
	Line    int
	Message string
}
