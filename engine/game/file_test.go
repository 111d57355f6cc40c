package game

import (
	"bytes"
	"os"
	"testing"

	"peernomic/engine/ledger"
)

func TestFilesSayWhatTheyAre(t *testing.T) {
	archive, err := os.ReadFile("testdata/golden/dragons-1.game")
	must(t, err)
	roll, err := readGolden(t, "testdata/golden/dragons-1.game").Transcript(rolled(t))
	must(t, err)
	id, err := ledger.NewIdentity(bytes.NewReader(make([]byte, 64)))
	must(t, err)
	backup, err := id.Backup("a long passphrase", bytes.NewReader(make([]byte, 64)))
	must(t, err)
	for _, c := range []struct {
		what string
		file []byte
		want FileKind
	}{
		{"a game", archive, GameFile},
		{"a game cut off", archive[:40], GameFile},
		{"a roll", roll, RollFile},
		{"a key", backup, KeyFile},
		{"a game of version 2", append([]byte("peernomic archive v2\n"), archive[21:]...), NewerFile},
		{"a game of version 12", []byte("peernomic archive v12\n"), NewerFile},
		{"a roll of version 2", bytes.Replace(roll, []byte("roll v1"), []byte("roll v2"), 1), NewerFile},
		{"a key of version 3", []byte("peernomic identity backup v3\n"), NewerFile},
		{"a game of no version", []byte("peernomic archive \n"), GameFile},
		{"a game of version 0", []byte("peernomic archive v0\n"), GameFile},
		{"a text far before a roll's name", append(make([]byte, 40), roll...), OtherFile},
		{"nothing", nil, OtherFile},
		{"a picture", []byte("\x89PNG\r\n\x1a\n"), OtherFile},
		{"a text about a game", []byte("My peernomic archive v1"), OtherFile},
	} {
		if got := KindOf(c.file); got != c.want {
			t.Errorf("%s is taken for kind %d", c.what, got)
		}
	}
}

// rolled returns an action of the golden game with a roll.
func rolled(t *testing.T) ledger.ActionID {
	t.Helper()
	for _, e := range readGolden(t, "testdata/golden/dragons-1.game").Entries() {
		if e.Outcome != nil && len(e.Outcome.Rolls) > 0 {
			return e.Action
		}
	}
	t.Fatal("nothing was rolled")
	return ledger.ActionID{}
}
