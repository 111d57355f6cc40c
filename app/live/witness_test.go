package live

import (
	"strings"
	"testing"

	"peernomic/engine/game"
	"peernomic/engine/ledger"
)

// SPEC.md of the dice, clause 3.6: a roll is shown with how many of its witnesses came, and one
// that waits with whom it waits for.
func TestRollsSayWhoWitnessedThem(t *testing.T) {
	w := farm(t)
	l := lookAt(w, 1)
	e := game.Entry{Action: ledger.ActionID{1}, Seal: 7, Player: 2, Wanted: 2, Witnesses: []game.Witness{{Player: 1, Came: true}, {Player: 3}}}
	if got := witnessed(e); got != "1 of 2 witnesses" {
		t.Errorf("%q", got)
	}
	if got := witnessed(game.Entry{}); got != "" {
		t.Errorf("in mode beacon: %q", got)
	}
	l.roll = &game.Waiting{Action: e.Action, Until: l.now + 12_500, Witnesses: e.Witnesses}
	if got := l.diceFall(e); !strings.Contains(got, "the device of Cy has") || !strings.Contains(got, "13 seconds") {
		t.Errorf("waiting: %q", got)
	}
	if got := l.diceFall(game.Entry{Action: ledger.ActionID{2}, Seal: 8}); !strings.Contains(got, "a roll before it") {
		t.Errorf("behind a roll that waits: %q", got)
	}
	if got := l.diceFall(game.Entry{Action: ledger.ActionID{2}}); !strings.Contains(got, "sealed") {
		t.Errorf("without a seal: %q", got)
	}
}
