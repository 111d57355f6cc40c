package notary

import (
	"errors"
	"fmt"

	"peernomic/engine/wire"
)

// Length is the number of links of a notary's chain after its anchor, and so the
// number of seals that it can sign. A room's byte quota runs out long before.
const Length = 1 << 20

// Spacing is the distance between the links that are kept: computing any link
// takes at most Spacing hashes.
const Spacing = 1 << 10

// sub is how many links a [Walker] keeps at hand.
const sub = 1 << 5

// ErrChainEnd reports that every link of a chain has been used.
var ErrChainEnd = errors.New("entropy chain is used up")

// Grow makes a chain from its last link, which must be random and secret. It
// returns the anchor, which may be known to all, and the marks: every
// Spacing-th link, marks[i] being link (i+1)*Spacing. Length must be a positive
// multiple of Spacing. Growing takes length hashes.
func Grow(last wire.Link, length int) (anchor wire.Link, marks []wire.Link) {
	marks = make([]wire.Link, length/Spacing)
	link := last
	for i := length; i > 0; i-- {
		if i%Spacing == 0 {
			marks[i/Spacing-1] = link
		}
		link = link.Parent()
	}
	return link, marks
}

// Walker gives the links of a chain in order, at a cost of about two hashes each,
// and keeps 2 KiB in memory. It is not safe for concurrent use.
type Walker struct {
	marks func() ([]wire.Link, error)
	// Links first+1..first+Spacing: every sub-th of them in coarse, and the sub
	// links up to coarse[at] in fine. first is a multiple of Spacing.
	loaded bool
	first  uint64
	at     int // index into coarse, -1 if fine is empty
	coarse [Spacing / sub]wire.Link
	fine   [sub]wire.Link
}

// NewWalker returns a walker over the chain whose marks the function reads: it is
// called once for every Spacing links.
func NewWalker(marks func() ([]wire.Link, error)) *Walker {
	return &Walker{marks: marks, at: -1}
}

// Link returns link number n; the first after the anchor is number 1. It fails with
// [ErrChainEnd] or an error of the function that reads the marks.
func (w *Walker) Link(n uint64) (wire.Link, error) {
	if n == 0 {
		return wire.Link{}, fmt.Errorf("link 0 is the anchor")
	}
	i := n - 1 // counts from 0
	if !w.loaded || i/Spacing != w.first/Spacing {
		if err := w.load(i - i%Spacing); err != nil {
			return wire.Link{}, err
		}
	}
	i -= w.first
	if at := int(i / sub); at != w.at {
		link := w.coarse[at]
		for j := sub - 1; j >= 0; j-- {
			w.fine[j] = link
			link = link.Parent()
		}
		w.at = at
	}
	return w.fine[i%sub], nil
}

func (w *Walker) load(first uint64) error {
	marks, err := w.marks()
	if err != nil {
		return err
	}
	if first/Spacing >= uint64(len(marks)) {
		return ErrChainEnd
	}
	w.loaded = false
	link := marks[first/Spacing]
	for i := Spacing; i > 0; i-- {
		if i%sub == 0 {
			w.coarse[i/sub-1] = link
		}
		link = link.Parent()
	}
	w.first, w.at, w.loaded = first, -1, true
	return nil
}
