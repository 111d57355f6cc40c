package state

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// An index finds what a look at every row finds, whatever is changed and taken back, and tells of every value that gives way.
func TestIndexIsInStep(t *testing.T) {
	for seed := range uint64(20) {
		random := rand.New(rand.NewPCG(seed, 1))
		s := New()
		for range 5 { // there before the index
			id, _ := s.Create("t")
			_ = s.Set("t", id, "a", fmt.Sprint(random.IntN(4)))
		}
		told := 0
		x := s.NewIndex("t", "a", func(v Value) []string {
			if text, _ := v.(string); text != "" {
				return []string{"is " + text, "any"}
			}
			return []string{"none"}
		}, func() { told++ })
		marks := []Mark{s.Mark()}
		for step := range 400 {
			id, before := int64(random.IntN(20)), told
			old, had := s.Get("t", id, "a")
			gave := had && old != nil
			switch random.IntN(8) {
			case 0, 1:
				_, _ = s.Create("t")
				gave = false
			case 2:
				gave = s.Remove("t", id) == nil
			case 3:
				s.Unset("t", id, "a")
			case 4:
				marks = append(marks, s.Mark())
				gave = false
			case 5:
				i := random.IntN(len(marks))
				s.Revert(marks[i])
				marks = marks[:i+1]
				gave = false
			case 6:
				_ = s.Set("t", id, "b", "0") // of no concern
				gave = false
			default:
				_ = s.Set("t", id, "a", fmt.Sprint(random.IntN(4)))
			}
			if (told > before) != gave {
				t.Fatalf("seed %d, step %d: told %d times, something gave way: %v", seed, step, told-before, gave)
			}
			want := map[string][]int64{}
			for _, id := range s.Rows("t") {
				v, _ := s.Get("t", id, "a")
				for _, key := range x.keys(v) {
					want[key] = append(want[key], id)
				}
			}
			for _, key := range []string{"is 0", "is 1", "is 2", "is 3", "any", "none", "other"} {
				if got := x.Rows(key); !slices.Equal(got, want[key]) {
					t.Fatalf("seed %d, step %d: %s are %v, want %v", seed, step, key, got, want[key])
				}
			}
			if len(x.rows) != len(want) {
				t.Fatalf("seed %d, step %d: %d keys, want %d", seed, step, len(x.rows), len(want))
			}
		}
	}
}
