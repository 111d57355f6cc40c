package workshop

import (
	"os"
	"slices"
	"testing"
)

// The reference as it is published is found by name, and by what it says where no name is meant.
func TestReferenceIsFoundByName(t *testing.T) {
	text, err := os.ReadFile("../../docs/reference.md")
	if err != nil {
		t.Fatal(err)
	}
	r := &reference{entries: readEntries(string(text))}
	if len(r.entries) < 60 {
		t.Fatalf("the reference has %d entries", len(r.entries))
	}
	for typed, want := range map[string]struct {
		first string
		all   int // 0: any number
	}{
		"rol":        {"roll(sides)", 2},
		" SCHEDULE ": {`schedule(when, handler, args={}, key="")`, 1},
		"weekday":    {"calendar(t)", 1},
		"xyzzy":      {"", 0},
		"":           {"integer(min=None, max=None)", len(r.entries)},
	} {
		found := r.found(typed)
		if want.all != 0 && len(found) != want.all {
			t.Errorf("%q finds %d entries, want %d: %v", typed, len(found), want.all, found)
		}
		if first := append(found, entry{})[0]; first.signature != want.first {
			t.Errorf("%q finds %q first, want %q", typed, first.signature, want.first)
		}
	}
	groups := slices.Compact(slices.Collect(func(yield func(string) bool) {
		for _, e := range r.entries {
			if !yield(e.group) {
				return
			}
		}
	}))
	if want := []string{"Types", "Declarations", "Cards and boards", "While a function runs"}; !slices.Equal(groups, want) {
		t.Errorf("the groups are %q, want %q", groups, want)
	}
}
