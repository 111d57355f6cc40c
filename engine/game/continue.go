package game

import (
	"errors"
	"fmt"
	"slices"

	"peernomic/engine/ledger"
	"peernomic/engine/rules"
	"peernomic/engine/rules/document"
)

// This file continues a game in another room: SPEC.md of package ledger, section 13. The new room
// starts with the world and its people. The log stays behind as an earlier chapter. A move is a
// continuation that a player announces to the others; a fork is one that nobody announces.

// Errors of [Game.Continue] and [Game.CheckSeam].
var (
	// ErrSeal reports a seal that this device does not hold with all that it orders.
	ErrSeal = errors.New("this device does not hold that seal yet, with all that it orders")
	// ErrRollWaits reports a seal after which a roll waits for its witnesses.
	ErrRollWaits = errors.New("a roll waits for its witnesses there: the game can go on from a seal before it or after it")
	// ErrOtherChain reports a seam whose seal has another hash in this device's log.
	ErrOtherChain = errors.New("the new game goes on from a seal that is not in this device's order: the notary has signed two")
	// ErrOtherGame reports a seam with another game, or none.
	ErrOtherGame = errors.New("the new game does not go on from this one")
)

// SeamError reports a new game that differs at its beginning from this one at the seam's seal.
type SeamError struct {
	What string // the part that differs
}

func (e *SeamError) Error() string {
	return "the new game does not begin as this one was at that seal: another " + e.What
}

// Continue returns the genesis of a game that continues this one after a seal. The caller fills in
// the fields that the new room decides: notary, anchor, dice and salt. The rest is the same on
// every device that holds the seal.
func (g *Game) Continue(seal uint64) (ledger.Genesis, error) { return g.whole(seal).Continue() }

// CheckSeam checks a game that claims to continue this one. The error is nil if the new game begins
// exactly as this one was at the seam's seal; otherwise it is one of the errors above.
func (g *Game) CheckSeam(next ledger.Genesis) error {
	if next.Continues == nil {
		return ErrOtherGame
	}
	return g.whole(next.Continues.Seal).CheckSeam(next)
}

func (g *Game) whole(seal uint64) *Past {
	p := g.PastSeal(seal)
	for !p.Step(1 << 20) {
	}
	return p
}

// PastSeal begins to replay the game up to a seal, including all actions that the seal orders, and
// its time.
func (g *Game) PastSeal(seal uint64) *Past {
	p := &Past{machine: machine{replica: g.replica}}
	if seal > 0 && seal <= g.replica.OrderedSeals() {
		p.machine.until = seal
		p.n = len(p.machine.placed())
	}
	return p
}

// Continue is [Game.Continue], after the last [Past.Step] of [Game.PastSeal].
func (p *Past) Continue() (ledger.Genesis, error) {
	m := &p.machine
	seal, ok := m.replica.Seal(m.until)
	founding, founded := m.replica.Genesis()
	switch {
	case m.broken != nil:
		return ledger.Genesis{}, m.broken
	case !ok || !founded:
		return ledger.Genesis{}, ErrSeal
	case m.waiting != nil:
		return ledger.Genesis{}, ErrRollWaits
	case m.world == nil || m.confirmed != m.until:
		return ledger.Genesis{}, ErrSeal // that seal does not order the genesis yet
	}
	doc, err := m.world.Snapshot()
	if err != nil {
		return ledger.Genesis{}, err
	}
	const others = 64 << 10 // room for the other fields of a genesis
	if len(doc.Text) > ledger.MaxBody-others {
		return ledger.Genesis{}, fmt.Errorf("the world has grown to %d KiB, and a game can begin with %d KiB", len(doc.Text)>>10, (ledger.MaxBody-others)>>10)
	}
	order, _ := m.replica.OrderDigestAt(m.until)
	return ledger.Genesis{
		Kernel: Kernel,
		Title:  founding.Title,
		Ruleset: []ledger.Document{
			{Path: ledger.SecretPath, Text: m.replica.Keys().Secret().String()},
			{Path: ledger.SnapshotPath, Text: doc.Text},
		},
		Continues: &ledger.Seam{Game: m.replica.Game(), Seal: m.until, SealHash: seal.Hash, State: m.digest, Order: order},
	}, nil
}

// CheckSeam is [Game.CheckSeam], after the last [Past.Step] of [Game.PastSeal] at the seam's seal.
func (p *Past) CheckSeam(next ledger.Genesis) error {
	seam := next.Continues
	if seam == nil || seam.Game != p.machine.replica.Game() {
		return ErrOtherGame
	}
	seal, ok := p.machine.replica.Seal(seam.Seal)
	switch {
	case ok && seal.Hash != seam.SealHash:
		return ErrOtherChain
	case !ok || seam.Seal != p.machine.until:
		return ErrSeal
	}
	mine, err := p.Continue()
	switch {
	case err != nil:
		return err
	case len(next.Ruleset) != len(mine.Ruleset):
		return &SeamError{"ruleset"}
	case mine.Continues.Order != seam.Order:
		return &SeamError{"order of actions"}
	case mine.Continues.State != seam.State, mine.Ruleset[1] != next.Ruleset[1]:
		return &SeamError{"world"}
	case mine.Ruleset[0] != next.Ruleset[0]:
		return &SeamError{"room"}
	}
	return nil
}

// VerifySeams checks each seam between a game's chapters, oldest first, as [ledger.ReadArchive]
// returns them. It replays every chapter but the last.
func VerifySeams(chapters []*ledger.Replica) error {
	for i, r := range chapters[1:] {
		next, ok := r.Genesis()
		if !ok {
			return ErrOtherGame
		}
		if err := FromReplica(chapters[i]).CheckSeam(next); err != nil {
			return fmt.Errorf("chapter %d: %w", i+2, err)
		}
	}
	return nil
}

// Found makes the world that a genesis describes, at a time (Unix ms). It fails as [rules.Found] does.
func Found(g ledger.Genesis, time int64) (*rules.World, error) {
	f := rules.Founding{Documents: documents(g), Options: g.Options, Time: time, Founder: g.Founder.Name, FounderKey: g.Founder.Identity.String()}
	if g.Continues != nil {
		f.Digest = &g.Continues.State
	}
	return rules.Found(f)
}

// documents returns the documents of a genesis that package rules reads.
func documents(g ledger.Genesis) []document.Document {
	var docs []document.Document
	for _, d := range g.Ruleset {
		if g.Continues == nil || d.Path == ledger.SnapshotPath {
			docs = append(docs, document.Document{Path: d.Path, Text: d.Text})
		}
	}
	return slices.Clip(docs)
}
