package dice_test

import (
	"fmt"

	"peernomic/engine/dice"
	"peernomic/engine/wire"
)

// The dice of an action follow from the game, the action, the link of the device that rolls, and the link of the seal that
// orders the action. Whoever has these four gets the same dice, at any time and without asking anybody.
func ExampleNewStream() {
	game, action := [32]byte{1}, [32]byte{2}
	device, seal := wire.Link{3}, wire.Link{5}
	stream := dice.NewStream(dice.Seed(game, action, device, seal))
	for range 3 {
		fmt.Println("a die with 6 sides shows", stream.Roll(6))
	}
	fmt.Println("one with 100 shows", stream.Roll(100))
	// Output:
	// a die with 6 sides shows 2
	// a die with 6 sides shows 2
	// a die with 6 sides shows 4
	// one with 100 shows 92
}

// What is no proof gets a verdict, never a panic: the clause of SPEC.md that it breaks.
func ExampleVerifyTranscript() {
	report := dice.VerifyTranscript([]byte("a six, I swear"))
	fmt.Println(report.OK, report.Clause)
	// Output: false 5.1
}
