package view

import "context"

// Host is this device: the games on it and the identity that plays them. Its
// methods may block and are called off the UI goroutine, except Watch and Opening.
type Host interface {
	// Watch calls changed, coalesced and on any goroutine, when Home may have
	// changed, until cancel is called.
	Watch(changed func()) (cancel func())
	// Manual returns a page for authors of rules, as Markdown: "first-rule" or "reference".
	Manual(ctx context.Context, page string) (string, error)

	Library
	Founder
	Door
	Keyring
	Verifier
}

// Keyring keeps the identity of the person at this device.
type Keyring interface {
	// Backup returns the identity as words and as a file locked with a passphrase.
	Backup(ctx context.Context, passphrase string) (*Backup, error)
	// Restore takes over an identity from words or from a file and its passphrase.
	Restore(ctx context.Context, words string, file []byte, passphrase string) error
}

// Backup is an identity to be kept.
type Backup struct {
	Words []string
	File  []byte
	Name  string // file name
}

// Verifier checks files, whoever made them.
type Verifier interface {
	// Verify checks an exported game or the proof of a roll. It tells now and then how much is done, and of
	// how much.
	Verify(ctx context.Context, file []byte, tell func(done, total int)) (*Verdict, error)
	// VerifyRoll checks the proof of a roll together with the exported game that it is from.
	VerifyRoll(ctx context.Context, proof, exported []byte, tell func(done, total int)) (*Verdict, error)
}

// Verdict is what came of checking a file.
type Verdict struct {
	OK                 bool
	None               bool // there is nothing to check, as Text says
	Alone              bool // the proof of a roll, without the game that shows whether the roll counted
	What, Text, Clause string
	Facts              []Fact
}
