package room

import (
	"errors"

	"peernomic/engine/game"
	"peernomic/engine/ledger"
)

// BallotOn makes a ballot on a motion that is called.
func BallotOn(g *game.Game, id ledger.MotionID, verb ledger.Verb) (ledger.Ballot, error) {
	for _, m := range g.Motions() {
		if m.ID == id {
			return ledger.Ballot{Verb: verb, ID: id}, nil
		}
	}
	return ledger.Ballot{}, errors.New("nobody has called this convention")
}
