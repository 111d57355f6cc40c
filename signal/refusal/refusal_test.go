package refusal

import "testing"

func TestStatusesAreUnique(t *testing.T) {
	seen := map[int]Code{}
	for c, f := range table {
		if f.text == "" {
			t.Errorf("%s has no sentence", c)
		}
		if f.status == 0 {
			continue
		}
		if other, ok := seen[f.status]; ok {
			t.Errorf("%s and %s share status %d", c, other, f.status)
		}
		seen[f.status] = c
		if f.status < 4000 || f.status > 4999 {
			t.Errorf("%s has status %d, outside the private range that browsers may see", c, f.status)
		}
		if got, ok := ByStatus(f.status); !ok || got != c {
			t.Errorf("ByStatus(%d) = %q, %v; want %q", f.status, got, ok, c)
		}
	}
	if _, ok := ByStatus(0); ok {
		t.Error("status 0 stands for a code")
	}
}
