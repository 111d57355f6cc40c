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
	later   map[wire.EnvelopeHash]bool // what the base's notary named after it; nil until asked for
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
			if other != n && (other.placedBy(c.base.Number) || c.nodes[other] || c.wentOn(other)) {
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

// wentOn reports whether the base's notary named an action after the base: then who signed it
// knew better than to assent as if there were nothing after it.
func (c *carriage) wentOn(n *node) bool {
	if c.later == nil {
		c.later = map[wire.EnvelopeHash]bool{}
		queue := []wire.SignedSeal{c.base}
		for len(queue) > 0 {
			prev := queue[0]
			queue = queue[1:]
			for _, s := range c.r.sealsAfter(prev) {
				for _, h := range s.Envelopes {
					c.later[h] = true
				}
				queue = append(queue, s)
			}
		}
	}
	for h := range c.later { // any will do
		if e := c.r.envelopes[h]; e != nil && e.node == n {
			return true
		}
	}
	return false
}

// sealsAfter returns the seals by a seal's own notary that follow it, whether the chain goes on
// with one of them or not.
func (r *Replica) sealsAfter(prev wire.SignedSeal) []wire.SignedSeal {
	var out []wire.SignedSeal
	follows := func(s wire.SignedSeal) bool {
		return s.Notary == prev.Notary && s.Number == prev.Number+1 && s.Prev == prev.Hash && s.Link.Parent() == prev.Link && s.Time >= prev.Time
	}
	if s, ok := r.Seal(prev.Number + 1); ok && follows(s) {
		out = append(out, s)
	}
	for _, s := range r.strange {
		if follows(s) {
			out = append(out, s)
		}
	}
	return out
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
