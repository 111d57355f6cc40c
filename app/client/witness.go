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
	// reminder is how long a device waits before it asks once more for the seal that ends the wait
	// of a roll: twice as long each time, up to lastReminder. Asking does not help while the relay's
	// clock is behind its newest seal, which may be for hours, and what asks stays in the game's log.
	reminder     = 5 * time.Second
	lastReminder = 5 * time.Minute
	// othersLater is how much longer devices other than the roller's leave that to
	// the roller's.
	othersLater = 5 * time.Second
)

// reminded is when this device last asked for the end of a wait.
type reminded struct {
	roll ledger.ActionID
	at   time.Time
	next time.Duration // how long after that it asks again
}

func (s *Session) waitingRoll() *game.Waiting {
	if s.release != nil && s.guard() == nil {
		return s.game.Waiting()
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
	if seq, _, _ := s.game.Replica().Feed(mine); seq+1 != w.Witnesses[i].Seq {
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
	if s.reminded.roll != w.Action {
		s.reminded = reminded{roll: w.Action}
	}
	if s.clock() < end || s.config.since(s.reminded.at) < s.reminded.next || s.asks() {
		return
	}
	s.reminded.at, s.reminded.next = s.config.steady(), min(max(2*s.reminded.next, reminder), lastReminder)
	// If the disk fails, the session says so; if the device may not write, another will.
	_, _ = s.writeNow(ledger.KindTick, []byte{})
}

// asks reports whether this device has asked for a seal and has not got one: it need not ask again when
// the relay is away, however long.
func (s *Session) asks() bool {
	mine := s.device.Key()
	return slices.ContainsFunc(s.game.Replica().Tentative(), func(p ledger.Placement) bool {
		a := p.Action.Action()
		return a.Device == mine && a.Kind == ledger.KindTick
	})
}
