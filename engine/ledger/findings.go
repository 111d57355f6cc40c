package ledger

import (
	"cmp"
	"slices"
)

// Finding sums up what a replica holds and does not count, for one reason.
type Finding struct {
	Code  Code
	Text  string // for people
	Count int
}

// Findings returns what the replica remembers having refused, and what has its place and is
// void, in ascending order of codes and texts. Junk that no seal names is forgotten in time.
func (r *Replica) Findings() []Finding {
	count := map[Finding]int{}
	for _, e := range r.envelopes {
		if e.refused != nil {
			count[Finding{Code: e.refused.Code, Text: e.refused.Text}]++
		}
	}
	for _, p := range r.walk.placed {
		if p.Void != nil {
			count[Finding{Code: p.Void.Code, Text: p.Void.Text}]++
		}
	}
	found := make([]Finding, 0, len(count))
	for f, n := range count {
		f.Count = n
		found = append(found, f)
	}
	slices.SortFunc(found, func(a, b Finding) int { return cmp.Or(cmp.Compare(a.Code, b.Code), cmp.Compare(a.Text, b.Text)) })
	return found
}
