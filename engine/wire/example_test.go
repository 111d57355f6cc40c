package wire_test

import (
	"crypto/ed25519"
	"fmt"

	"peernomic/engine/wire"
)

// One value has one encoding, whatever order a map was filled in. What reads differently from how it would be written is
// refused, so that a hash names a value.
func ExampleEncode() {
	b, err := wire.Encode(map[string]int{"sides": 6, "die": 1})
	fmt.Printf("%x %v\n", b, err)

	var n int
	fmt.Println(wire.Decode([]byte{0x18, 0x05}, &n) != nil, "for 5 in two bytes")
	fmt.Println(wire.Decode([]byte{0x05}, &n), n)
	// Output:
	// a2636469650165736964657306 <nil>
	// true for 5 in two bytes
	// <nil> 5
}

// A signature under one label never counts under another.
func ExampleSign() {
	key := ed25519.NewKeyFromSeed(make([]byte, ed25519.SeedSize)) // a real seed is random
	signed, err := wire.Sign(key, "example/greeting", []byte("hello"))
	if err != nil {
		fmt.Println(err)
		return
	}
	var judge wire.KeyCache
	s, err := judge.OpenSigned("example/greeting", signed)
	fmt.Printf("%s %v\n", s.Payload, err)
	_, err = judge.OpenSigned("example/order", signed)
	fmt.Println(err)
	// Output:
	// hello <nil>
	// signature does not match
}
