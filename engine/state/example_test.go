package state_test

import (
	"fmt"

	"peernomic/engine/state"
)

// An action that the rules refuse half-way leaves nothing behind.
func ExampleState_Revert() {
	s := state.New()
	bo, err := s.Create("player")
	if err != nil {
		fmt.Println(err)
		return
	}
	gold := state.Type{Kind: state.Integer, Min: new(int64)}
	set := func(v int) error {
		checked, err := gold.Check(v)
		if err != nil {
			return err
		}
		return s.Set("player", bo, "gold", checked)
	}
	fmt.Println(set(5))

	before, digest := s.Mark(), s.Digest()
	fmt.Println(set(2), s.Digest() == digest)
	fmt.Println(set(-1))
	s.Revert(before)

	left, _ := s.Get("player", bo, "gold")
	fmt.Println(left, s.Digest() == digest)
	// Output:
	// <nil>
	// <nil> false
	// -1 is below 0
	// 5 true
}

// Numbers with a point are exact.
func ExampleParseDecimal() {
	for _, text := range []string{"0.10", "2.50", "1e3"} {
		fmt.Println(state.ParseDecimal(text))
	}
	// Output:
	// 0.1 <nil>
	// 2.5 <nil>
	// <nil> "1e3" is not a number such as 12 or 0.25
}
