// Package entropy grows the hash chains that dice are rolled from.
//
// A chain is a list of links, [wire.Link] 0 to n. The newest link comes from a secret
// seed, every other is the hash of the one after it, and link 0, the anchor, is
// published before anything is rolled. Whoever knows link i can check it against the
// anchor and cannot guess link i+1. Devices and notaries reveal their links in order,
// one with each action or seal, so each is bound to values that nobody else knows yet.
//
// The bytes are specified in engine/dice/SPEC.md, section 2.
package entropy

import (
	"errors"

	"peernomic/engine/wire"
)

// Lengths of the chains in use: how many links can be revealed after the anchor.
const (
	// DeviceLinks is the length of a device's chain: it can sign that many actions in
	// one game.
	DeviceLinks = 1 << 16
	// NotaryLinks is the length of a notary's chain: it can sign that many seals.
	NotaryLinks = 1 << 20
	// MaxLinks is the longest chain that this package grows.
	MaxLinks = 1 << 24
)

// ErrExhausted reports that a chain has no such link.
var ErrExhausted = errors.New("entropy chain has no such link")

// Chain is a whole chain, held by its owner. It keeps one link in a stride, so asking
// for a link costs at most a stride of hashes. A Chain never changes once made and may be
// used by several goroutines. Make it with [NewChain].
type Chain struct {
	n      uint64
	stride uint64
	marks  []wire.Link // marks[i] is link i*stride, the last mark is link n
}

// NewChain grows a chain of n links after its anchor from a secret seed. It costs n
// hashes. It fails with [ErrExhausted] if n is zero or more than [MaxLinks].
func NewChain(seed [32]byte, n uint64) (*Chain, error) {
	if n == 0 || n > MaxLinks {
		return nil, ErrExhausted
	}
	stride := uint64(1)
	for stride*stride < n {
		stride *= 2
	}
	c := &Chain{n: n, stride: stride, marks: make([]wire.Link, (n+stride-1)/stride+1)}
	link := wire.Link(wire.Digest("peernomic/chain/v1", seed[:]))
	c.marks[len(c.marks)-1] = link
	for i := n; i > 0; {
		link = link.Parent()
		i--
		if i%stride == 0 {
			c.marks[i/stride] = link
		}
	}
	return c, nil
}

// Len returns the number of the newest link.
func (c *Chain) Len() uint64 { return c.n }

// Anchor returns link 0, which is published first.
func (c *Chain) Anchor() wire.Link { return c.marks[0] }

// Link returns link i. It fails with [ErrExhausted] if i is beyond the chain's end.
func (c *Chain) Link(i uint64) (wire.Link, error) {
	if i > c.n {
		return wire.Link{}, ErrExhausted
	}
	mark := (i + c.stride - 1) / c.stride
	at := min(mark*c.stride, c.n)
	link := c.marks[mark]
	for ; at > i; at-- {
		link = link.Parent()
	}
	return link, nil
}

// Reaches reports whether hashing link n times gives the anchor: whether it is link n of
// that anchor's chain. It costs n hashes and is false beyond [MaxLinks].
func Reaches(link wire.Link, n uint64, anchor wire.Link) bool {
	if n > MaxLinks {
		return false
	}
	for ; n > 0; n-- {
		link = link.Parent()
	}
	return link == anchor
}
