package notary

import (
	"errors"
	"testing"

	"peernomic/engine/wire"
)

func TestWalkerGivesTheChain(t *testing.T) {
	const length = 3 * Spacing
	last := wire.Link{7}
	want := make([]wire.Link, length+1)
	want[length] = last
	for i := length; i > 0; i-- {
		want[i-1] = want[i].Parent()
	}
	anchor, marks := Grow(last, length)
	if anchor != want[0] {
		t.Fatalf("anchor is not the slow chain's")
	}
	reads := 0
	read := func() ([]wire.Link, error) { reads++; return marks, nil }
	w := NewWalker(read)
	for n := uint64(1); n <= length; n++ {
		got, err := w.Link(n)
		if err != nil {
			t.Fatal(err)
		}
		if got != want[n] {
			t.Fatalf("link %d differs from the slow chain's", n)
		}
	}
	if reads != 3 {
		t.Errorf("marks were read %d times for 3 stretches", reads)
	}
	if _, err := w.Link(length + 1); !errors.Is(err, ErrChainEnd) {
		t.Errorf("after the end: got %v, want ErrChainEnd", err)
	}
	// A restart begins anywhere.
	for _, n := range []uint64{1, sub, sub + 1, Spacing, Spacing + 1, 2*Spacing - 1, length, 2, length} {
		if got, err := w.Link(n); err != nil || got != want[n] {
			t.Errorf("link %d out of order: wrong (%v)", n, err)
		}
		if got, err := NewWalker(read).Link(n); err != nil || got != want[n] {
			t.Errorf("link %d by a new walker: wrong (%v)", n, err)
		}
	}
	if _, err := w.Link(0); err == nil {
		t.Error("link 0 was given")
	}
}

func TestSealsMakeAChain(t *testing.T) {
	room := wire.RoomID{9}
	s, marks := NewSecrets(Spacing)
	game := wire.GameID{8}
	n := New(room, game, s, func() ([]wire.Link, error) { return marks, nil })
	var head Head
	link := s.Anchor
	times := []int64{100, 50, 100, 101}
	want := []int64{100, 100, 100, 101}
	for i, now := range times {
		signed, err := n.Seal(head, now, []wire.EnvelopeHash{{byte(i)}})
		if err != nil {
			t.Fatal(err)
		}
		got, err := wire.OpenSeal(signed.Bytes)
		if err != nil {
			t.Fatal(err)
		}
		if got.Room != room || got.Game != game || got.Number != uint64(i+1) || got.Prev != head.Hash || got.Notary != s.Key() {
			t.Errorf("seal %d does not continue the chain: %+v", i+1, got)
		}
		if got.Link.Parent() != link {
			t.Errorf("the link of seal %d does not hash to the one before", i+1)
		}
		if got.Time != want[i] {
			t.Errorf("seal %d at clock %d has time %d, want %d", i+1, now, got.Time, want[i])
		}
		head, link = HeadOf(got), got.Link
	}
	if _, err := n.Seal(Head{Number: Spacing}, 0, nil); !errors.Is(err, ErrChainEnd) {
		t.Errorf("after the last link: got %v, want ErrChainEnd", err)
	}
}

func BenchmarkGrow(b *testing.B) {
	for b.Loop() {
		Grow(wire.Link{1}, Length)
	}
}

func BenchmarkSeal(b *testing.B) {
	s, marks := NewSecrets(Length)
	n := New(wire.RoomID{}, wire.GameID{}, s, func() ([]wire.Link, error) { return marks, nil })
	var head Head
	for b.Loop() {
		signed, err := n.Seal(head, 0, []wire.EnvelopeHash{{1}})
		if err != nil {
			b.Fatal(err)
		}
		head = HeadOf(signed)
	}
}
