package game

import (
	"encoding/hex"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"peernomic/engine/ledger"
)

var newGoldenConvention = flag.Bool("new-golden-convention", false, "write the golden games convention-1 and fork-1")

// TestWriteGoldenConvention writes two golden games, if it is told to: one that is repaired and has a
// seat under a new key, and a fork of it.
func TestWriteGoldenConvention(t *testing.T) {
	if !*newGoldenConvention {
		t.Skip("golden games are only added")
	}
	tb := newLockTable(t, 4)
	tb.act(0, "Lock")
	tb.seal()
	tb.assent(tb.motion(unlock), 0, 1, 2)
	keys := newTableOf(t, 6, []ledger.Document{{Path: "ruleset.md", Text: "# Test\n\nA test."}})
	e, err := keys.pens[5].Enrol(keys.ids[5], "Bo", tb.game, nil, tb.now)
	must(t, err)
	tb.send(e)
	tb.pens = append(tb.pens, keys.pens[5])
	tb.seal()
	tb.assent(tb.motion(seat(tb.ids[3].Key(), keys.ids[5].Key())), 0, 1, 2)
	tb.act(4, "Lock")
	tb.seal()
	if !tb.locked() || tb.full.PersonOf(keys.ids[5].Key()) != 4 {
		t.Fatal("the story went another way")
	}
	keep(t, "convention-1", tb.full)
	fork, _ := tb.forkOf(len(tb.full.Entries())-3, 1)
	keep(t, "fork-1", fork)
}

func keep(t *testing.T, name string, g *Game) {
	t.Helper()
	archive, err := ledger.WriteArchive(g.Replica())
	must(t, err)
	digest := digestOf(g)
	base := filepath.Join("testdata", "golden", name)
	must(t, os.WriteFile(base+".game", archive, 0o644))
	must(t, os.WriteFile(base+".digest", []byte(hex.EncodeToString(digest[:])+"\n"), 0o644))
}
