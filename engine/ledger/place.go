package ledger

import (
	"container/heap"

	"peernomic/engine/wire"
)

// Placement is the place of an action in the order.
type Placement struct {
	Action Verified
	Index  int // 0 for the genesis
	// Seal is the number of the first seal that completes the action: it and the seals before it
	// name the action and all its dependencies. It is 0 while the action is tentative. The seal's
	// time, link and hash follow.
	Seal     uint64
	Time     int64 // Unix ms; the claimed time while the action is tentative
	SealLink wire.Link
	SealHash wire.SealHash
	Envelope wire.EnvelopeHash
	// Named is the number of the seal that names the envelope: Seal or one before it.
	Named uint64
	Void  *Void // why the action has no effect; nil if it counts
	parts [][]byte
}

// Body returns the action's whole body, parts included. It is nil if the action has parts and they do not expand, or if
// the action lost a fork. Each call expands the parts again, to save memory.
func (p Placement) Body() []byte {
	if len(p.parts) != len(p.Action.action.Parts) {
		return nil
	}
	body, err := joinBody(p.Action.action, p.parts)
	if err != nil {
		return nil // cannot happen: placement judged the parts
	}
	return body
}

// Void says why an action that has a place has no effect.
type Void struct {
	Code Code // CodeFork, CodeBody or CodeClaimed
	Text string
	Fork *ForkProof // with CodeFork
}

// position is a place in a chain of seals: the seal's number and an index into its
// envelopes. The zero value is nowhere.
type position uint64

func at(seal uint64, index int) position { return position(seal<<11 | uint64(index)) }

func (p position) seal() uint64 { return uint64(p) >> 11 }
func (p position) index() int   { return int(p & (1<<11 - 1)) }

// walk is the position of a replica in its chain, and the actions that it placed.
type walk struct {
	next       position // the envelope to visit next
	named      map[wire.EnvelopeHash]position
	placed     []Placement
	waitAction map[ActionID][]*node // visited nodes, by the action whose place they wait for
	waitPart   map[PartID][]*node
	ready      readyHeap
}

func newWalk() walk {
	return walk{
		next:       at(1, 0),
		named:      map[wire.EnvelopeHash]position{},
		waitAction: map[ActionID][]*node{},
		waitPart:   map[PartID][]*node{},
	}
}

func (r *Replica) isNamed(h wire.EnvelopeHash) bool {
	_, ok := r.walk.named[h]
	return ok
}

// name records the envelopes that a linked seal names.
func (r *Replica) name(s wire.SignedSeal) {
	for i, h := range s.Envelopes {
		if r.isNamed(h) {
			continue
		}
		r.walk.named[h] = at(s.Number, i)
		e := r.envelopes[h]
		if e == nil {
			continue
		}
		e.named = true
		r.unnamed--
		if e.node != nil && e.node.position == 0 {
			e.node.position = at(s.Number, i)
		}
	}
}

// extend links the held seals that follow, and visits the envelopes that they name. It stops at the
// first envelope that this replica does not hold.
func (r *Replica) extend() {
	if r.chain == nil {
		return
	}
	for {
		s, ok := r.chain.next()
		if !ok {
			break
		}
		r.name(s)
	}
	for r.walk.next.seal() <= uint64(len(r.chain.linked)) {
		s := &r.chain.linked[r.walk.next.seal()-1]
		for i := r.walk.next.index(); i < len(s.Envelopes); i++ {
			r.walk.next = at(s.Number, i)
			e := r.envelopes[s.Envelopes[i]]
			if e == nil {
				return
			}
			r.visit(e, s)
		}
		r.walk.next = at(s.Number+1, 0)
	}
}

// visit places the action or part of an envelope if all its dependencies have a place, and then every
// action that waited only for it.
func (r *Replica) visit(e *envelope, s *wire.SignedSeal) {
	switch {
	case e.part != nil:
		r.visitPart(e.part)
	case e.node != nil && e.node.state != refused:
		r.visitAction(e, s)
	default:
		return // junk
	}
	for r.walk.ready.Len() > 0 {
		n := heap.Pop(&r.walk.ready).(*node)
		if n.state == complete {
			r.place(n, s)
		}
	}
}

func (r *Replica) visitPart(p *part) {
	if p.placed {
		return
	}
	p.placed = true
	r.release(r.walk.waitPart[p.id])
	delete(r.walk.waitPart, p.id)
}

func (r *Replica) visitAction(e *envelope, s *wire.SignedSeal) {
	n := e.node
	if n.visited {
		return
	}
	n.visited = true
	n.position = r.walk.next
	n.envelope, n.Verified = e, e.action
	for _, id := range r.after(n) {
		if dep := r.actions[id]; dep == nil || !dep.placed {
			n.unplaced++
			r.walk.waitAction[id] = append(r.walk.waitAction[id], n)
		}
	}
	for _, id := range n.action.Parts {
		if p := r.parts[id]; p == nil || !p.placed {
			n.unplaced++
			r.walk.waitPart[id] = append(r.walk.waitPart[id], n)
		}
	}
	if n.unplaced == 0 {
		heap.Push(&r.walk.ready, n)
	}
}

func (r *Replica) release(waiters []*node) {
	for _, n := range waiters {
		if n.unplaced--; n.unplaced == 0 {
			heap.Push(&r.walk.ready, n)
		}
	}
}

// place gives an action its place at a seal.
func (r *Replica) place(n *node, s *wire.SignedSeal) {
	d := r.devices[n.action.Device]
	p := r.placement(n, d.counted, len(r.walk.placed), n.lost())
	p.Seal, p.Time, p.SealLink, p.SealHash = s.Number, s.Time, s.Link, s.Hash
	p.Named = n.position.seal()
	if p.Void == nil {
		if seal := r.chain.linked[p.Named-1]; n.action.Claimed > seal.Time+MaxClaimAhead {
			p.Void = &Void{Code: CodeClaimed, Text: "its claimed time is far ahead of the seal that orders it"}
		}
	}
	n.placed = true
	if p.Void != nil && p.Void.Code == CodeFork {
		n.dead = p.Void
	} else {
		d.counted = append(d.counted, n)
	}
	r.walk.placed = append(r.walk.placed, p)
	r.release(r.walk.waitAction[n.id])
	delete(r.walk.waitAction, n.id)
}

// lost returns the fork that the action's predecessor lost, and the action with it, or nil.
func (n *node) lost() *Void {
	if n.prev == nil {
		return nil
	}
	return n.prev.dead
}

// placement returns the placement of an action, without its seal. Counted are the earlier actions of the
// device that count; lost is the fork that its predecessor lost, or nil. An action that lost a fork is not
// expanded: its parts may belong to the action that won.
func (r *Replica) placement(n *node, counted []*node, index int, lost *Void) Placement {
	p := Placement{Action: n.Verified, Index: index, Envelope: n.envelope.hash, Void: lost}
	seq := n.action.Seq
	switch {
	case lost != nil:
		return p
	case uint64(len(counted)) >= seq:
		p.Void = &Void{
			Code: CodeFork,
			Text: "the device signed another action with this number, which came first",
			Fork: &ForkProof{Device: n.action.Device, Seq: seq, First: counted[seq-1].bytes, Second: n.bytes},
		}
		return p
	}
	if err := r.judgeBody(n); err != nil {
		p.Void = &Void{Code: CodeBody, Text: asRefusal(err).Text}
	} else if len(n.action.Parts) > 0 {
		p.parts = r.partsOf(n)
	}
	return p
}

// readyHeap is a heap of nodes, ordered by the position at which the chain names them.
type readyHeap []*node

func (h readyHeap) Len() int           { return len(h) }
func (h readyHeap) Less(i, j int) bool { return h[i].position < h[j].position }
func (h readyHeap) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *readyHeap) Push(x any)        { *h = append(*h, x.(*node)) }
func (h *readyHeap) Pop() any {
	old := *h
	n := old[len(old)-1]
	*h = old[:len(old)-1]
	return n
}
