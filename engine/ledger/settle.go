package ledger

import (
	"bytes"
	"maps"
	"slices"

	"peernomic/engine/wire"
)

// This file decides which genesis is the room's. Everybody with the invite can put one into the
// room, so: the first that its own notary's chain orders is the game, and from then on no other
// is. Until a chain does, the genesis with the smallest id is taken for it.

// settle chooses the game, while no seal has.
func (r *Replica) settle() {
	if r.settled || len(r.candidates) == 0 || r.rebuilding {
		return
	}
	slices.SortFunc(r.candidates, func(a, b *node) int { return bytes.Compare(a.id[:], b.id[:]) })
	best := r.candidates[0]
	if r.game != nil && bytes.Compare(r.game.id[:], best.id[:]) < 0 {
		best = r.game
	}
	var chain *sealChain
	for _, c := range r.candidateChains() {
		if n := r.firstGenesis(c); n != nil && (chain == nil || n == r.game) {
			best, chain = n, c
		}
	}
	if r.game != nil && r.game != best {
		r.rebuild()
		return
	}
	if chain != nil {
		r.settled, r.chain = true, chain
		for _, number := range slices.Sorted(maps.Keys(r.early)) {
			for _, s := range r.early[number] {
				if s.Notary != chain.notary {
					r.host(s)
				}
			}
		}
		if r.guests = slices.DeleteFunc(r.guests, func(s wire.SignedSeal) bool { return s.Number == 1 }); r.electorate == nil {
			r.guests = nil
		}
		r.chains, r.early, r.earlyCount = nil, nil, nil
	}
	if r.game == nil {
		r.adopt(best)
	}
	if !r.settled {
		return
	}
	for _, n := range r.candidates {
		if n != r.game {
			r.refuseNode(n, refuse(CodeGenesis, "the room holds another game"))
		}
	}
	r.candidates = nil
	for _, s := range r.chain.linked {
		r.name(s)
	}
}

// adopt makes a candidate the game.
func (r *Replica) adopt(n *node) {
	body, err := joinBody(n.action, r.partsOf(n))
	if err != nil {
		return // a candidate has been decoded before
	}
	g, err := DecodeGenesis(body)
	if err != nil {
		return
	}
	r.game, r.genesis = n, g
	waiters := r.waitGame
	r.waitGame = nil
	r.ready([]*node{n})
	r.arrived(waiters)
}

// candidateChains returns the chains that the candidates name, grown from the seals seen so
// far, in the order of the candidates.
func (r *Replica) candidateChains() []*sealChain {
	for _, n := range r.candidates {
		g, err := DecodeGenesisHead(n.action.Body)
		if err != nil {
			continue // a candidate has been decoded before
		}
		if slices.ContainsFunc(r.chains, func(c *sealChain) bool { return c.notary == g.Notary && c.anchor == g.Anchor }) {
			continue
		}
		c := newSealChain(g.Notary, g.Anchor)
		r.chains = append(r.chains, c)
		for _, s := range r.spokenGuests() {
			r.keepEarly(s)
		}
		for _, number := range slices.Sorted(maps.Keys(r.early)) {
			for _, s := range r.early[number] {
				if s.Notary == c.notary {
					// What does not follow is not this chain's; it stays early.
					_ = c.add(s)
				}
			}
			for more := true; more; {
				_, more = c.next()
			}
		}
	}
	return r.chains
}

// firstGenesis returns the first candidate for this chain that the chain orders, or nil if
// it is not known yet.
func (r *Replica) firstGenesis(c *sealChain) *node {
	for more := true; more; {
		_, more = c.next()
	}
	for c.scan.seal() <= uint64(len(c.linked)) {
		s := c.linked[c.scan.seal()-1]
		for c.scan.index() < len(s.Envelopes) {
			e := r.envelopes[s.Envelopes[c.scan.index()]]
			if e == nil {
				return nil
			}
			if n := e.node; n != nil && n.action.Kind == KindGenesis && n.state != refused {
				if n.waits > 0 {
					return nil // its parts are to come
				}
				g, err := DecodeGenesisHead(n.action.Body)
				if err == nil && g.Notary == c.notary && g.Anchor == c.anchor {
					return n
				}
			}
			c.scan++
		}
		c.scan = at(c.scan.seal()+1, 0)
	}
	return nil
}

// rebuild starts over with all that is held, after the room turned out to hold another game than
// was thought. Nothing was placed so far.
func (r *Replica) rebuild() {
	again := NewReplica(r.keys)
	again.expect = r.expect
	again.electorate = r.electorate
	again.asksFirst, again.decided = r.asksFirst, r.decided
	again.version = r.version
	again.sound = r.sound // a rebuild for each of many rivals would expand them all each time
	again.rebuilding = true
	for _, h := range slices.SortedFunc(maps.Keys(r.envelopes), func(a, b wire.EnvelopeHash) int { return bytes.Compare(a[:], b[:]) }) {
		// What is refused is refused again, if the game makes it so.
		e := r.envelopes[h]
		_, _ = again.addEnvelope(e.bytes, e.node != nil)
	}
	again.early, again.earlyCount, again.guests = r.early, r.earlyCount, r.guests
	again.owed = r.owed // as before: nothing was judged meanwhile, and nothing is owed twice
	again.rebuilding = false
	*r = *again
	r.settle()
	r.goOn()
}
