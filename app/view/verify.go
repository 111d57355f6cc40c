package view

import "context"

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
