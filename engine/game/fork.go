package game

import (
	"encoding/hex"
	"fmt"
	"strconv"

	"peernomic/engine/ledger"
	"peernomic/engine/wire"
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

// maxForkText is the longest snapshot that a genesis has room for: a body of [ledger.MaxBody] bytes, less
// what else stands in it.
const maxForkText = ledger.MaxBody - 64<<10

// TooLargeError reports a game that has grown too large to be forked whole.
type TooLargeError struct {
	After int // actions, with which it is
	About int // so many may fit: it is guessed from how much they take on average
}

func (e *TooLargeError) Error() string {
	return fmt.Sprintf("after action %d the game is too large to be the beginning of another: that holds %d MiB, history included. "+
		"It may still fit after action %d or before", e.After, ledger.MaxBody>>20, e.About)
}

// checkForkSize returns a [*TooLargeError] if a snapshot has no room in a genesis.
func checkForkSize(n, text, entries int) error {
	if text <= maxForkText && entries <= wire.MaxElements {
		return nil
	}
	return &TooLargeError{After: n, About: min(n*maxForkText/max(text, 1), n*wire.MaxElements/max(entries, 1)) * 9 / 10}
}

// ForkAt returns what another game has to be founded with to go on from this one as it was after
// its first n actions.
func (g *Game) ForkAt(n int) (Fork, error) {
	m := machine{replica: g.replica}
	if n < 1 || n > len(g.replica.Placed()) {
		return Fork{}, fmt.Errorf("the game has %d actions in place, not %d", len(g.replica.Placed()), n)
	}
	m.carryOutTo(n) // and no further: it is the same for those who hold more of the game
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
	if err := checkForkSize(n, len(doc.Text), len(m.world.Log())); err != nil {
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
