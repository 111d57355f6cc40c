package ledger

import "io"

// This file judges actions by what they depend on. The verdict depends on nothing else: not
// on what arrived when, and not on what was sealed.

// judge judges an action by its game and its predecessor, as far as they are known. The error is
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

// judgeGenesis judges what the genesis says, once its parts are there, and begins the chain of
// the notary that it names.
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
		_ = r.addToChain(s) // whoever sent it has gone; what is refused is not kept
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

// judgeBody judges whether an action's parts, all of which must be held, expand. It keeps the verdict, but
// not what they expand to, which is much larger. The error is a [*Refusal].
func (r *Replica) judgeBody(n *node) error {
	if !n.expanded && len(n.action.Parts) > 0 {
		n.bodyErr = n.action.expand(io.Discard, r.partsOf(n))
		n.expanded = true
	}
	return n.bodyErr
}

// arrived tells nodes that one thing that they waited for is there.
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

// ready judges nodes that wait for nothing any more, and all that becomes ready through them.
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
		d.feed = append(d.feed, n) // its predecessor is complete, so no number is left out
		return
	}
	d.forked = true
	at := feedPlace{a.Device, a.Seq}
	if r.forks[at] == nil {
		r.forks[at] = []*node{d.feed[a.Seq-1]}
	}
	r.forks[at] = append(r.forks[at], n)
}

// refuseNode refuses a node that was waiting, and all that depends on it.
func (r *Replica) refuseNode(n *node, why *Refusal) {
	n.state = refused
	r.refuseEnvelope(n.envelope, why)
	r.refuseAfter(n)
}

// refuseAfter refuses all that waits for a refused node.
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
			why := r.judge(w) // perhaps for a check that comes before
			if why == nil {
				why = refuse(CodeDepends, "it depends on an action that was refused")
			}
			w.state = refused
			r.refuseEnvelope(w.envelope, asRefusal(why))
			queue = append(queue, w)
		}
	}
}
