package sync

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

func (n *Node) waitingRoll() *game.Waiting {
	if n.writes && n.guard() == nil {
		return n.game.Waiting()
	}
	return nil
}

// witness reveals this device's link for the roll that waits, if it is asked for it. It
// does so only when the seal of the roll is here, which binds the others.
func (n *Node) witness() {
	w := n.waitingRoll()
	if w == nil || n.Clock(n.now) >= w.Until {
		return
	}
	mine := n.config.Device.Key()
	i := slices.IndexFunc(w.Witnesses, func(v game.Witness) bool { return v.Device == mine && !v.Came && !v.Failed })
	if i < 0 {
		return
	}
	// The link that counts has this number. If it is used already, be it by an action
	// that is on its way, there is nothing to reveal.
	if seq, _, _ := n.game.Replica().Feed(mine); seq+1 != w.Witnesses[i].Seq {
		return
	}
	body, err := dice.WitnessBody{Action: w.Action, Seal: w.Seal}.Encode()
	if err != nil {
		return // two hashes always encode
	}
	// If it cannot be signed now, it is tried again as soon as anything changes.
	_, _ = n.sign(ledger.KindWitness, body)
}

// endWait asks for a seal when the time of the witnesses is over, because a quiet relay
// seals nothing by itself.
func (n *Node) endWait() {
	w := n.waitingRoll()
	if w == nil {
		return
	}
	end := w.Until
	if w.Device != n.config.Device.Key() {
		end += othersLater.Milliseconds()
	}
	if n.asked.roll != w.Action {
		n.asked = reminded{roll: w.Action}
	}
	if n.Clock(n.now) < end || n.now.since(n.asked.at) < n.asked.next || n.asks() {
		return
	}
	n.asked.at, n.asked.next = n.now.Steady, min(max(2*n.asked.next, reminder), lastReminder)
	// If the disk fails, the session says so; if the device may not write, another will.
	_, _ = n.sign(ledger.KindTick, []byte{})
}

// asks reports whether this device has asked for a seal and has not got one: it need not ask again when
// the relay is away, however long.
func (n *Node) asks() bool {
	mine := n.config.Device.Key()
	return slices.ContainsFunc(n.game.Replica().Tentative(), func(p ledger.Placement) bool {
		a := p.Action.Action()
		return a.Device == mine && a.Kind == ledger.KindTick
	})
}
