package pages

import (
	"strings"
	"testing"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"peernomic/app/frame"
	"peernomic/app/view"
)

func TestHiddenColumnsAreNotDrawn(t *testing.T) {
	table := &view.Table{Name: "dragons", Title: "Dragons", One: "Dragon", Columns: []view.Column{{Name: "flame", Title: "Flame"}, {Name: "wings", Title: "Wings"}},
		Rows: []view.Row{{ID: 1, Label: "Ember", Cells: []view.Cell{{Text: "seven", Changed: true}, {Text: "eight"}}}}}
	p := &trackerPage{f: &frame.Frame{}, view: &view.Tracker{}, hidden: map[string][]string{}}
	for _, hidden := range []bool{false, true, false} {
		got := app.HTMLString(p.tableView(table))
		if strings.Contains(got, "seven") == hidden || !strings.Contains(got, "eight") {
			t.Errorf("hidden %v:\n%s", hidden, got)
		}
		if strings.Contains(got, "1 value") == hidden {
			t.Errorf("hidden %v, what is new is counted wrongly", hidden)
		}
		p.toggle("dragons", "flame")
	}
}
