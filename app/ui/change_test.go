package ui

import "testing"

// A new rule goes after another and then stands below the same rule as that one, or it goes below one.
func TestWhereANewRuleGoes(t *testing.T) {
	w := &Workshop{Rules: []RuleSource{{Number: "1.1", Title: "Votes", Section: 1}, {Number: "2.6", Title: "Rooms", Section: 2}, {Number: "2.6.1", Title: "Hall", Section: 2}}}
	for _, c := range []struct {
		where, after, under string
		section             int64
	}{
		{"", "", "", 2}, {"after 0", "Votes", "", 1}, {"after 1", "Rooms", "", 2}, {"after 2", "Hall", "Rooms", 2}, {"below 1", "", "Rooms", 2}, {"below 9", "", "", 2},
	} {
		n := &change{Kind: "enact", Section: 1, Rule: "Old", Under: "Older"}
		n.setDocument("# New\n\nNew.\n")
		n.put(w, c.where)
		m, missing := n.amendment(w)
		if missing != "" || m["after"] != c.after || m["parent"] != c.under || m["section"] != c.section {
			t.Errorf("%q: %v %s", c.where, m, missing)
		}
	}
}
