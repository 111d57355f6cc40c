package game

import (
	"fmt"
	"slices"

	"peernomic/engine/dice"
	"peernomic/engine/ledger"
)

// Counted checks that the roll in a transcript is the one that counted in this game. It compares the seed,
// which binds the action's place, the mode and the witnesses (engine/dice/SPEC.md, clause 5.13). The error is
// a sentence: the roll did not count, or this device cannot tell. Pause is as in [dice.VerifyInTurns].
func (g *Game) Counted(r dice.Report, pause func(done, total uint64) bool) error {
	if err := r.Error(); err != nil {
		return err
	}
	if r.Game != g.core.game {
		return fmt.Errorf("it is of another game")
	}
	i := slices.IndexFunc(g.core.entries, func(e Entry) bool { return e.Action == r.Action })
	if i < 0 {
		return fmt.Errorf("the game holds no such action in its place. If the game is older than the proof, ask for a newer one")
	}
	switch e := g.core.entries[i]; {
	case e.Void != nil && e.Void.Code == ledger.CodeFork:
		return fmt.Errorf("the action is void: the device signed another action with the same number, and that one counts")
	case e.Void != nil:
		return fmt.Errorf("the action is void: %s", e.Void.Text)
	case e.Outcome != nil && e.Outcome.Refused != nil:
		return fmt.Errorf("the rules refused the action")
	}
	own, err := g.Transcript(r.Action)
	if err != nil {
		return err
	}
	counted := dice.VerifyInTurns(own, pause)
	if err := counted.Error(); err != nil {
		return err
	}
	switch {
	case counted.Seal != r.Seal:
		return fmt.Errorf("the action has its place by seal %d, and the proof shows it at seal %d", counted.Seal, r.Seal)
	case counted.Wanted != r.Wanted:
		return fmt.Errorf("the rules wanted %d witnesses, and the proof shows the roll with %d", counted.Wanted, r.Wanted)
	case counted.Seed != r.Seed:
		return fmt.Errorf("other witnesses came than the proof shows")
	case !slices.Equal(counted.Rolls, r.Rolls):
		return fmt.Errorf("the rules called for other dice than the proof shows")
	}
	return nil
}
