package state

import (
	"testing"

	"pgregory.net/rapid"
)

// TestRevertRestoresDigest does random changes after a mark and takes them back.
func TestRevertRestoresDigest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := New()
		change := func() {
			name := rapid.SampledFrom([]string{"a", "b"}).Draw(t, "table")
			ids := s.Rows(name)
			switch op := rapid.IntRange(0, 2).Draw(t, "op"); {
			case op == 0 || len(ids) == 0:
				if _, err := s.Create(name); err != nil {
					t.Fatal(err)
				}
			case op == 1:
				if err := s.Remove(name, rapid.SampledFrom(ids).Draw(t, "id")); err != nil {
					t.Fatal(err)
				}
			default:
				v := rapid.OneOf(rapid.Int64().AsAny(), rapid.String().AsAny(), rapid.Just[any](nil)).Draw(t, "value")
				if err := s.Set(name, rapid.SampledFrom(ids).Draw(t, "id"), "c", v); err != nil {
					t.Fatal(err)
				}
			}
		}
		for range rapid.IntRange(0, 10).Draw(t, "before") {
			change()
		}
		mark, want := s.Mark(), s.Digest()
		for range rapid.IntRange(0, 20).Draw(t, "after") {
			change()
		}
		s.Revert(mark)
		if got := s.Digest(); got != want {
			t.Fatalf("digest after revert %x, want %x", got, want)
		}
	})
}

func TestDigestTellsStatesApart(t *testing.T) {
	one, two := New(), New()
	for _, s := range []*State{one, two} {
		if _, err := s.Create("t"); err != nil {
			t.Fatal(err)
		}
	}
	if one.Digest() != two.Digest() {
		t.Fatal("equal states have different digests")
	}
	if err := one.Set("t", 1, "x", int64(1)); err != nil {
		t.Fatal(err)
	}
	if one.Digest() == two.Digest() {
		t.Fatal("different states have one digest")
	}
}

func TestTypeCheck(t *testing.T) {
	zero, ten := int64(0), int64(10)
	for _, c := range []struct {
		name string
		typ  Type
		in   any
		ok   bool
	}{
		{"in range", Type{Kind: Integer, Min: &zero, Max: &ten}, 10, true},
		{"below", Type{Kind: Integer, Min: &zero}, -1, false},
		{"above", Type{Kind: Integer, Max: &ten}, 11, false},
		{"text for number", Type{Kind: Integer}, "3", false},
		{"text", Type{Kind: Text, MaxLen: 3}, "äöü", true},
		{"long text", Type{Kind: Text, MaxLen: 3}, "abcd", false},
		{"newline in a line", Type{Kind: Text}, "a\nb", false},
		{"newline in prose", Type{Kind: Prose}, "a\nb", true},
		{"choice", Type{Kind: Choice, Choices: []string{"a"}}, "a", true},
		{"no choice", Type{Kind: Choice, Choices: []string{"a"}}, "b", false},
		{"several", Type{Kind: Several, Choices: []string{"a", "b"}, MaxLen: 2}, []any{"b", "b"}, true},
		{"too many", Type{Kind: Several, Choices: []string{"a", "b"}, MaxLen: 2}, []any{"b", "b", "a"}, false},
		{"others", Type{Kind: Several, Choices: []string{"a", "b"}, MaxLen: 2}, []any{"c"}, false},
		{"not several", Type{Kind: Several, Choices: []string{"a", "b"}, MaxLen: 2}, "a", false},
		{"no row", Type{Kind: Ref, Table: "t"}, nil, true},
		{"flag", Type{Kind: Flag}, true, true},
		{"number for flag", Type{Kind: Flag}, 1, false},
		{"float", Type{Kind: Data}, 1.5, false},
	} {
		if _, err := c.typ.Check(c.in); (err == nil) != c.ok {
			t.Errorf("%s: got error %v, want ok=%v", c.name, err, c.ok)
		}
	}
}

// A value that is refused is refused with the same words every time, however its maps are
// walked: the words are part of the game's state.
func TestRefusedValueHasOneReason(t *testing.T) {
	var first string
	for range 100 {
		_, err := Normalize(map[any]any{"a": []byte{1}, "b": 1.5, int64(-7): "x", true: nil, "c": uint64(1 << 63)})
		if err == nil {
			t.Fatal("a value that no cell can hold was taken")
		}
		if first == "" {
			first = err.Error()
		}
		if err.Error() != first {
			t.Fatalf("refused once with %q and once with %q", first, err)
		}
		_, err = Normalize(map[any]any{"a": []byte{1}, "b": 1.5, "c": uint64(1 << 63)})
		if err == nil || err.Error() != "a cell cannot hold []uint8" {
			t.Fatalf("refused with %v", err)
		}
	}
}
