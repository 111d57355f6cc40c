package secret

import (
	"bytes"
	"crypto/ecdh"
	"encoding/hex"
	"errors"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"peernomic/engine/state"
	"peernomic/engine/wire"
)

// source is a random source that gives the same every time.
type source struct{ *rand.ChaCha8 }

func newSource(n byte) source { return source{rand.NewChaCha8([32]byte{n})} }

func reader(t testing.TB, n byte) (Device, *ecdh.PrivateKey) {
	t.Helper()
	b := make([]byte, 32)
	if _, err := newSource(n).Read(b); err != nil {
		t.Fatal(err)
	}
	key, err := ecdh.X25519().NewPrivateKey(b)
	if err != nil {
		t.Fatal(err)
	}
	return Device{n}, key
}

func conceal(t testing.TB, author int64, value any, readers ...byte) Secret {
	t.Helper()
	boxes := map[Device]*ecdh.PublicKey{}
	for _, n := range readers {
		dev, key := reader(t, n)
		boxes[dev] = key.PublicKey()
	}
	s, err := Conceal(author, value, boxes, newSource(99))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestReadersReadAndEverybodyChecks(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		value := rapid.OneOf(rapid.Just[any](nil), rapid.Map(rapid.Int64(), func(n int64) any { return n }),
			rapid.Map(rapid.StringN(0, 300, 1000), func(s string) any { return s }), rapid.Map(rapid.Bool(), func(b bool) any { return b })).Draw(rt, "value")
		author := rapid.Int64Range(1, 50).Draw(rt, "author")
		s, err := Parse(conceal(t, author, value, 1, 2).Cell())
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range []byte{1, 2} {
			dev, key := reader(t, n)
			o, err := s.Open(dev, key)
			if err != nil {
				t.Fatal(err)
			}
			if o, err = ParseOpening(o.Cell()); err != nil {
				t.Fatal(err)
			}
			if got, _ := state.Normalize(o.Value); !reflect.DeepEqual(got, value) {
				t.Fatalf("%v was opened as %v", value, o.Value)
			}
			if err := s.Check(o); err != nil {
				t.Fatal(err)
			}
			s.Author++
			if err := s.Check(o); !errors.Is(err, ErrMismatch) {
				t.Fatal("somebody else's commitment was taken")
			}
			s.Author--
		}
		dev, key := reader(t, 3)
		if _, err := s.Open(dev, key); !errors.Is(err, ErrNoCopy) {
			t.Fatalf("a stranger's device: %v", err)
		}
		dev1, _ := reader(t, 1)
		if _, err := s.Open(dev1, key); !errors.Is(err, ErrNoCopy) {
			t.Fatalf("a stranger's key on a reader's copy: %v", err)
		}
	})
}

func TestOtherOpeningsAreRefused(t *testing.T) {
	s := conceal(t, 7, "quarry", 1)
	dev, key := reader(t, 1)
	o, err := s.Open(dev, key)
	if err != nil {
		t.Fatal(err)
	}
	other := o
	other.Value = "quarrel"
	if err := s.Check(other); !errors.Is(err, ErrMismatch) {
		t.Error("another value was taken")
	}
	other = o
	other.Salt[31] ^= 1
	if err := s.Check(other); !errors.Is(err, ErrMismatch) {
		t.Error("another salt was taken")
	}
	for i := range s.Copies[dev] {
		s.Copies[dev][i] ^= 1
		if _, err := s.Open(dev, key); err == nil {
			t.Fatalf("a copy with byte %d changed was opened", i)
		}
		s.Copies[dev][i] ^= 1
	}
}

// An author who seals something else than they commit to is found out by the reader.
func TestCopyOfSomethingElse(t *testing.T) {
	s := conceal(t, 7, "quarry", 1)
	dev, key := reader(t, 1)
	plain, err := pad(Opening{Value: "quarrel"})
	if err != nil {
		t.Fatal(err)
	}
	if s.Copies[dev], err = SealTo(key.PublicKey(), s.info(), plain, newSource(5)); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Open(dev, key); !errors.Is(err, ErrMismatch) {
		t.Errorf("got %v", err)
	}
}

func TestCopiesDoNotShowTheLength(t *testing.T) {
	dev, _ := reader(t, 1)
	want := len(conceal(t, 1, "a", 1).Copies[dev])
	for n := range 60 {
		if got := len(conceal(t, 1, strings.Repeat("a", n), 1).Copies[dev]); got != want {
			t.Fatalf("%d letters make %d bytes, one makes %d", n, got, want)
		}
	}
	for n := range 600 {
		if got := len(conceal(t, 1, strings.Repeat("a", n), 1).Copies[dev]) - 48; got%PadTo != 0 {
			t.Fatalf("%d letters make %d bytes", n, got)
		}
	}
}

func TestLimits(t *testing.T) {
	boxes := map[Device]*ecdh.PublicKey{}
	for n := range byte(MaxCopies + 1) {
		dev, key := reader(t, n)
		boxes[dev] = key.PublicKey()
	}
	if _, err := Conceal(1, "a", boxes, newSource(1)); err == nil {
		t.Error("too many readers were taken")
	}
	if _, err := Conceal(1, strings.Repeat("a", MaxValue), nil, newSource(1)); err == nil {
		t.Error("a value that is too long was taken")
	}
	longest := conceal(t, 1, strings.Repeat("a", MaxValue-50), 1)
	if _, err := Parse(longest.Cell()); err != nil {
		t.Errorf("the longest value: %v", err)
	}
}

func TestVector(t *testing.T) {
	var salt [32]byte
	for i := range salt {
		salt[i] = byte(i)
	}
	got, err := Commit(7, Opening{Salt: salt, Value: "quarry"})
	if err != nil {
		t.Fatal(err)
	}
	want := wire.Digest("peernomic/secret/commitment/v1", []byte{0, 0, 0, 0, 0, 0, 0, 7}, salt[:], []byte("\x66quarry"))
	if got != want {
		t.Errorf("commitment %s, want %s", hex.EncodeToString(got[:]), hex.EncodeToString(want[:]))
	}
}

func FuzzParse(f *testing.F) {
	for _, value := range []any{"quarry", int64(3), nil} {
		b, err := wire.Encode(conceal(f, 7, value, 1, 2).Cell())
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		var v any
		if wire.Decode(b, &v) != nil {
			return
		}
		cell, err := state.Normalize(v)
		if err != nil {
			return
		}
		s, err := Parse(cell)
		if err != nil {
			return
		}
		if again, err := wire.Encode(s.Cell()); err != nil || !bytes.Equal(again, b) {
			t.Errorf("%x encodes to %x (%v)", b, again, err)
		}
	})
}
