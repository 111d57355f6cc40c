package client

import (
	"slices"
	"time"

	"peernomic/engine/dice"
	"peernomic/engine/game"
	"peernomic/engine/ledger"
)

// This file does the device's part in the dice mode witnessed(k), by itself: nobody clicks
// to witness a roll (engine/dice/SPEC.md, clauses 3.3 to 3.7).

const (
	// reminder is how long a device waits before it asks once more for the seal that
	// ends the wait of a roll.
	reminder = 5 * time.Second
	// othersLater is how much longer devices other than the roller's leave that to
	// the roller's.
	othersLater = 5 * time.Second
)

// waits is what a machine can tell of a roll that waits; a [game.Game] can.
type waits interface{ Waiting() *game.Waiting }

var _ waits = (*game.Game)(nil)

func (s *Session) waitingRoll() *game.Waiting {
	if m, ok := s.machine.(waits); ok && s.release != nil && s.guard() == nil {
		return m.Waiting()
	}
	return nil
}

// witness reveals this device's link for the roll that waits, if it is asked for it. It
// does so only when the seal of the roll is here, which binds the others.
func (s *Session) witness() {
	w := s.waitingRoll()
	if w == nil || s.clock() >= w.Until {
		return
	}
	mine := s.device.Key()
	i := slices.IndexFunc(w.Witnesses, func(v game.Witness) bool { return v.Device == mine && !v.Came && !v.Failed })
	if i < 0 {
		return
	}
	// The link that counts has this number. If it is used already, be it by an action
	// that is on its way, there is nothing to reveal.
	if seq, _, _ := s.machine.Replica().Feed(mine); seq+1 != w.Witnesses[i].Seq {
		return
	}
	body, err := dice.WitnessBody{Action: w.Action, Seal: w.Seal}.Encode()
	if err != nil {
		return // two hashes always encode
	}
	if _, err := s.writeNow(ledger.KindWitness, body); err == nil {
		s.advance()
	}
}

// endWait asks for a seal when the time of the witnesses is over, because a quiet relay
// seals nothing by itself.
func (s *Session) endWait() {
	w := s.waitingRoll()
	if w == nil {
		return
	}
	end := w.Until
	if w.Device != s.device.Key() {
		end += othersLater.Milliseconds()
	}
	if s.clock() < end || s.config.since(s.reminded) < reminder {
		return
	}
	s.reminded = s.config.steady()
	// If the disk fails, the session says so; if the device may not write, another will.
	_, _ = s.writeNow(ledger.KindTick, []byte{})
}
