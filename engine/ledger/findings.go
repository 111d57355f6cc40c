package ledger

import (
	"cmp"
	"slices"
)

// Finding is one reason for refusals and void actions, with their number.
type Finding struct {
	Code  Code
	Text  string // for people
	Count int
}

// Findings sums up the refused envelopes that the replica remembers and the void actions, in ascending
// order of codes and texts. The replica forgets old junk that no seal names.
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
