package ledger

import (
	"bytes"
	"slices"

	"peernomic/engine/wire"
)

// carriage is what a seal after a base brings along, to be counted: SPEC.md, 12.10 and 12.11.
type carriage struct {
	r     *Replica
	base  wire.SignedSeal
	nodes map[*node]bool // whether they come along with all that they depend on: count finds out
	parts map[*part]bool
	list  []*node // the nodes in the order in which they were taken
}

// newCarriage returns the empty one; about so many actions are to come along.
func (r *Replica) newCarriage(base wire.SignedSeal, actions int) *carriage {
	return &carriage{r: r, base: base, nodes: make(map[*node]bool, actions), parts: map[*part]bool{}, list: make([]*node, 0, actions)}
}

func (c *carriage) take(e *envelope) {
	switch {
	case e.part != nil:
		c.parts[e.part] = true
	case e.node != nil && e.node.state == complete && !c.brings(e.node):
		c.nodes[e.node] = false
		c.list = append(c.list, e.node)
	}
}

func (c *carriage) brings(n *node) bool {
	_, ok := c.nodes[n]
	return ok
}

// carried reports whether an action has its place by the base, or comes along with all that it
// depends on.
func (c *carriage) carried(n *node) bool { return n.placedBy(c.base.Number) || c.nodes[n] }

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

// count returns the motions that the ballots are for, or only the one that is asked for, with who assents, what wins first.
func (c *carriage) count(only *MotionID) []Succession {
	slices.SortFunc(c.list, byRank)
	for _, n := range c.list {
		c.nodes[n] = c.whole(n)
	}
	motions := map[MotionID]Motion{}
	var ballots []*node
	for _, n := range c.list {
		if n.ballot == nil || !c.carried(n) {
			continue
		}
		ballots = append(ballots, n)
		if m := n.ballot.Motion; m != nil && m.Kind == MotionNotary && m.Base == c.base.Number && m.BaseHash == c.base.Hash && (only == nil || *only == n.ballot.ID) {
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
				past = c.r.past(c.base.Number, []*node{n})
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
			if other != n && (other.placedBy(c.base.Number) || c.brings(other)) {
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

// past tells of every complete action, by its rank, whether it is one of some, or they depend on it, and has no place
// by a seal.
func (r *Replica) past(seal uint64, of []*node) []bool {
	out := make([]bool, len(r.admitted))
	for _, n := range of {
		out[n.rank] = true
	}
	for _, n := range slices.Backward(r.admitted) {
		if out[n.rank] = out[n.rank] && !n.placedBy(seal); out[n.rank] {
			for _, cause := range n.causes {
				out[cause.rank] = true
			}
		}
	}
	return out
}

func byRank(a, b *node) int { return a.rank - b.rank }
