package ledger

import (
	"bytes"
	"slices"

	"peernomic/engine/wire"
)

// carriage is what a seal after a base brings along, to be counted: SPEC.md, 12.10 and 12.11.
type carriage struct {
	r       *Replica
	base    wire.SignedSeal
	nodes   map[*node]bool
	parts   map[*part]bool
	list    []*node           // the nodes in the order in which they were taken
	carries map[*node]bool    // which of them come along with all that they depend on; see count
	losers  map[*node]bool    // what is known of lost
	rivals  []wire.SignedSeal // first seals at the base that this one would overrule
	later   *sealedSince      // nil until asked for
}

// sealedSince is what was named after a base all the same.
type sealedSince struct {
	nodes map[*node]bool
	acts  map[IdentityKey][]*node // those under the rules that have no place by the base, by person
}

func (r *Replica) newCarriage(base wire.SignedSeal) *carriage {
	return &carriage{r: r, base: base, nodes: map[*node]bool{}, parts: map[*part]bool{}, carries: map[*node]bool{}, losers: map[*node]bool{}}
}

func (c *carriage) take(e *envelope) {
	switch {
	case e.part != nil:
		c.parts[e.part] = true
	case e.node != nil && e.node.state == complete && !c.nodes[e.node]:
		c.nodes[e.node] = true
		c.list = append(c.list, e.node)
	}
}

// carried reports whether an action has its place by the base, or comes along with all that it
// depends on.
func (c *carriage) carried(n *node) bool { return n.placedBy(c.base.Number) || c.carries[n] }

// whole reports whether all that an action depends on is carried.
func (c *carriage) whole(n *node) bool {
	for _, cause := range n.causes {
		if !c.carried(cause) {
			return false
		}
	}
	for _, id := range n.action.Parts {
		if p := c.r.parts[id]; !c.parts[p] && !c.r.namedBy(p.envelope.hash, c.base.Number) {
			return false
		}
	}
	return true
}

// count returns the motions that the ballots are for, with who assents, what wins first.
func (c *carriage) count() []Succession {
	slices.SortFunc(c.list, byRank)
	for _, n := range c.list {
		c.carries[n] = c.whole(n)
	}
	motions := map[MotionID]Motion{}
	var ballots []*node
	for _, n := range c.list {
		if n.ballot == nil || !c.carried(n) {
			continue
		}
		ballots = append(ballots, n)
		if m := n.ballot.Motion; m != nil && m.Kind == MotionNotary && m.Base == c.base.Number && m.BaseHash == c.base.Hash {
			motions[n.ballot.ID] = *m
		}
	}
	if len(motions) == 0 {
		return nil
	}
	active := c.r.electorate(c.base.Number)
	var out []Succession
	for id, m := range motions {
		change, err := m.notary()
		if err != nil || change.Notary == c.base.Notary {
			continue
		}
		s := Succession{Motion: m, ID: id, Change: change, Active: len(active)}
		for _, person := range active {
			if slices.ContainsFunc(ballots, func(n *node) bool { return n.person == person && c.assents(n, id, m.Round, ballots) }) {
				s.Assents = append(s.Assents, person)
			}
		}
		if s.enough() { // what happened since can only be in the way, and takes long to look through
			s.Assents = slices.DeleteFunc(s.Assents, func(person IdentityKey) bool { return c.leavesOut(person, ballots, id) })
		}
		slices.SortFunc(s.Assents, func(a, b IdentityKey) int { return bytes.Compare(a[:], b[:]) })
		out = append(out, s)
	}
	slices.SortFunc(out, Succession.before)
	return out
}

// assents reports whether a ballot is an assent to a motion that counts (12.11).
func (c *carriage) assents(n *node, id MotionID, round uint64, ballots []*node) bool {
	if n.ballot.Verb != VerbAssent || n.ballot.ID != id || n.ballot.Motion == nil || !c.honest(n, id, round) {
		return false
	}
	var past []bool
	for _, w := range ballots {
		if w.ballot.Verb == VerbWithdraw && w.ballot.ID == id && w.person == n.person {
			if past == nil {
				past = c.past([]*node{n})
			}
			if !past[w.rank] {
				return false
			}
		}
	}
	return true
}

// honest reports whether a feed, up to an assent that its base does not order, has one branch, and
// does not assent to a rival before.
func (c *carriage) honest(assent *node, id MotionID, round uint64) bool {
	n := assent
	for ; n != nil && !n.placedBy(c.base.Number); n = n.prev {
		for _, other := range c.r.forks[feedPlace{n.action.Device, n.action.Seq}] {
			if other != n && (other.placedBy(c.base.Number) || c.nodes[other] || c.wentOn().nodes[other]) {
				return false
			}
		}
		if n == assent {
			continue
		}
		if b := n.ballot; b != nil && b.Verb == VerbAssent && b.ID != id && b.Motion != nil &&
			b.Motion.Kind == MotionNotary && b.Motion.BaseHash == c.base.Hash && b.Motion.Round >= round {
			return false
		}
	}
	return n == nil || n.dead == nil
}

// leavesOut reports whether somebody played on after the base, with any device, and the seal does not
// carry it.
func (c *carriage) leavesOut(person IdentityKey, ballots []*node, id MotionID) bool {
	var mine []*node
	for _, n := range ballots {
		if n.person == person && n.ballot.ID == id {
			mine = append(mine, n)
		}
	}
	return slices.ContainsFunc(c.playedOn(person, mine), func(n *node) bool { return !c.carried(n) })
}

// playedOn returns what somebody signed under the rules that was sealed after the base, by rank. What depends on
// their ballots on the motion does not count: they had signed before.
func (c *carriage) playedOn(person IdentityKey, ballots []*node) []*node {
	acts := c.wentOn().acts[person]
	if len(acts) == 0 {
		return nil
	}
	after := c.r.effects(ballots)
	out := slices.DeleteFunc(slices.Clone(acts), func(n *node) bool { return after[n.rank] || c.lost(n) })
	slices.SortFunc(out, byRank)
	return out
}

// playedElsewhere returns what somebody signed under the rules that the base's notary may have sealed in an order that this
// replica does not hold. It is the same as in [carriage.playedOn] where that is held. What has a rival is left out: to
// bring both along excludes the assent.
func (c *carriage) playedElsewhere(person IdentityKey, ballots []*node) []*node {
	after := c.r.effects(ballots)
	var out []*node
	for _, n := range c.r.admitted {
		if n.person == person && n.action.Kind == KindAct && !n.placedBy(c.base.Number) && !after[n.rank] && !c.lost(n) && !c.contested(n) {
			out = append(out, n)
		}
	}
	return out
}

// contested reports whether the device of an action signed another with its number, or with that of one before it that the base does
// not order.
func (c *carriage) contested(n *node) bool {
	for ; n != nil && !n.placedBy(c.base.Number); n = n.prev {
		if len(c.r.forks[feedPlace{n.action.Device, n.action.Seq}]) > 0 {
			return true
		}
	}
	return false
}

// lost reports whether an action is on a branch of its feed that lost to one that the base orders: a
// copy of the key may have signed it, and it does nothing.
func (c *carriage) lost(n *node) bool {
	switch {
	case n == nil || !c.r.devices[n.action.Device].forked:
		return false
	case n.placedBy(c.base.Number):
		return n.dead != nil
	}
	known, ok := c.losers[n]
	if !ok {
		rivals := c.r.forks[feedPlace{n.action.Device, n.action.Seq}]
		known = slices.ContainsFunc(rivals, func(other *node) bool { return other.placedBy(c.base.Number) }) || c.lost(n.prev)
		c.losers[n] = known
	}
	return known
}

// wentOn returns what was named after the base by those whom the seal would overrule: the base's
// notary, and the rivals. Who signed it knew better than to assent as if there were nothing after the base.
func (c *carriage) wentOn() *sealedSince {
	if c.later != nil {
		return c.later
	}
	since := &sealedSince{nodes: map[*node]bool{}, acts: map[IdentityKey][]*node{}}
	c.later = since
	strange := map[wire.SealHash][]wire.SignedSeal{} // by the seal before
	for _, s := range c.r.strange {
		strange[s.Prev] = append(strange[s.Prev], s)
	}
	queue := []wire.SignedSeal{c.base}
	take := func(s wire.SignedSeal) {
		for _, h := range s.Envelopes {
			e := c.r.envelopes[h]
			if e == nil || e.node == nil || since.nodes[e.node] {
				continue
			}
			n := e.node
			since.nodes[n] = true
			if n.action.Kind == KindAct && n.state == complete && !n.placedBy(c.base.Number) {
				since.acts[n.person] = append(since.acts[n.person], n)
			}
		}
		queue = append(queue, s)
	}
	for _, s := range c.rivals {
		take(s)
	}
	for len(queue) > 0 {
		prev := queue[0]
		queue = queue[1:]
		after := strange[prev.Hash]
		if s, ok := c.r.Seal(prev.Number + 1); ok {
			after = append(after, s)
		}
		for _, s := range after {
			if follows(s, prev) {
				take(s)
			}
		}
	}
	return since
}

// follows reports whether a seal goes on from another by the same notary, whether the chain does so
// or not.
func follows(s, prev wire.SignedSeal) bool {
	return s.Notary == prev.Notary && s.Number == prev.Number+1 && s.Prev == prev.Hash && s.Link.Parent() == prev.Link && s.Time >= prev.Time
}

// past tells of every complete action, by its rank, whether it is one of some, or they depend on it and the base
// does not order it.
func (c *carriage) past(of []*node) []bool {
	out := make([]bool, len(c.r.admitted))
	for _, n := range of {
		out[n.rank] = true
	}
	for _, n := range slices.Backward(c.r.admitted) {
		if out[n.rank] = out[n.rank] && !n.placedBy(c.base.Number); out[n.rank] {
			for _, cause := range n.causes {
				out[cause.rank] = true
			}
		}
	}
	return out
}

// effects tells of every complete action, by its rank, whether it is one of some or depends on one.
func (r *Replica) effects(causes []*node) []bool {
	out := make([]bool, len(r.admitted))
	first := len(out)
	for _, n := range causes {
		out[n.rank], first = true, min(first, n.rank)
	}
	for _, n := range r.admitted[first:] {
		out[n.rank] = out[n.rank] || slices.ContainsFunc(n.causes, func(cause *node) bool { return out[cause.rank] })
	}
	return out
}

func byRank(a, b *node) int { return a.rank - b.rank }
