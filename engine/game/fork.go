package game

import (
	"encoding/hex"
	"fmt"
	"strconv"

	"peernomic/engine/ledger"
)

// This file is how a game goes on twice: anybody who holds it can found another one that begins as
// it was at some point. The people in it are the same and come back by their keys; the
// room, the notary and the log are new.

// Options of a forked game's genesis, which say where it comes from. Whoever holds the other game
// can check them: its digest after that many actions is the forked game's first.
const (
	OptionForkOf     = "fork of"
	OptionForkAt     = "fork at"
	OptionForkDigest = "fork digest"
)

// Fork is what a game that goes on from another is founded with.
type Fork struct {
	Ruleset []ledger.Document
	Options map[string]string
}

// ForkAt returns what another game has to be founded with to go on from this one as it was after
// its first n actions.
func (g *Game) ForkAt(n int) (Fork, error) {
	m := machine{replica: g.replica}
	if n < 1 || n > len(g.replica.Placed()) {
		return Fork{}, fmt.Errorf("the game has %d actions in place, not %d", len(g.replica.Placed()), n)
	}
	m.catchUp(n)
	if m.broken != nil {
		return Fork{}, m.broken
	}
	if len(m.entries) < n {
		return Fork{}, fmt.Errorf("a roll waits for its witnesses; the game can be forked before it")
	}
	doc, err := m.world.Snapshot()
	if err != nil {
		return Fork{}, err
	}
	digest := m.world.Digest()
	return Fork{
		Ruleset: []ledger.Document{{Path: doc.Path, Text: doc.Text}},
		Options: map[string]string{
			OptionForkOf: m.game.String(), OptionForkAt: strconv.Itoa(n), OptionForkDigest: hex.EncodeToString(digest[:]),
		},
	}, nil
}
