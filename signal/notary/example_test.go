package notary_test

import (
	"fmt"

	"peernomic/engine/wire"
	"peernomic/signal/notary"
)

// A notary grows its chain of links once, from the last to the first, and keeps only a mark now and then. It publishes the
// anchor; each seal then shows one more link, which nobody could foresee.
func ExampleWalker() {
	anchor, marks := notary.Grow(wire.Link{42}, 2*notary.Spacing) // a real last link is random

	walker := notary.NewWalker(func() ([]wire.Link, error) { return marks, nil })
	link, err := walker.Link(1)
	fmt.Println("link 1 hashes to the anchor:", link.Parent() == anchor, err)
	_, err = walker.Link(2*notary.Spacing + 1)
	fmt.Println(err)
	// Output:
	// link 1 hashes to the anchor: true <nil>
	// entropy chain is used up
}
