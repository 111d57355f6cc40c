package lint

import "strings"

// near returns the name that was most likely meant, or "": the first of those that differ in
// fewest letters, if these are few.
func near(name string, names []string) string {
	best, least := "", max(1, len(name)/3)
	for _, n := range names {
		if d := distance(strings.ToLower(name), strings.ToLower(n), least); n != name && (d < least || d == least && best == "") {
			best, least = n, d
		}
	}
	return best
}

// distance counts the letters to insert, remove, replace or swap with their neighbour to make a
// into b. What is more than most is most+1.
func distance(a, b string, most int) int {
	if len(a)-len(b) > most || len(b)-len(a) > most {
		return most + 1
	}
	before, row := []int(nil), make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		earlier := before
		before, row = row, make([]int, len(b)+1)
		row[0] = i
		for j := 1; j <= len(b); j++ {
			change := 1
			if a[i-1] == b[j-1] {
				change = 0
			}
			row[j] = min(before[j]+1, row[j-1]+1, before[j-1]+change)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], earlier[j-2]+1)
			}
		}
	}
	return min(row[len(b)], most+1)
}
