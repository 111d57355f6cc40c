package game

import (
	"flag"
	"os"
	"testing"

	"peernomic/engine/dice"
	"peernomic/engine/ledger"
)

var newGoldenWitnessed = flag.String("new-golden-witnessed", "", "write a game of three rolls with 2, 1 and 0 of 2 witnesses to this file")

// TestWriteGoldenWitnessed writes the game that app/cli shows to the second verifier, if it is told to.
func TestWriteGoldenWitnessed(t *testing.T) {
	if *newGoldenWitnessed == "" {
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
	archive, err := ledger.WriteArchive(tb.full.Replica())
	must(t, err)
	must(t, os.WriteFile(*newGoldenWitnessed, archive, 0o644))
}
