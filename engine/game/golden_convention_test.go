package game

import (
	"encoding/hex"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"peernomic/engine/dice"
	"peernomic/engine/ledger"
)

var newGoldenConvention = flag.Bool("new-golden-convention", false, "write the golden games convention-1, chapters-1 and witnessed-1")

// TestWriteGoldenConvention writes two golden games, if it is told to: one that is repaired and has a
// seat under a new key, and one that goes on in another room.
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
	next := tb.goOn(tb.full.Replica().Seals()-1, 1, nil)
	next.now += testDay
	next.comeAlong(2)
	next.act(2, "Join")
	next.seal()
	keep(t, "chapters-1", tb.full, next.full)
}

// TestWriteGoldenWitnessed writes the golden game witnessed-1, if it is told to: three rolls, each of which two
// witnesses were asked for. Both came, then one, then none.
func TestWriteGoldenWitnessed(t *testing.T) {
	if !*newGoldenConvention {
		t.Skip("golden games are only added")
	}
	tb := newWitnessTable(t, 4, 2)
	for came := 2; came >= 0; came-- {
		for device := range 3 {
			tb.act(device, "Settle") // 1 and 2 acted last, and are asked
		}
		tb.seal()
		tb.act(3, "Dig")
		tb.seal()
		for device := range came {
			tb.witness(device + 1)
		}
		tb.seal()
		tb.now += dice.WitnessTime
		tb.seal()
	}
	if got := tb.full.Attendance(); got != (Attendance{Full: 1, Partial: 1, None: 1}) {
		t.Fatalf("attendance %+v", got)
	}
	keep(t, "witnessed-1", tb.full)
}

// keep writes a golden game of some chapters.
func keep(t *testing.T, name string, chapters ...*Game) {
	t.Helper()
	var logs []*ledger.Replica
	for _, g := range chapters {
		logs = append(logs, g.Replica())
	}
	archive, err := ledger.WriteArchive(logs...)
	must(t, err)
	digest := digestOf(chapters[len(chapters)-1])
	base := filepath.Join("testdata", "golden", name)
	must(t, os.WriteFile(base+".game", archive, 0o644))
	must(t, os.WriteFile(base+".digest", []byte(hex.EncodeToString(digest[:])+"\n"), 0o644))
}
