package game

import "bytes"

// FileKind is what a file says at its beginning that it is.
type FileKind int

// The files that players pass on.
const (
	OtherFile FileKind = iota
	GameFile           // an exported game: engine/ledger/SPEC.md, section 8
	RollFile           // a roll's transcript: engine/dice/SPEC.md
	KeyFile            // the backup of an identity
)

// How they begin. Before a transcript's name stand the first bytes of its encoding.
const (
	gameName   = "peernomic archive "
	rollName   = "peernomic roll "
	keyName    = "peernomic identity backup "
	nameWithin = 32
)

// KindOf tells what a file claims to be, in whatever version; whether it is that, or any good, is for its reader.
func KindOf(file []byte) FileKind {
	switch head := file[:min(len(file), nameWithin)]; {
	case bytes.HasPrefix(file, []byte(gameName)):
		return GameFile
	case bytes.HasPrefix(file, []byte(keyName)):
		return KeyFile
	case bytes.Contains(head, []byte(rollName)):
		return RollFile
	}
	return OtherFile
}
