package rules

import (
	"fmt"
	"slices"
	"strings"
)

func sorted(names []string) []string {
	slices.Sort(names)
	return names
}

// slug makes a file name of a title.
func slug(title string) string {
	words := strings.FieldsFunc(strings.ToLower(title), func(r rune) bool { return !(r >= 'a' && r <= 'z' || r >= '0' && r <= '9') })
	if len(words) == 0 {
		return "rule"
	}
	return strings.Join(words, "-")
}

func numbered(n int, title string) string { return fmt.Sprintf("%d-%s", n, slug(title)) }
