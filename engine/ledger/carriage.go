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
	list    []*node // the nodes in the order in which they were taken
	carries map[*node]bool
	rivals  []wire.SignedSeal // first seals at the base that this one would overrule
	later   map[*node]bool    // what was named after the base all the same; nil until asked for
}

func (r *Replica) newCarriage(base wire.SignedSeal) *carriage {
	return &carriage{r: r, base: base, nodes: map[*node]bool{}, parts: map[*part]bool{}, carries: map[*node]bool{}}
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
func (c *carriage) carried(n *node) bool {
	if n.placedBy(c.base.Number) {
		return true
	}
	known, ok := c.carries[n]
	if ok || !c.nodes[n] {
		return known
	}
	all := true
	for _, id := range n.after() {
		all = all && c.carried(c.r.actions[id])
	}
	for _, id := range n.action.Parts {
		p := c.r.parts[id]
		all = all && (c.parts[p] || c.r.namedBy(p.envelope.hash, c.base.Number))
	}
	c.carries[n] = all
	return all
}

// signed is a ballot that comes along.
type signed struct {
	node   *node
	person IdentityKey
	Ballot
}

// count returns the motions that the ballots are for, with who assents, what wins first.
func (c *carriage) count() []Succession {
	motions := map[MotionID]Motion{}
	var ballots []signed
	for _, n := range c.list {
		b, ok := c.r.ballotOf(n)
		if !ok || !c.carried(n) {
			continue
		}
		if m := b.Motion; m != nil && m.Kind == MotionNotary && m.Base == c.base.Number && m.BaseHash == c.base.Hash {
			motions[b.ID] = *m
		}
		if person, ok := c.r.personOf(n); ok {
			ballots = append(ballots, signed{n, person, b})
		}
	}
	if len(motions) == 0 {
		return nil
	}
	active := c.r.electorate(c.base.Number)
	var out []Succession
	for id, m := range motions {
		change, err := m.Notary()
		if err != nil || change.Notary == c.base.Notary {
			continue
		}
		s := Succession{Motion: m, ID: id, Change: change, Active: len(active)}
		for _, person := range active {
			if slices.ContainsFunc(ballots, func(b signed) bool { return b.person == person && c.assents(b, id, m.Round, ballots) }) {
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
func (c *carriage) assents(b signed, id MotionID, round uint64, ballots []signed) bool {
	if b.Verb != VerbAssent || b.ID != id || b.Motion == nil || !c.honest(b.node, id, round) {
		return false
	}
	var past map[*node]bool
	for _, w := range ballots {
		if w.Verb == VerbWithdraw && w.ID == id && w.person == b.person {
			if past == nil {
				past = c.past(b.node)
			}
			if !past[w.node] {
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
			if other != n && (other.placedBy(c.base.Number) || c.nodes[other] || c.wentOn()[other]) {
				return false
			}
		}
		if n == assent {
			continue
		}
		if b, ok := c.r.ballotOf(n); ok && b.Verb == VerbAssent && b.ID != id && b.Motion != nil &&
			b.Motion.Kind == MotionNotary && b.Motion.BaseHash == c.base.Hash && b.Motion.Round >= round {
			return false
		}
	}
	return n == nil || n.dead == nil
}

// leavesOut reports whether somebody played on after the base, with any device, and the seal does not
// carry it. What depends on their ballot on the motion does not count: they had signed before.
func (c *carriage) leavesOut(person IdentityKey, ballots []signed, id MotionID) bool {
	var mine []*node
	for _, b := range ballots {
		if b.person == person && b.ID == id {
			mine = append(mine, b.node)
		}
	}
	for n := range c.wentOn() { // any will do
		if who, ok := c.playedOn(n); ok && who == person && !c.carried(n) && !c.after(n, mine) {
			return true
		}
	}
	return false
}

// playedOn returns who signed an action under the rules that was sealed after the base.
func (c *carriage) playedOn(n *node) (IdentityKey, bool) {
	if n.state != complete || n.action.Kind != KindAct || n.placedBy(c.base.Number) || !c.wentOn()[n] || c.lost(n) {
		return IdentityKey{}, false
	}
	return c.r.personOf(n)
}

// lost reports whether an action is on a branch of its feed that lost to one that the base orders: a
// copy of the key may have signed it, and it does nothing.
func (c *carriage) lost(n *node) bool {
	for ; n != nil && !n.placedBy(c.base.Number); n = n.prev {
		for _, other := range c.r.forks[feedPlace{n.action.Device, n.action.Seq}] {
			if other.placedBy(c.base.Number) {
				return true
			}
		}
	}
	return n != nil && n.dead != nil
}

// wentOn returns what was named after the base by those whom the seal would overrule: the base's
// notary, and the rivals. Who signed it knew better than to assent as if there were nothing after the base.
func (c *carriage) wentOn() map[*node]bool {
	if c.later != nil {
		return c.later
	}
	c.later = map[*node]bool{}
	strange := map[wire.SealHash][]wire.SignedSeal{} // by the seal before
	for _, s := range c.r.strange {
		strange[s.Prev] = append(strange[s.Prev], s)
	}
	queue := []wire.SignedSeal{c.base}
	take := func(s wire.SignedSeal) {
		for _, h := range s.Envelopes {
			if e := c.r.envelopes[h]; e != nil && e.node != nil {
				c.later[e.node] = true
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
	return c.later
}

// follows reports whether a seal goes on from another by the same notary, whether the chain does so
// or not.
func follows(s, prev wire.SignedSeal) bool {
	return s.Notary == prev.Notary && s.Number == prev.Number+1 && s.Prev == prev.Hash && s.Link.Parent() == prev.Link && s.Time >= prev.Time
}

// past returns what an action depends on, as far as the base does not order it.
func (c *carriage) past(n *node) map[*node]bool {
	seen := map[*node]bool{}
	queue := []*node{n}
	for len(queue) > 0 {
		n := queue[0]
		queue = queue[1:]
		for _, id := range n.after() {
			if dep := c.r.actions[id]; !seen[dep] && !dep.placedBy(c.base.Number) {
				seen[dep] = true
				queue = append(queue, dep)
			}
		}
	}
	return seen
}

// after reports whether an action depends on one of some that the base does not order.
func (c *carriage) after(n *node, some []*node) bool {
	past := c.past(n)
	return slices.ContainsFunc(some, func(b *node) bool { return past[b] })
}

// personOf returns whose device signed a complete action, as the first action of its feed says.
func (r *Replica) personOf(n *node) (IdentityKey, bool) {
	for n.prev != nil {
		n = n.prev
	}
	if n == r.game {
		return r.genesis.Founder.Identity, true
	}
	e, err := DecodeEnrolment(n.action.Body)
	return e.Identity, err == nil
}
