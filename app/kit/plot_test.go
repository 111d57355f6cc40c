package kit

import (
	"slices"
	"strings"
	"testing"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"peernomic/app/view"
)

func TestPlotsAreReadable(t *testing.T) {
	if got := spread([]int{100, 104, 20, 101}, 16); !slices.Equal(got, []int{100, 132, 20, 116}) {
		t.Errorf("names stand at %v", got)
	}
	if got := spread([]int{plotBottom, plotBottom}, 16); got[1] != plotBottom || got[0] != plotBottom-16 {
		t.Errorf("at the bottom they stand at %v", got)
	}
	v := &view.Plot{Title: "Flame", From: 0, To: 100, Lines: []view.PlotLine{
		{Label: "Ember", Points: []view.PlotPoint{{Time: 0, Value: 5}, {Time: 50, Value: 25}}}, {Label: "Slate", Points: []view.PlotPoint{{Time: 20, Value: 5}}}}}
	got := app.HTMLString(PlotView(v))
	// The scale begins at 0; at half of the time Ember goes up to the top.
	for _, want := range []string{`d="M40 171H190V14H340"`, `d="M100 171H340"`, "Ember 25", "Ember: from 5 to 25 in 1 change.", "Slate: from 5 to 5 in 0 changes."} {
		if !strings.Contains(got, want) {
			t.Errorf("the plot has no %s:\n%s", want, got)
		}
	}
}
