package ledger

import (
	"maps"
	"slices"

	"peernomic/engine/wire"
)

// This file bounds what seals by unknown keys can do. Everybody with the invite can sign seals with keys of their own, as
// many as they like. So a replica keeps by right only what a key signed that something speaks for, each key's for itself. Of all
// others it keeps a few for a while: what speaks for them may come later, and so may they, again.

// call is what ballots that are held ask for together: that a key goes on from a base.
type call struct {
	base    uint64
	hash    wire.SealHash // of the base
	anchor  wire.Link
	signers map[IdentityKey]bool
	counted int  // how many signers there were when enough was found out
	enough  bool // whether a seal could prove it: of those active at the base more than two thirds have signed
}

// heed notes what a ballot asks for. Only an assent carries its motion (12.3).
func (r *Replica) heed(n *node) {
	m := n.ballot.Motion
	if m == nil || m.Kind != MotionNotary {
		return
	}
	change, err := m.notary()
	if err != nil {
		return // a motion has been judged before
	}
	for _, c := range r.calls[change.Notary] {
		if c.hash == m.BaseHash && c.base == m.Base && c.anchor == change.Anchor {
			c.signers[n.person] = true
			return
		}
	}
	c := &call{base: m.Base, hash: m.BaseHash, anchor: change.Anchor, signers: map[IdentityKey]bool{n.person: true}}
	r.calls[change.Notary] = append(r.calls[change.Notary], c)
}

// mayProve reports whether enough have signed a call that a seal could prove it (12.9), as far as is known. Once
// they have, it stays so.
func (r *Replica) mayProve(c *call) bool {
	base, ok := r.Seal(c.base)
	if c.enough || c.counted == len(c.signers) || !ok || base.Hash != c.hash || r.OrderedSeals() < c.base {
		return c.enough
	}
	s := Succession{}
	for _, person := range r.electorate(c.base) {
		s.Active++
		if c.signers[person] {
			s.Assents = append(s.Assents, person)
		}
	}
	c.counted, c.enough = len(c.signers), s.enough()
	return c.enough
}

// calledFor reports whether a seal has the form of the first of a notary for whom enough have signed.
func (r *Replica) calledFor(s wire.SignedSeal) bool {
	return slices.ContainsFunc(r.calls[s.Notary], func(c *call) bool {
		return c.base+1 == s.Number && c.hash == s.Prev && c.anchor == s.Link.Parent() && r.mayProve(c)
	})
}

// spokenFor reports whether a key's seals are kept by right: it is the first notary's, or enough have signed for
// it; or, while the game is not settled, a candidate names it.
func (r *Replica) spokenFor(key wire.NotaryKey) bool {
	if !r.settled {
		return slices.ContainsFunc(r.chains, func(c *sealChain) bool { return c.notary == key })
	}
	return key == r.genesis.Notary || slices.ContainsFunc(r.calls[key], r.mayProve)
}

// addStrange takes in a seal by another key than the notary's: a successor's, perhaps, or one of
// a notary that was overruled. Which it is can depend on what is not held yet, so it is kept.
func (r *Replica) addStrange(s wire.SignedSeal) error {
	last := uint64(len(r.chain.linked))
	if s.Number <= last {
		switch mine := r.chain.linked[s.Number-1]; {
		case mine.Notary != s.Notary:
		case mine.Hash == s.Hash:
			return nil
		default:
			r.chain.fork(mine, s)
			return refuse(CodeNotaryFork, "the notary signed another seal with this number")
		}
	}
	switch {
	case r.electorate == nil || s.Number == 1:
		return refuse(CodeNotary, "the seal is signed by a key that is not the game's notary")
	case s.Number > last+MaxSealsAhead:
		return refuse(CodeSealAhead, "the seal's number is too far ahead")
	}
	if _, held := r.strange[s.Notary][s.Hash]; held {
		return nil
	}
	if !r.spokenFor(s.Notary) {
		r.host(s)
		return nil
	}
	if len(r.strange[s.Notary]) >= MaxHeldSeals {
		return refuse(CodeFull, "too many seals by another key than the notary's")
	}
	r.keepStrange(s)
	if r.calledFor(s) { // no other changes anything, and whoever is signed for can send any number
		r.goOn()
	}
	return nil
}

// keepStrange keeps a seal by another key than the notary's.
func (r *Replica) keepStrange(s wire.SignedSeal) {
	if r.strange[s.Notary] == nil {
		r.strange[s.Notary] = map[wire.SealHash]wire.SignedSeal{}
	}
	r.strange[s.Notary][s.Hash] = s
}

// strangers returns the seals kept by other keys than the notary's, in ascending order.
func (r *Replica) strangers() []wire.SignedSeal {
	var out []wire.SignedSeal
	for _, seals := range r.strange {
		out = slices.AppendSeq(out, maps.Values(seals))
	}
	slices.SortFunc(out, compareSeals)
	return out
}

// host keeps a seal that nothing speaks for, for a while: of too many the oldest goes.
func (r *Replica) host(s wire.SignedSeal) {
	if slices.ContainsFunc(r.guests, sameSeal(s)) {
		return
	}
	if len(r.guests) >= MaxGuests {
		r.guests = slices.Delete(r.guests, 0, 1)
	}
	r.guests = append(r.guests, s)
}

// sameSeal tells whether a seal is another one. The hash does not tell who signed it.
func sameSeal(s wire.SignedSeal) func(wire.SignedSeal) bool {
	return func(o wire.SignedSeal) bool { return o.Hash == s.Hash && o.Notary == s.Notary }
}

// spokenGuests takes those out of the guests that something speaks for by now.
func (r *Replica) spokenGuests() (spoken []wire.SignedSeal) {
	keys := map[wire.NotaryKey]bool{}
	for _, s := range r.guests {
		if _, asked := keys[s.Notary]; !asked {
			keys[s.Notary] = r.spokenFor(s.Notary)
		}
		if keys[s.Notary] {
			spoken = append(spoken, s)
		}
	}
	if len(spoken) > 0 {
		r.guests = slices.DeleteFunc(r.guests, func(s wire.SignedSeal) bool { return keys[s.Notary] })
		slices.SortFunc(spoken, compareSeals)
	}
	return spoken
}

// HoldsSeal reports whether a seal is held, and whether for good: in the chain, or by a key that something speaks for.
func (r *Replica) HoldsSeal(s wire.SignedSeal) (held, forGood bool) {
	same := sameSeal(s)
	if slices.ContainsFunc(r.guests, same) {
		return true, false
	}
	_, kept := r.strange[s.Notary][s.Hash]
	mine, linked := r.Seal(s.Number)
	kept = kept || linked && same(mine) || slices.ContainsFunc(r.early[s.Number], same)
	kept = kept || r.chain != nil && slices.ContainsFunc(r.chain.held[s.Number], same)
	return kept, kept
}

// HoldsSealsTo reports whether seals with all numbers up to one are held. While none has ordered the
// game's beginning, none is linked: whoever has the invite can have a relay seal something
// before that, and the beginning must be sent all the same.
func (r *Replica) HoldsSealsTo(number uint64) bool {
	if r.settled {
		return r.Seals() >= number
	}
	held := map[uint64]bool{}
	for n := range r.early {
		held[n] = n <= number
	}
	for _, s := range r.guests {
		held[s.Number] = s.Number <= number
	}
	maps.DeleteFunc(held, func(_ uint64, counts bool) bool { return !counts })
	return uint64(len(held)) == number
}
