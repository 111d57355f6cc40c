package ledger

import "io"

// This file judges actions by their dependencies. The verdict depends on nothing else, neither on
// the order of arrival nor on seals.

// judge checks an action against its game and those of its dependencies that are held. The error is
// a [*Refusal].
func (r *Replica) judge(n *node) error {
	a := n.action
	if gameOf(n.Verified) != r.game {
		return refuse(CodeGame, "the action is of another game")
	}
	if a.Kind == KindGenesis {
		return nil // judgeGenesis needs its parts
	}
	for _, id := range r.after(n) {
		if dep := r.actions[id]; dep != nil && dep.state == refused {
			return refuse(CodeDepends, "it depends on an action that was refused")
		}
	}
	if a.Seq == 1 {
		return r.judgeEnrolment(n)
	}
	prev := r.actions[a.Prev]
	switch {
	case prev == nil:
		return nil
	case prev.action.Device != a.Device || prev.action.Seq+1 != a.Seq:
		return refuse(CodeFeed, "its predecessor is not the device's action before it")
	case prev.action.Link != a.Link.Parent():
		return refuse(CodeLink, "its link does not follow from the link before")
	}
	return nil
}

func (r *Replica) judgeEnrolment(n *node) error {
	a := n.action
	if len(a.Parts) > 0 {
		return refuse(CodeEnrol, "an enrolment has no parts")
	}
	e, err := DecodeEnrolment(a.Body)
	if err != nil {
		return err
	}
	if err := e.Check(r.keys.ID, a.Device); err != nil {
		return err
	}
	if e.Anchor != a.Link.Parent() {
		return refuse(CodeLink, "its link does not follow from the anchor")
	}
	return nil
}

// judgeGenesis checks the genesis, whose parts must be held, and begins the chain of its notary.
func (r *Replica) judgeGenesis(n *node) error {
	body, err := joinBody(n.action, r.partsOf(n))
	if err != nil {
		return err
	}
	if len(n.action.Parts) > 0 {
		// The head must be readable without the parts.
		if _, err := DecodeGenesisHead(n.action.Body); err != nil {
			return err
		}
	}
	g, err := DecodeGenesis(body)
	if err != nil {
		return err
	}
	if err := g.Check(r.keys.ID, n.action.Device); err != nil {
		return err
	}
	if err := g.checkRuleset(); err != nil {
		return err
	}
	if g.Founder.Anchor != n.action.Link.Parent() {
		return refuse(CodeLink, "its link does not follow from the anchor")
	}
	r.genesis, r.chain = &g, newSealChain(g.Notary, g.Anchor)
	for _, s := range r.early {
		_ = r.addToChain(s) // nobody waits for the verdict; a refused seal is dropped
	}
	r.early = nil
	return nil
}

// partsOf returns the content of an action's parts, all of which must be held.
func (r *Replica) partsOf(n *node) [][]byte {
	parts := make([][]byte, len(n.action.Parts))
	for i, id := range n.action.Parts {
		parts[i] = r.parts[id].content
	}
	return parts
}

// judgeBody checks that an action's parts expand. All of them must be held. It keeps the verdict and drops
// the expanded body, which is much larger. The error is a [*Refusal].
func (r *Replica) judgeBody(n *node) error {
	if !n.expanded && len(n.action.Parts) > 0 {
		n.bodyErr = n.action.expand(io.Discard, r.partsOf(n))
		n.expanded = true
	}
	return n.bodyErr
}

// arrived counts one dependency less for each waiter, and judges those that wait for nothing more.
func (r *Replica) arrived(waiters []*node) {
	var now []*node
	for _, n := range waiters {
		n.waits--
		if n.waits == 0 && n.state == waiting {
			now = append(now, n)
		}
	}
	r.ready(now)
}

// ready judges nodes whose dependencies are complete, and then the nodes that these complete.
func (r *Replica) ready(queue []*node) {
	for len(queue) > 0 {
		n := queue[0]
		queue = queue[1:]
		if n.state != waiting {
			continue
		}
		err := r.judge(n)
		if err == nil && n.action.Kind == KindGenesis {
			err = r.judgeGenesis(n)
		}
		if err != nil {
			r.refuseNode(n, asRefusal(err))
			continue
		}
		for _, w := range r.admit(n) {
			if w.waits--; w.waits == 0 {
				queue = append(queue, w)
			}
		}
	}
}

// admit makes one node complete and returns the nodes that waited for it.
func (r *Replica) admit(n *node) []*node {
	a := n.action
	n.state = complete
	n.rank = len(r.admitted)
	r.admitted = append(r.admitted, n)
	r.loose = append(r.loose, n)
	for _, id := range r.after(n) {
		delete(r.tips, id)
	}
	r.tips[n.id] = n
	if a.Seq > 1 {
		n.prev = r.actions[a.Prev]
	}
	r.enterFeed(n)
	waiters := r.waitAction[n.id]
	delete(r.waitAction, n.id)
	return waiters
}

// enterFeed gives a complete node its place in its device's feed and notices forks.
func (r *Replica) enterFeed(n *node) {
	a := n.action
	d := r.devices[a.Device]
	if d == nil {
		d = &device{}
		r.devices[a.Device] = d
	}
	if uint64(len(d.feed)) < a.Seq {
		d.feed = append(d.feed, n) // its predecessor is complete, so the numbers have no gap
		return
	}
	d.forked = true
	at := feedPlace{a.Device, a.Seq}
	if r.forks[at] == nil {
		r.forks[at] = []*node{d.feed[a.Seq-1]}
	}
	r.forks[at] = append(r.forks[at], n)
}

// refuseNode refuses a waiting node and every node that depends on it.
func (r *Replica) refuseNode(n *node, why *Refusal) {
	n.state = refused
	r.refuseEnvelope(n.envelope, why)
	r.refuseAfter(n)
}

// refuseAfter refuses every node that waits for a refused one.
func (r *Replica) refuseAfter(n *node) {
	queue := []*node{n}
	for len(queue) > 0 {
		n := queue[0]
		queue = queue[1:]
		waiters := r.waitAction[n.id]
		delete(r.waitAction, n.id)
		for _, w := range waiters {
			if w.state != waiting {
				continue
			}
			why := r.judge(w) // an earlier check may fail, too, and then it is the verdict
			if why == nil {
				why = refuse(CodeDepends, "it depends on an action that was refused")
			}
			w.state = refused
			r.refuseEnvelope(w.envelope, asRefusal(why))
			queue = append(queue, w)
		}
	}
}
