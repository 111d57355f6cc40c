package kit

import (
	"strings"
	"testing"
)

func TestBadgeWordsDiffer(t *testing.T) {
	seen := map[string]bool{}
	for _, w := range badgeList {
		if seen[w] || w == "" {
			t.Errorf("%q stands twice", w)
		}
		seen[w] = true
	}
	if a, b := BadgeWords("00010203"), BadgeWords("00010204"); strings.Join(a, " ") == strings.Join(b, " ") {
		t.Error("different digests have the same words")
	}
	if w := BadgeWords("nonsense"); w[0] != "no" {
		t.Errorf("nonsense reads %v", w)
	}
}
