package game

import (
	"cmp"
	"fmt"
	"slices"

	"peernomic/engine/dice"
	"peernomic/engine/ledger"
	"peernomic/engine/rules"
	"peernomic/engine/wire"
)

// This file is the dice mode witnessed(k): which devices are asked to witness a roll, which have
// come, and when the roll is decided (engine/dice/SPEC.md, clauses 3.3 to 3.7). A roll that waits
// stops the machine. It does not change the order of the log or its times.

// The rules and the transcript must have the same limit.
var _ = [1]struct{}{}[rules.MaxWitnesses-dice.MaxWitnesses]

// Witness is a device that was asked to witness a roll.
type Witness struct {
	Device ledger.DeviceKey
	Player int64
	Seq    uint64          // number of the action that must carry its part
	Came   bool            // in time: the first action with that number in the order is its part
	Failed bool            // the first action with that number in the order is another, or void
	Action ledger.ActionID // with which it came
}

// Waiting is a roll that waits for its witnesses. All later actions wait with it.
type Waiting struct {
	Action    ledger.ActionID
	Device    ledger.DeviceKey // the roller's
	Seal      wire.SealHash    // the seal that placed it
	Until     int64            // Unix ms: the first seal at or after this time ends the wait
	Wanted    int              // the k of witnessed(k)
	Witnesses []Witness
}

// Waiting returns the roll that the game waits for, or nil. The caller must not change it.
func (g *Game) Waiting() *Waiting { return g.core.waiting }

// Attendance counts the rolls of a game that asked for witnesses, by how many of these came.
type Attendance struct {
	Full    int `json:"full"`    // as many as were wanted
	Partial int `json:"partial"` // some of them
	None    int `json:"none"`    // none, so that only roller and notary decided the roll
}

// Attendance counts the confirmed rolls.
func (g *Game) Attendance() Attendance {
	var a Attendance
	for _, e := range g.core.entries {
		came := 0
		for _, w := range e.Witnesses {
			if w.Came {
				came++
			}
		}
		switch {
		case e.Wanted == 0:
		case came == e.Wanted:
			a.Full++
		case came > 0:
			a.Partial++
		default:
			a.None++
		}
	}
	return a
}

// String returns a sentence; it is empty if no roll asked for witnesses.
func (a Attendance) String() string {
	if a == (Attendance{}) {
		return ""
	}
	return fmt.Sprintf("of the rolls that were to have witnesses, %d had all, %d some, and %d none", a.Full, a.Partial, a.None)
}

// lastAct is the end of a device's feed in the order.
type lastAct struct {
	index   int    // of its newest action that did not lose a fork
	seq     uint64 // that action's number
	highest uint64 // the highest number of all its actions in the order, those that lost a fork included
}

// recordLast updates the end of a feed after a placement.
func (m *machine) recordLast(p ledger.Placement) {
	if m.seen == nil {
		m.seen = map[ledger.DeviceKey]lastAct{}
	}
	a := p.Action.Action()
	last := m.seen[a.Device]
	last.highest = max(last.highest, a.Seq)
	if p.Void == nil || p.Void.Code != ledger.CodeFork {
		last.index, last.seq = p.Index, a.Seq
	}
	m.seen[a.Device] = last
}

// chooseWitnesses returns the wait for the witnesses of a roll: at most k devices of different
// players other than the roller, the most recently active first (clause 3.4).
func (m *machine) chooseWitnesses(p ledger.Placement, k int) *Waiting {
	w := &Waiting{Action: p.Action.ID(), Device: p.Action.Action().Device, Seal: p.SealHash, Until: p.Time + dice.WitnessTime, Wanted: k}
	asked := map[int64]bool{m.person(w.Device): true}
	type candidate struct {
		device ledger.DeviceKey
		lastAct
	}
	var all []candidate
	for device, last := range m.seen { // the order is made below
		all = append(all, candidate{device, last})
	}
	slices.SortFunc(all, func(a, b candidate) int { return cmp.Compare(b.index, a.index) })
	for _, c := range all {
		person := m.person(c.device)
		if len(w.Witnesses) == k || person == 0 || asked[person] || !m.world.Plays(person) || c.highest > c.seq {
			continue // of the last condition: the device has lost a fork, so its next link may be known
		}
		asked[person] = true
		w.Witnesses = append(w.Witnesses, Witness{Device: c.device, Player: person, Seq: c.seq + 1})
	}
	return w
}

// collectParts records which witnesses have come so far, and reports whether the roll is decided:
// all have come or failed, or their time is over (clauses 3.5 and 3.6).
func (m *machine) collectParts(w *Waiting, behind []ledger.Placement) bool {
	body := dice.WitnessBody{Action: w.Action, Seal: w.Seal}
	open := 0
	for i := range w.Witnesses {
		if v := &w.Witnesses[i]; !v.Came && !v.Failed {
			open++
		}
	}
	for _, p := range behind {
		if open == 0 || p.Time >= w.Until {
			return true
		}
		a := p.Action.Action()
		i := slices.IndexFunc(w.Witnesses, func(v Witness) bool { return v.Device == a.Device && v.Seq == a.Seq })
		if i < 0 || w.Witnesses[i].Came || w.Witnesses[i].Failed {
			continue
		}
		open--
		if v := &w.Witnesses[i]; p.Void == nil && body.Attests(a) {
			v.Came, v.Action = true, p.Action.ID()
		} else {
			v.Failed = true
		}
	}
	last, ok := m.replica.Seal(m.ordered())
	return open == 0 || ok && last.Time >= w.Until
}

// links returns the links of the witnesses that came, in the order in which they were asked.
func (m *machine) links(w *Waiting) []wire.Link {
	var links []wire.Link
	for _, v := range w.Witnesses {
		if a, ok := m.replica.Action(v.Action); ok && v.Came {
			links = append(links, a.Action().Link)
		}
	}
	return links
}

// settle carries out a placement for good and reports true. It reports false if the placement's
// roll must wait for witnesses.
func (m *machine) settle(p ledger.Placement, behind []ledger.Placement) (Entry, bool) {
	if m.waiting == nil {
		k := 0
		if m.world != nil && p.Action.Action().Kind == ledger.KindAct && p.Void == nil {
			k = m.world.Witnesses()
		}
		if k == 0 {
			return m.roll(p, nil), true
		}
		w := m.chooseWitnesses(p, k)
		if len(w.Witnesses) == 0 {
			return m.roll(p, w), true
		}
		// Try the action without dice to find out whether it rolls.
		mark, before := m.world.Mark(), m.register
		m.register = before.clone()
		e := m.carryOut(p, m.time(p.Time), nil)
		if e.Outcome == nil || e.Outcome.Refused == nil || e.Outcome.Refused.Code != rules.CodeWaiting {
			return e, true
		}
		m.world.Revert(mark)
		m.register = before
		m.waiting = w
	}
	if !m.collectParts(m.waiting, behind) {
		return Entry{}, false
	}
	w := m.waiting
	m.waiting = nil
	return m.roll(p, w), true
}

// roll carries out a placement with the dice of its links and of the witnesses' links.
func (m *machine) roll(p ledger.Placement, w *Waiting) Entry {
	var wanted uint64
	var links []wire.Link
	if w != nil {
		wanted, links = uint64(w.Wanted), m.links(w)
	}
	seed := dice.WitnessedSeed([32]byte(m.gameOf(p)), [32]byte(p.Action.ID()), p.Action.Action().Link, p.SealLink, wanted, links)
	e := m.carryOut(p, m.time(p.Time), rollStream{dice.NewStream(seed)})
	if w != nil && e.Outcome != nil && len(e.Outcome.Rolls) > 0 {
		e.Wanted, e.Witnesses = w.Wanted, w.Witnesses
	}
	return e
}
