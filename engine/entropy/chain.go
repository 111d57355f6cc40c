// Package entropy grows the hash chains that dice are rolled from.
//
// A chain is a list of links, [wire.Link] 0 to n. The newest link comes from a secret
// seed, every other is the hash of the one after it, and link 0, the anchor, is
// published before anything is rolled. Anybody can check link i against the anchor, and
// nobody can guess link i+1 from it. Devices and notaries reveal their links in order,
// one with each action or seal. So each is bound to values that nobody else knows yet.
//
// The bytes are specified in engine/dice/SPEC.md, section 2.
package entropy

import (
	"errors"
	"maps"

	"peernomic/engine/wire"
)

// Lengths of the chains in use: how many links can be revealed after the anchor.
const (
	// DeviceLinks is the length of a device's chain: it can sign that many actions in
	// one game.
	DeviceLinks = 1 << 16
	// NotaryLinks is the length of a notary's chain: it can sign that many seals. No chain is
	// longer.
	NotaryLinks = 1 << 20
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
// hashes. It fails with [ErrExhausted] if n is zero or more than [NotaryLinks].
func NewChain(seed [32]byte, n uint64) (*Chain, error) {
	if n == 0 || n > NotaryLinks {
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
// that anchor's chain. It costs n hashes and is false beyond [NotaryLinks].
func Reaches(link wire.Link, n uint64, anchor wire.Link) bool {
	return NewChecker(anchor).Reaches(link, n)
}

// markEvery is how far apart the links are that a [Checker] remembers.
const markEvery = 1 << 10

// Checker checks links of one chain. It remembers some valid links, so that all checks together cost
// about as many hashes as the highest valid number.
type Checker struct {
	marks map[uint64]wire.Link
	// Pause, unless nil, is called from time to time with the hashes done and to do for a link. If it returns false,
	// the check of that link ends with false.
	Pause func(done, total uint64) bool
}

// NewChecker returns a checker of the chain with this anchor.
func NewChecker(anchor wire.Link) Checker {
	return Checker{marks: map[uint64]wire.Link{0: anchor}}
}

// Reaches is the function [Reaches] for the checker's chain.
func (c Checker) Reaches(link wire.Link, n uint64) bool {
	if n > NotaryLinks {
		return false
	}
	passed := map[uint64]wire.Link{}
	for total := n; ; n-- {
		if mark, ok := c.marks[n]; ok {
			if mark == link {
				maps.Copy(c.marks, passed)
			}
			return mark == link
		}
		if n%markEvery == 0 {
			passed[n] = link
			if c.Pause != nil && !c.Pause(total-n, total) {
				return false
			}
		}
		link = link.Parent()
	}
}
