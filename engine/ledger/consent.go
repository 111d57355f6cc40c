package ledger

import (
	"bytes"
	"cmp"
	"slices"

	"peernomic/engine/wire"
)

// This file keeps a person's order of the game theirs: who holds a copy of it gives nothing of it up for
// a change of notary but by their own will. SPEC.md, 12.13.

// PendingSuccession is a proved change of notary that the replica does not follow, because the person has not agreed.
type PendingSuccession struct {
	Succession
	First wire.SealHash // of the successor's first seal
	Loses int           // how many actions lose their place
}

// AskFirst makes the replica follow no change of notary that takes back places, until [Replica.Decide]
// says so. Without it, it follows whatever is proved.
func (r *Replica) AskFirst() { r.asksFirst = true }

// Decide says whether the person agrees to a change of notary, by the successor's first seal, which
// may come later. Who does not agree stays with the notary before, or goes back to it.
func (r *Replica) Decide(first wire.SealHash, agreed bool) {
	if r.decided == nil {
		r.decided = map[wire.SealHash]bool{}
	}
	r.decided[first] = agreed
	r.version++
	r.goOn()
}

// Pending returns the changes of notary that wait for the person, in the order of their bases.
func (r *Replica) Pending() []PendingSuccession { return r.pending }

// Refused returns the proved changes of notary that the person does not follow, in the order of their first seals' hashes.
func (r *Replica) Refused() (refused []PendingSuccession) {
	for by, s := range r.proved {
		if agreed, decided := r.decided[by.hash]; decided && !agreed {
			refused = append(refused, PendingSuccession{s, by.hash, r.PlacedAfter(s.Motion.Base)})
		}
	}
	slices.SortFunc(refused, func(a, b PendingSuccession) int {
		return cmp.Or(bytes.Compare(a.First[:], b.First[:]), bytes.Compare(a.ID[:], b.ID[:]))
	})
	return refused
}

// Begun reports whether a motion's new notary is known to go on, whether the replica follows or not.
func (r *Replica) Begun(id MotionID) bool {
	for _, s := range r.proved {
		if s.ID == id {
			return true
		}
	}
	return false
}

// SignedFor reports whether a person has signed for a pending change of notary and has not played at the notary before since
// that had its place, so that they need not be asked.
func (r *Replica) SignedFor(p PendingSuccession, person IdentityKey) bool {
	signed := slices.Contains(p.Assents, person)
	ballot := false
	for _, placed := range r.walk.placed[len(r.walk.placed)-r.PlacedAfter(p.Motion.Base):] {
		n := r.actions[placed.Action.ID()]
		if n.person != person {
			continue
		}
		ballot = ballot || n.ballot != nil && n.ballot.ID == p.ID
		signed = signed && !(ballot && n.action.Kind == KindAct)
	}
	return signed
}

// mustAsk reports whether the person has a say in it that another seal follows a base than the one that does now. Where
// they have refused that one, they have had it. What they said of a seal is not said of what another key signed the same in.
func (r *Replica) mustAsk(base uint64, now, then wire.SealHash) bool {
	agreed, decided := r.decided[now]
	return r.asksFirst && (now == then || !r.decided[then]) && r.PlacedAfter(base) > 0 && (agreed || !decided)
}

// PlacedAfter counts the actions that have their place by a seal after a base.
func (r *Replica) PlacedAfter(base uint64) int {
	n := len(r.walk.placed)
	for n > 0 && r.walk.placed[n-1].Seal > base {
		n--
	}
	return len(r.walk.placed) - n
}
