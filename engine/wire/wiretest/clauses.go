package wiretest

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
)

var clause = regexp.MustCompile(`(?m)^\*\*(\d+\.\d+)\*\*`)

// Unshown holds a specification to its vectors: each clause is shown by some, or it is excused with a reason,
// and not both. lacks says what a clause has no vector of, such as "that it refuses", or nothing. What is wrong comes in sentences.
func Unshown(specification []byte, excused map[string]string, lacks func(clause string) string) []string {
	var out []string
	left := maps.Clone(excused)
	for _, m := range clause.FindAllSubmatch(specification, -1) {
		c := string(m[1])
		what := lacks(c)
		if what == "" {
			continue // and if it is excused as well, it is found below
		}
		if _, ok := left[c]; !ok {
			out = append(out, fmt.Sprintf("clause %s has no vector %s", c, what))
		}
		delete(left, c)
	}
	for _, c := range slices.Sorted(maps.Keys(left)) {
		out = append(out, fmt.Sprintf("clause %s is excused, and has its vectors or does not exist", c))
	}
	return out
}
