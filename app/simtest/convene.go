package simtest

import (
	"peernomic/engine/game"
	"peernomic/engine/ledger"
	"peernomic/engine/wire"
)

// This file is what devices do outside the rules: conventions, and games that go on in another
// room.

// convene lets a device call a convention.
func (w *World) convene(name string, amendments []any) {
	w.writes(name, func(m Member) (ledger.ActionID, error) { return m.Convene(amendments) })
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

// branch founds a game that goes on from a device's after one of its seals, and checks that it is the
// game as it was there, for every device that has got so far.
func (w *World) branch(name string, n int) {
	d := w.devices[name]
	if d.program == nil {
		return
	}
	s := d.program.State()
	if s.Replica.OrderedSeals() == 0 {
		return
	}
	seal := 1 + uint64(n)%s.Replica.OrderedSeals()
	next, err := s.Game.Continue(seal)
	if err != nil {
		return // a roll there waits for its witnesses
	}
	for _, other := range w.present() {
		if w.devices[other].program == nil || other == name {
			continue
		}
		theirs := w.devices[other].program.State()
		if theirs.Replica.OrderedSeals() < seal || w.checks.split {
			continue
		}
		if err := theirs.Game.CheckSeam(next); err != nil {
			w.fail("branch", "%s goes on from seal %d, and %s says: %v", name, seal, other, err)
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
	next.Notary, next.Anchor, next.Dice = wire.NotaryKey(hand.device.Key()), wire.Link{1}, ledger.DiceBeacon
	e, err := pen.Found(hand.person, persons[name], next, begin.Add(w.now).UnixMilli())
	if err != nil {
		w.fail("branch", "the game does not go on from seal %d: %v", seal, err)
		return
	}
	other := game.New(keys, ledger.GameID(e.Action.ID()))
	for _, b := range e.Envelopes {
		if _, err := other.Receive(b); err != nil {
			w.fail("branch", "the game that goes on from seal %d is refused: %v", seal, err)
		}
	}
	founding, ok := other.Replica().Genesis()
	if !ok {
		w.fail("branch", "the game that goes on from seal %d has no genesis", seal)
		return
	}
	// Nobody has sealed it yet: this is what it begins with when somebody has.
	world, err := game.Found(founding, begin.Add(w.now).UnixMilli())
	if err != nil {
		w.fail("branch", "the game that goes on from seal %d cannot be played: %v", seal, err)
		return
	}
	past := s.Game.PastSeal(seal)
	for !past.Step(1 << 20) {
	}
	for _, p := range past.World().Players() {
		if world.PersonOf(p.Key) != p.ID {
			w.fail("branch", "%s is another person in the new room", p.Name)
		}
	}
}
