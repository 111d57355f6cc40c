package game

import (
	"bytes"
	"strconv"
)

// FileKind is the kind of a file, by its first bytes.
type FileKind int

// The kinds of files that players give to each other.
const (
	OtherFile FileKind = iota
	GameFile           // an exported game: engine/ledger/SPEC.md, section 8
	RollFile           // a roll's transcript: engine/dice/SPEC.md
	KeyFile            // the backup of an identity
	NewerFile          // one of these, of a later version than this program reads
)

// fileVersion is the version of all of them that this program reads.
const fileVersion = 1

// Each begins with a name and a version. In a transcript, the first bytes of its encoding come before the name.
const (
	gameName   = "peernomic archive "
	rollName   = "peernomic roll "
	keyName    = "peernomic identity backup "
	nameWithin = 32
)

// KindOf returns the kind that a file claims to be. The reader of that kind checks the rest.
func KindOf(file []byte) FileKind {
	head := file[:min(len(file), nameWithin+len(keyName))]
	for _, k := range []struct {
		name   string
		kind   FileKind
		within int // bytes allowed before the name
	}{{gameName, GameFile, 0}, {keyName, KeyFile, 0}, {rollName, RollFile, nameWithin - len(rollName)}} {
		at := bytes.Index(head, []byte(k.name))
		switch {
		case at < 0 || at > k.within:
			continue
		case versionOf(head[at+len(k.name):]) > fileVersion:
			return NewerFile
		}
		return k.kind
	}
	return OtherFile
}

// versionOf reads a version such as v2. It is 0 if there is none.
func versionOf(b []byte) int {
	digits, ok := bytes.CutPrefix(b, []byte("v"))
	n := 0
	for n < len(digits) && digits[n] >= '0' && digits[n] <= '9' {
		n++
	}
	version, err := strconv.Atoi(string(digits[:n]))
	if !ok || err != nil {
		return 0
	}
	return version
}
