package entropy

import (
	"errors"
	"testing"

	"peernomic/engine/wire"
)

// Every link of chains of many lengths is the hash of the one after it, computed the slow
// way (engine/dice/SPEC.md, clauses 2.1 to 2.3).
func TestChainLinks(t *testing.T) {
	for _, n := range []uint64{1, 2, 3, 4, 5, 15, 16, 17, 64, 100, 1000} {
		seed := [32]byte{byte(n)}
		c, err := NewChain(seed, n)
		if err != nil {
			t.Fatal(err)
		}
		want := wire.Link(wire.Digest("peernomic/chain/v1", seed[:]))
		for i := n; ; i-- {
			got, err := c.Link(i)
			if err != nil || got != want {
				t.Fatalf("chain of %d: link %d is %v, %v, want %v", n, i, got, err, want)
			}
			if !Reaches(got, i, c.Anchor()) || Reaches(got, i+1, c.Anchor()) {
				t.Fatalf("chain of %d: link %d does not reach the anchor in exactly %d steps", n, i, i)
			}
			if i == 0 {
				break
			}
			want = wire.Link(wire.Digest("peernomic/link/v1", want[:]))
		}
		if _, err := c.Link(n + 1); !errors.Is(err, ErrExhausted) {
			t.Errorf("link past the end: %v, want ErrExhausted", err)
		}
	}
}

func TestChainBounds(t *testing.T) {
	for _, n := range []uint64{0, MaxLinks + 1} {
		if _, err := NewChain([32]byte{}, n); !errors.Is(err, ErrExhausted) {
			t.Errorf("chain of %d: %v, want ErrExhausted", n, err)
		}
	}
	if Reaches(wire.Link{}, MaxLinks+1, wire.Link{}) {
		t.Error("a link beyond the longest chain was accepted")
	}
}

func BenchmarkNewChainDevice(b *testing.B) {
	for b.Loop() {
		NewChain([32]byte{1}, DeviceLinks)
	}
}

func BenchmarkLink(b *testing.B) {
	c, _ := NewChain([32]byte{1}, NotaryLinks)
	for b.Loop() {
		c.Link(77_777)
	}
}
