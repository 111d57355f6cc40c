package entropy_test

import (
	"fmt"

	"peernomic/engine/entropy"
	"peernomic/engine/wire"
)

// A device publishes the anchor of its chain before anybody rolls. Each action shows the next link: everybody can check
// it, and nobody but the device can know it before.
func Example() {
	chain, err := entropy.NewChain([32]byte{42}, 1000) // a real seed is random
	if err != nil {
		fmt.Println(err)
		return
	}
	anchor := chain.Anchor()
	third, err := chain.Link(3)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("link 3 reaches the anchor:", entropy.Reaches(third, 3, anchor))
	fmt.Println("so does any other:", entropy.Reaches(wire.Link{1, 2, 3}, 3, anchor))
	// Output:
	// link 3 reaches the anchor: true
	// so does any other: false
}
