package workshop

import (
	"testing"

	"peernomic/app/view"
)

// A new rule goes after another and then stands below the same rule as that one, or it goes below one.
func TestWhereANewRuleGoes(t *testing.T) {
	w := &view.Workshop{Rules: []view.RuleSource{{Number: "1.1", Title: "Votes", Section: 1}, {Number: "2.6", Title: "Rooms", Section: 2}, {Number: "2.6.1", Title: "Hall", Section: 2}}}
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

func TestAmendments(t *testing.T) {
	w := &view.Workshop{Tables: []view.Table{{Name: "players", Columns: []view.Column{{Name: "cookies", Kind: "integer", Min: least(0)}}}}}
	source := view.RuleSource{Title: "Aerobics", Fingerprint: "f", Text: "# Aerobics\n\nOld.\n"}
	c := amendChange(source)
	if _, missing := c.amendment(w); missing == "" {
		t.Error("a change that changes nothing is complete")
	}
	c.Prose = "# Aerobics\n\nNew."
	m, missing := c.amendment(w)
	if missing != "" || m["op"] != "amend" || m["rule"] != "Aerobics" || m["base"] != "f" || m["text"] != "# Aerobics\n\nNew.\n" {
		t.Errorf("%v, %q", m, missing)
	}
	set := &change{Kind: "set", Table: "players", Row: 3, Column: "cookies", Value: "30"}
	if m, missing := set.amendment(w); missing != "" || m["value"] != int64(30) || m["row"] != int64(3) {
		t.Errorf("%v, %q", m, missing)
	}
	set.Value = "-1"
	if _, missing := set.amendment(w); missing == "" {
		t.Error("an illegal value is complete")
	}
}
