package dice

import "testing"

func TestFoldRejects(t *testing.T) {
	for _, c := range []struct {
		word, sides, want uint64
		ok                bool
	}{
		{0, 1, 1, true},
		{1<<64 - 1, 1, 1, true},
		{1<<64 - 1, 2, 2, true},
		{1<<64 - 1, 1 << 32, 1 << 32, true},
		{3 << 62, 3 << 62, 0, false},
		{3<<62 - 1, 3 << 62, 3 << 62, true},
		{1<<64 - 1, 6, 0, false},
		{1<<64 - 4, 6, 0, false},
		{1<<64 - 5, 6, 6, true},
		{1<<64 - 1, 1<<64 - 1, 0, false},
		{1<<64 - 2, 1<<64 - 1, 1<<64 - 1, true},
	} {
		if got, ok := fold(c.word, c.sides); got != c.want || ok != c.ok {
			t.Errorf("fold(%d, %d) = %d, %v, want %d, %v", c.word, c.sides, got, ok, c.want, c.ok)
		}
	}
}
