package ledger

import (
	"bytes"
	"cmp"
	"maps"
	"slices"

	"peernomic/engine/wire"
)

// This file lets another notary go on with the order: SPEC.md, 12.8 to 12.13. What decides is
// signed by players and carried by the new notary's first seal, so every replica that holds that
// seal and what it names comes to the same verdict, whatever the old notary does.

// Electorate returns the identities of who is active at a linked seal (SPEC.md, 12.5), given
// what has its place up to it. It depends on nothing else.
type Electorate func(seal uint64) []IdentityKey

// SetElectorate makes the replica judge changes of notary. Without an electorate it refuses the
// seals of every notary but the first.
func (r *Replica) SetElectorate(e Electorate) { r.electorate = e }

// Succession is a change of notary that a convention decided.
type Succession struct {
	Motion  Motion
	ID      MotionID
	Change  NotaryChange
	Assents []IdentityKey // who signed it and was active, in ascending order
	Active  int           // how many were
}

// enough reports whether the assents are more than two thirds of the active players.
func (s Succession) enough() bool { return 3*len(s.Assents) > 2*s.Active }

// before orders rivals with one base: what was moved later comes first.
func (s Succession) before(other Succession) int {
	return cmp.Or(cmp.Compare(other.Motion.Round, s.Motion.Round), bytes.Compare(s.ID[:], other.ID[:]))
}

// Successions returns the changes of notary in force, in order.
func (r *Replica) Successions() []Succession { return slices.Clone(r.successions) }

// Notary returns the notary in force. The anchor is the link before its first seal's.
func (r *Replica) Notary() (key wire.NotaryKey, anchor wire.Link) {
	if n := len(r.successions); n > 0 {
		c := r.successions[n-1].Change
		return c.Notary, c.Anchor
	}
	return r.genesis.Notary, r.genesis.Anchor
}

// wasNotary reports whether a key is the notary's, or was before a convention chose another.
func (r *Replica) wasNotary(key wire.NotaryKey) bool {
	return key == r.genesis.Notary || slices.ContainsFunc(r.successions, func(s Succession) bool { return s.Change.Notary == key })
}

// Generation counts how often a change of notary took back places. It is the exception to
// the rule that the order only grows: whoever follows [Replica.Placed] starts over when it
// changes.
func (r *Replica) Generation() uint64 { return r.generation }

// Overruled returns the seals that a notary cut after the seal from which a convention let
// another go on, in ascending order. They order nothing.
func (r *Replica) Overruled() []wire.SignedSeal {
	var out []wire.SignedSeal
	for _, s := range r.strangers() {
		for _, c := range r.successions {
			if base := r.chain.linked[c.Motion.Base-1]; s.Notary == base.Notary && s.Number > base.Number {
				out = append(out, s)
				break
			}
		}
	}
	return out
}

func compareSeals(a, b wire.SignedSeal) int {
	return cmp.Or(cmp.Compare(a.Number, b.Number), bytes.Compare(a.Hash[:], b.Hash[:]))
}

// review makes the chain the one that the conventions decide, as far as is known. It
// reports whether it changed anything.
func (r *Replica) review() bool {
	for _, s := range r.spokenGuests() {
		r.keepStrange(s)
	}
	candidates := map[uint64][]wire.SignedSeal{} // by the number of the base
	for key := range r.calls {
		for _, s := range r.strange[key] {
			if base, ok := r.Seal(s.Number - 1); ok && s.Prev == base.Hash && s.Notary != base.Notary && r.calledFor(s) {
				candidates[base.Number] = append(candidates[base.Number], s)
			}
		}
	}
	for _, c := range r.successions {
		base := c.Motion.Base
		candidates[base] = append(candidates[base], r.chain.linked[base])
	}
	r.pending = nil
	for _, base := range slices.Sorted(maps.Keys(candidates)) {
		current, _ := r.Seal(base + 1)
		winner, won := r.elect(base, candidates[base], current.Hash)
		switch {
		case winner != nil && !sameSeal(current)(*winner):
			if r.mustAsk(base, current.Hash, winner.Hash) {
				r.pending = append(r.pending, PendingSuccession{won, winner.Hash, r.PlacedAfter(base)})
				continue
			}
			r.goOnFrom(base, winner, won)
			return true
		case winner == nil && slices.ContainsFunc(r.successions, func(c Succession) bool { return c.Motion.Base == base }):
			r.goOnFrom(base, nil, Succession{})
			return true
		}
	}
	return false
}

// elect returns the one of some first seals at a base that stands (12.12), if any, of those that the person does not
// refuse.
func (r *Replica) elect(base uint64, seals []wire.SignedSeal, current wire.SealHash) (*wire.SignedSeal, Succession) {
	var winner *wire.SignedSeal
	var won Succession
	slices.SortFunc(seals, compareSeals)
	for _, s := range seals {
		c, ok := r.judgeSuccession(base, s)
		if agreed, decided := r.decided[s.Hash]; !ok || decided && !agreed {
			continue
		}
		// Of two first seals by one notary, the one linked first stands (6.6).
		if winner == nil || c.before(won) < 0 || winner.Notary == s.Notary && s.Hash == current {
			winner, won = &s, c
		}
	}
	return winner, won
}

// goOnFrom makes a successor's first seal the one after the base or, without one, gives the
// chain back to the notary of the base.
func (r *Replica) goOnFrom(base uint64, first *wire.SignedSeal, won Succession) {
	c := r.chain
	removed := c.linked[base:]
	keep := slices.Clone(removed)
	for _, held := range c.held {
		keep = append(keep, held...)
	}
	for _, s := range keep {
		r.keepStrange(s)
	}
	for _, s := range removed {
		r.former[signedBy{s.Notary, s.Hash}] = true
	}
	c.linked, c.held, c.count = c.linked[:base:base], map[uint64][]wire.SignedSeal{}, 0
	r.successions = slices.DeleteFunc(r.successions, func(c Succession) bool { return c.Motion.Base >= base })
	if first != nil {
		r.successions = append(r.successions, won)
		c.linked = append(c.linked, *first)
		delete(r.strange[first.Notary], first.Hash)
	}
	c.notary = c.linked[len(c.linked)-1].Notary
	c.from = 1
	if n := len(r.successions); n > 0 {
		c.from = r.successions[n-1].Motion.Base + 1
	}
	for _, s := range slices.SortedFunc(maps.Values(r.strange[c.notary]), r.compareAgain) {
		if s.Number > uint64(len(c.linked)) && c.add(s) == nil {
			delete(r.strange[c.notary], s.Hash)
			c.next() // at once, as another with its number does not go on from here then
		}
	}
	r.version++
	if len(removed) > 0 {
		r.rewind()
		return
	}
	for _, s := range c.linked[base:] {
		r.name(s)
	}
}

// compareAgain orders seals for linking: of two by one notary the one goes first that was linked before (6.6).
func (r *Replica) compareAgain(a, b wire.SignedSeal) int {
	former := func(s wire.SignedSeal) int {
		if r.former[signedBy{s.Notary, s.Hash}] {
			return 0
		}
		return 1
	}
	return cmp.Or(cmp.Compare(a.Number, b.Number), cmp.Compare(former(a), former(b)), bytes.Compare(a.Hash[:], b.Hash[:]))
}

// rewind takes all places back, because the chain that gave them is another now.
func (r *Replica) rewind() {
	r.generation++
	r.walk = newWalk()
	r.unnamed = len(r.envelopes)
	for _, e := range r.envelopes {
		e.named = false
	}
	for _, n := range r.actions {
		n.position, n.visited, n.unplaced, n.placed, n.seal, n.dead = 0, false, 0, false, 0, nil
	}
	for _, p := range r.parts {
		p.placed = false
	}
	for _, d := range r.devices {
		d.stands = nil
	}
	r.loose = slices.Clone(r.admitted)
	for _, s := range r.chain.linked {
		r.name(s)
	}
}

// judgeSuccession judges whether a seal is a successor's first after a base (12.9). It is not, as
// long as not all is held that it names and that the base and those before it order. Then the verdict is for
// good: what an action still waits for is neither, and so it is not carried.
func (r *Replica) judgeSuccession(number uint64, s wire.SignedSeal) (Succession, bool) {
	base := r.chain.linked[number-1]
	by := signedBy{s.Notary, s.Hash}
	if won, ok := r.proved[by]; ok {
		return won, true
	}
	if r.unproved[by] || r.OrderedSeals() < number || s.Time < base.Time || s.Time-base.Time > MaxSealStep {
		return Succession{}, false
	}
	c := r.newCarriage(base, len(s.Envelopes))
	for _, h := range s.Envelopes {
		e := r.envelopes[h]
		if e == nil {
			return Succession{}, false
		}
		c.take(e)
	}
	for _, won := range c.count(nil) {
		if won.Change.Notary == s.Notary && won.Change.Anchor == s.Link.Parent() && won.enough() {
			r.proved[by] = won
			return won, true
		}
	}
	r.unproved[by] = true // anybody can have such seals cut, and all are looked at with everything that comes
	return Succession{}, false
}

// signedBy names a seal together with its key: anybody can sign what another key did, and the hash is the same.
type signedBy struct {
	notary wire.NotaryKey
	hash   wire.SealHash
}

// Proof is what a successor's first seal has to name.
type Proof struct {
	Succession
	Envelopes []wire.EnvelopeHash // the ballots and what they depend on, causes before effects
}

// Complete reports whether the proof suffices, and fits one seal.
func (p Proof) Complete() bool { return p.enough() && len(p.Envelopes) <= wire.MaxSealEnvelopes }

// ProofOf returns how a motion for a new notary stands: all ballots on it that are held and that
// its base does not already order, what they depend on, and who counts. It fails for other motions, and if the
// base is not a linked seal with all up to it held. It is worked out once for all that is held; the caller must not
// change it.
func (r *Replica) ProofOf(m Motion) (Proof, bool) {
	_, id, err := m.Encode()
	base, ok := r.Seal(m.Base)
	if err != nil || m.Kind != MotionNotary || !ok || base.Hash != m.BaseHash || r.OrderedSeals() < m.Base || r.electorate == nil {
		return Proof{}, false
	}
	if r.proofs == nil || r.proofsAt != r.version {
		r.proofs, r.proofsAt = map[MotionID]Proof{}, r.version
	}
	p, ok := r.proofs[id]
	if !ok {
		p = r.proofOf(m, id, base)
		r.proofs[id] = p
	}
	return p, true
}

func (r *Replica) proofOf(m Motion, id MotionID, base wire.SignedSeal) Proof {
	ballots := slices.DeleteFunc(slices.Clone(r.ballots), func(n *node) bool { return n.ballot.ID != id })
	var bring []*node
	for rank, wanted := range r.past(base.Number, ballots) {
		if wanted {
			bring = append(bring, r.admitted[rank])
		}
	}
	c := r.newCarriage(base, len(bring))
	p := Proof{Succession: Succession{Motion: m, ID: id}}
	for _, n := range bring {
		for _, part := range n.action.Parts {
			if e := r.parts[part].envelope; !c.parts[e.part] && !r.namedBy(e.hash, base.Number) {
				p.Envelopes = append(p.Envelopes, e.hash)
				c.take(e)
			}
		}
		p.Envelopes = append(p.Envelopes, n.envelope.hash)
		c.take(n.envelope)
	}
	for _, won := range c.count(&id) {
		p.Succession = won
	}
	return p
}

// placedBy reports whether the node has its place by a seal.
func (n *node) placedBy(seal uint64) bool { return n.placed && n.seal <= seal }

// namedBy reports whether an envelope is named by a seal, or one before it.
func (r *Replica) namedBy(h wire.EnvelopeHash, seal uint64) bool {
	p := r.walk.named[h]
	return p != 0 && p.seal() <= seal
}
