package ledger

// Clause returns the clause of SPEC.md that specifies a check.
func (c Code) Clause() string {
	return clauses[c]
}

// clauses is never changed.
var clauses = map[Code]string{
	CodeSize: "3.1", CodeVersion: "3.2", CodeRoom: "3.3", CodeEpoch: "3.4", CodeDecrypt: "3.5",
	CodePadding: "3.6", CodeContent: "3.7", CodePart: "3.8", CodeNonce: "3.9",
	CodeSigned: "4.1", CodeAction: "4.2", CodeDevice: "4.3", CodeActionVersion: "4.4", CodeSeq: "4.5",
	CodePrev: "4.6", CodeHeads: "4.7", CodeClaimed: "4.8", CodeKind: "4.9", CodeFirst: "4.10", CodeNoGame: "4.11",
	CodeBody: "4.12", CodeKey: "4.13", CodeSignature: "4.14",
	CodeGame: "5.2", CodeGenesis: "5.3", CodeDepends: "5.4", CodeEnrol: "5.5", CodeFeed: "5.6", CodeLink: "5.7",
	CodeSeal: "6.1", CodeSealKey: "6.2", CodeSealSign: "6.3", CodeSealRoom: "6.4", CodeNotary: "6.5",
	CodeNotaryFork: "6.6", CodeSealAhead: "6.7", CodeSealPrev: "6.8", CodeSealLink: "6.9", CodeSealTime: "6.10",
	CodeMotion: "12.1", CodeBallot: "12.2", CodeMove: "13.4",
	CodeFork: "7.6", CodeFull: "9.2",
}
