package ledger

import (
	"bytes"
	"cmp"
	"container/heap"

	"peernomic/engine/wire"
)

// TieLabel is the label of the hash that breaks ties among actions that no seal orders.
const TieLabel = "peernomic/tie/v1"

// Placed returns the order so far. It only grows; its elements never change.
func (r *Replica) Placed() []Placement {
	return r.walk.placed[:len(r.walk.placed):len(r.walk.placed)]
}

// Tentative returns the complete actions without a place, in the order that they would get if nothing
// else arrived: causes before effects, then actions that a linked seal names before the others, then
// by a hash of the newest seal and the device, so that no key always wins. The order changes with
// every arrival.
func (r *Replica) Tentative() []Placement {
	if r.tentativeAt != r.version || r.tentative == nil {
		r.tentative, r.tentativeAt = r.tentativeOrder(), r.version
	}
	return r.tentative[:len(r.tentative):len(r.tentative)]
}

func (r *Replica) tentativeOrder() []Placement {
	left := r.loose[:0]
	for _, n := range r.loose {
		if !n.placed {
			left = append(left, n)
		}
	}
	clear(r.loose[len(left):])
	r.loose = left

	var last wire.SealHash
	if s, ok := r.Seal(r.Seals()); ok {
		last = s.Hash
	}
	ties := map[DeviceKey][32]byte{}
	waits := make(map[*node]int, len(left))
	waiters := map[ActionID][]*node{}
	var ready tieHeap
	for _, n := range left {
		if _, ok := ties[n.action.Device]; !ok {
			ties[n.action.Device] = wire.Digest(TieLabel, last[:], n.action.Device[:])
		}
		for _, id := range r.after(n) {
			if dep := r.actions[id]; !dep.placed {
				waits[n]++
				waiters[id] = append(waiters[id], n)
			}
		}
		if waits[n] == 0 {
			ready = append(ready, tied{n, ties[n.action.Device]})
		}
	}
	heap.Init(&ready)

	order := make([]Placement, 0, len(left))
	counted := map[DeviceKey][]*node{}
	lost := map[*node]*Void{}
	for ready.Len() > 0 {
		n := heap.Pop(&ready).(tied).node
		key := n.action.Device
		mine, ok := counted[key]
		if !ok {
			mine = r.devices[key].counted
			mine = mine[:len(mine):len(mine)]
		}
		p := r.placement(n, mine, len(r.walk.placed)+len(order), cmp.Or(n.lost(), lost[n.prev]))
		p.Time = n.action.Claimed
		p.Named = n.position.seal()
		if p.Void != nil && p.Void.Code == CodeFork {
			lost[n] = p.Void
		} else {
			mine = append(mine, n)
		}
		counted[key] = mine
		order = append(order, p)
		for _, w := range waiters[n.id] {
			if waits[w]--; waits[w] == 0 {
				heap.Push(&ready, tied{w, ties[w.action.Device]})
			}
		}
	}
	return order
}

type tied struct {
	node *node
	tie  [32]byte
}

type tieHeap []tied

func (h tieHeap) Len() int { return len(h) }

func (h tieHeap) Less(i, j int) bool {
	a, b := h[i], h[j]
	if pa, pb := a.node.position, b.node.position; pa != pb {
		return pb == 0 || pa != 0 && pa < pb
	}
	if c := bytes.Compare(a.tie[:], b.tie[:]); c != 0 {
		return c < 0
	}
	if a.node.action.Seq != b.node.action.Seq {
		return a.node.action.Seq < b.node.action.Seq
	}
	return bytes.Compare(a.node.id[:], b.node.id[:]) < 0
}

func (h tieHeap) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h *tieHeap) Push(x any)   { *h = append(*h, x.(tied)) }
func (h *tieHeap) Pop() any {
	old := *h
	t := old[len(old)-1]
	*h = old[:len(old)-1]
	return t
}
