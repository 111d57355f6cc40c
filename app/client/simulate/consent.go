package simulate

import (
	"slices"

	"peernomic/engine/ledger"
	"peernomic/engine/wire"
)

// This file is what persons decide about another relay that goes on with their game.

// consents is what persons have decided, by hand.
type consents struct {
	agreed, refused map[string][]wire.SealHash
}

// agree lets a device's person agree to whatever waits for that, and to what they have refused before.
func (w *World) agree(name string) {
	self := w.hand(name).name
	w.on(name, func(m Member) {
		r := m.State().Replica
		for _, p := range slices.Concat(r.Pending(), r.Refused()) {
			w.consents.agreed[self] = append(w.consents.agreed[self], p.First)
			m.Decide(p.First, true)
		}
	})
}

// refuse lets a device's person refuse what waits, or else what they follow.
func (w *World) refuse(name string) {
	w.on(name, func(m Member) {
		r := m.State().Replica
		var first wire.SealHash
		if p := r.Pending(); len(p) > 0 {
			first = p[0].First
		} else if all := r.Successions(); len(all) > 0 {
			first = firstOf(r, all[len(all)-1])
		} else {
			return
		}
		self := w.hand(name).name
		w.consents.refused[self] = append(w.consents.refused[self], first)
		m.Decide(first, false)
		r = m.State().Replica
		if all := r.Successions(); len(all) > 0 && firstOf(r, all[len(all)-1]) == first {
			w.fail("refused", "%s follows another notary though its person refuses", name)
		}
	})
}

// waitsForPersons reports whether a change of notary waits for somebody, or is refused by them.
func (w *World) waitsForPersons() bool {
	return slices.ContainsFunc(honest, func(name string) bool {
		d := w.devices[name]
		if d.program == nil {
			return false
		}
		r := d.program.State().Replica
		return len(r.Pending())+len(r.Refused()) > 0
	})
}

// checkAsked checks that a device gave up places only if its person has signed for that, or has decided it.
func (c *checks) checkAsked(name string, r *ledger.Replica) {
	d := c.w.devices[name]
	self := c.w.hand(name)
	now := generation{life: d.life, number: r.Generation()}
	if placed := r.Placed(); len(placed) > 0 {
		now.last = placed[len(placed)-1].Seal
	}
	before := c.generations[name]
	c.generations[name] = now
	if before.life != now.life || before.number == now.number {
		return
	}
	all := r.Successions()
	if len(all) == 0 {
		if len(c.w.consents.refused[self.name]) == 0 {
			c.w.fail("unasked", "%s went back to the relay before, and its person has not said so", name)
		}
		return
	}
	newest := all[len(all)-1]
	if before.last <= newest.Motion.Base {
		return // seals that had placed nothing yet
	}
	signed := slices.Contains(newest.Assents, self.person.Key())
	if !signed && !slices.Contains(c.w.consents.agreed[self.name], firstOf(r, newest)) && len(c.w.consents.refused[self.name]) == 0 {
		c.w.fail("unasked", "%s gave up places for another notary, and its person has neither signed for that nor agreed", name)
	}
}

// generation is how often a running program gave up places.
type generation struct {
	life, number uint64
	last         uint64 // the seal that placed something last
}

func firstOf(r *ledger.Replica, s ledger.Succession) wire.SealHash {
	first, _ := r.Seal(s.Motion.Base + 1)
	return first.Hash
}
