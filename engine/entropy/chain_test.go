package entropy

import (
	"errors"
	"slices"
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
	for _, n := range []uint64{0, NotaryLinks + 1} {
		if _, err := NewChain([32]byte{}, n); !errors.Is(err, ErrExhausted) {
			t.Errorf("chain of %d: %v, want ErrExhausted", n, err)
		}
	}
	newest := wire.Link{1}
	anchor := newest.Parent()
	for range NotaryLinks {
		anchor = anchor.Parent()
	}
	if Reaches(newest, NotaryLinks+1, anchor) {
		t.Error("a link beyond the longest chain was accepted")
	}
	if !Reaches(newest.Parent(), NotaryLinks, anchor) {
		t.Error("the last link of the longest chain was refused")
	}
}

// A checker says of every link what hashing it down to the anchor says, whatever it was asked before.
func TestCheckerAgreesWithHashing(t *testing.T) {
	const n = 5 * markEvery
	chain, err := NewChain([32]byte{1}, n)
	if err != nil {
		t.Fatal(err)
	}
	c := NewChecker(chain.Anchor())
	for _, i := range []uint64{1, markEvery, 3*markEvery + 1, 3*markEvery + 1, n, 4 * markEvery, n - 1, 2*markEvery - 1, 0} {
		link, err := chain.Link(i)
		if err != nil {
			t.Fatal(err)
		}
		strange := wire.Link{byte(i), 1}
		for _, at := range []uint64{0, i, i + 1, n} {
			if right := at == i; c.Reaches(link, at) != right || c.Reaches(strange, at) {
				t.Errorf("link %d as link %d, or a strange one, is judged wrongly", i, at)
			}
		}
	}
}

// A checker lets others have their turn, says how far it is, and gives up when it is told to.
func TestCheckerPauses(t *testing.T) {
	const n = 5 * markEvery
	chain, err := NewChain([32]byte{1}, n)
	if err != nil {
		t.Fatal(err)
	}
	link, err := chain.Link(n - 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, patience := range []int{100, 2} {
		c := NewChecker(chain.Anchor())
		var told []uint64
		c.Pause = func(done, total uint64) bool {
			if total != n-1 {
				t.Errorf("%d hashes in all, want %d", total, n-1)
			}
			told = append(told, done)
			return len(told) < patience
		}
		if reached := c.Reaches(link, n-1); reached != (patience > 4) {
			t.Errorf("reached: %t, with patience for %d pauses", reached, patience)
		}
		want := []uint64{markEvery - 1, 2*markEvery - 1, 3*markEvery - 1, 4*markEvery - 1}
		if want = want[:min(patience, len(want))]; !slices.Equal(told, want) {
			t.Errorf("told %v, want %v", told, want)
		}
		if c.Pause = nil; !c.Reaches(link, n-1) {
			t.Error("what was given up is not asked again")
		}
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
