package room

import (
	"errors"

	"peernomic/engine/game"
	"peernomic/engine/ledger"
)

// errNoSeal reports a convention in a game that nobody has sealed yet.
var errNoSeal = errors.New("no seal has ordered the game's beginning yet, or not all that it names is here")

// MotionNow makes a motion with the newest seal as its base.
func MotionNow(g *game.Game, why string, content any) (ledger.Motion, error) {
	base, ok := g.Replica().Seal(g.Replica().Seals())
	if !ok || g.Replica().OrderedSeals() < base.Number {
		return ledger.Motion{}, errNoSeal
	}
	_, id, _ := g.Replica().Genesis()
	round := uint64(1)
	for _, m := range g.Motions() {
		if m.BaseHash == base.Hash {
			round = max(round, m.Round+1)
		}
	}
	return ledger.MotionFor(id, base, round, why, content)
}

// BallotOn makes a ballot on a motion that is called.
func BallotOn(g *game.Game, id ledger.MotionID, verb ledger.Verb) (ledger.Ballot, error) {
	for _, m := range g.Motions() {
		if m.ID == id {
			return ledger.Ballot{Verb: verb, ID: id}, nil
		}
	}
	return ledger.Ballot{}, errors.New("nobody has called this convention")
}
