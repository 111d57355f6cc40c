package simtest

import (
	"maps"
	"slices"

	"peernomic/engine/game"
	"peernomic/engine/ledger"
	"peernomic/engine/wire"
)

// This file is what devices do outside the rules: conventions, and games that go on in another
// room.

// convene lets a device call a convention.
func (w *World) convene(name string, content any) {
	w.writes(name, func(m Member) (ledger.ActionID, error) { return m.Convene(content) })
}

// ballot lets a device sign a motion that it knows, or withdraw: 0 is the one last called.
func (w *World) ballot(name string, n int, verb ledger.Verb) {
	w.writes(name, func(m Member) (ledger.ActionID, error) {
		motions := m.State().Game.Motions()
		if len(motions) == 0 {
			return ledger.ActionID{}, errNoMotion
		}
		motion := motions[len(motions)-1-n%len(motions)]
		return m.Ballot(motion.ID, verb)
	})
}

// branch founds a game that goes on from a device's after some of its actions, and checks that it
// is the game as it was there, for every device that has got so far.
func (w *World) branch(name string, n int) {
	d := w.devices[name]
	if d.program == nil {
		return
	}
	s := d.program.State()
	if len(s.Replica.Placed()) == 0 {
		return
	}
	n = 1 + n%len(s.Replica.Placed())
	fork, err := s.Game.ForkAt(n)
	if err != nil {
		return // a roll there waits for its witnesses
	}
	for _, other := range honest {
		if w.devices[other].program == nil || other == name {
			continue
		}
		theirs := w.devices[other].program.State()
		if len(theirs.Replica.Placed()) < n || w.checks.split {
			continue
		}
		if again, err := theirs.Game.ForkAt(n); err == nil && (!slices.Equal(again.Ruleset, fork.Ruleset) || !maps.Equal(again.Options, fork.Options)) {
			w.fail("branch", "%s and %s fork another game after %d actions", name, other, n)
		}
	}
	secret, err := ledger.NewRoomSecret(source("branch"))
	if err != nil {
		w.fail("branch", "%v", err)
		return
	}
	keys := secret.Keys()
	hand := w.hand(name)
	pen, err := ledger.NewPen(keys, hand.device)
	if err != nil {
		w.fail("branch", "%v", err)
		return
	}
	e, err := pen.Found(hand.person, persons[name], ledger.Genesis{
		Kernel: game.Kernel, Title: "Again", Notary: wire.NotaryKey(hand.device.Key()), Anchor: wire.Link{1},
		Dice: ledger.DiceBeacon, Options: fork.Options, Ruleset: fork.Ruleset,
	}, begin.Add(w.now).UnixMilli())
	if err != nil {
		w.fail("branch", "the game after %d actions is not founded again: %v", n, err)
		return
	}
	other := game.New(keys)
	for _, b := range e.Envelopes {
		if _, err := other.Receive(b); err != nil {
			w.fail("branch", "the founding of the game after %d actions is refused: %v", n, err)
		}
	}
	other.Advance(begin.Add(w.now).UnixMilli())
	if other.Broken() != nil {
		w.fail("branch", "the game after %d actions cannot be played: %v", n, other.Broken())
		return
	}
	// Nobody has sealed it, so it is all tentative: as it begins, plus its founder if that
	// person was not in the game yet.
	for _, p := range s.Game.At(n).Players() {
		if again := other.World(); again != nil && again.PersonOf(p.Key) != p.ID {
			w.fail("branch", "%s is another person in the new room", p.Name)
		}
	}
}
