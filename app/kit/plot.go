package kit

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"peernomic/app/view"
)

// plotLines is how many lines are told apart; those that moved most are shown.
const plotLines = 8

// The field of a plot, in units of its picture.
const (
	plotWidth, plotHeight = 460, 240
	plotLeft, plotRight   = 40, 340
	plotTop, plotBottom   = 14, 210
)

// PlotView draws lines that hold from each point to the next, with their names at the
// right end.
func PlotView(v *view.Plot) app.UI {
	lines := slices.Clone(v.Lines)
	slices.SortStableFunc(lines, func(a, b view.PlotLine) int { return cmp.Compare(len(b.Points), len(a.Points)) })
	more := len(lines) - plotLines
	if more > 0 {
		lines = lines[:plotLines]
	}
	if len(lines) == 0 {
		return Empty("There is nothing to plot yet.")
	}
	lo, hi := bounds(lines)
	x := func(t int64) int {
		return plotLeft + int((t-v.From)*(plotRight-plotLeft)/max(v.To-v.From, 1))
	}
	y := func(n int64) int { return plotBottom - int((n-lo)*(plotBottom-plotTop)/max(hi-lo, 1)) }
	var parts []app.UI
	for i := range int64(5) {
		n := lo + (hi-lo)*i/4
		if i > 0 && n == lo+(hi-lo)*(i-1)/4 {
			continue
		}
		parts = append(parts, svgPath(fmt.Sprintf("M%d %dH%d", plotLeft, y(n), plotRight), "grid"), svgText(plotLeft-8, y(n)+4, "end", Itoa(n), "scale"))
	}
	parts = append(parts, svgText(plotLeft, plotHeight-8, "start", Clock(v.From, v.To), "scale"), svgText(plotRight, plotHeight-8, "end", "now", "scale"))
	ends := make([]int, len(lines))
	for i, l := range lines {
		var d strings.Builder
		for k, q := range l.Points {
			if k == 0 {
				fmt.Fprintf(&d, "M%d %d", x(q.Time), y(q.Value))
				continue
			}
			fmt.Fprintf(&d, "H%dV%d", x(q.Time), y(q.Value))
		}
		fmt.Fprintf(&d, "H%d", plotRight)
		parts = append(parts, svgPath(d.String(), "line line-"+Itoa(i)))
		ends[i] = y(l.Points[len(l.Points)-1].Value)
	}
	for i, at := range spread(ends, 16) {
		last := lines[i].Points[len(lines[i].Points)-1]
		parts = append(parts, svgText(plotRight+8, at+4, "start", Cut(lines[i].Label, 14)+" "+Itoa(last.Value), "name name-"+Itoa(i)))
	}
	body := []app.UI{app.Div().Class("plot").Role("img").Aria("label", plotWords(v.Title, lines)).DataSet("test", "plot").Body(
		app.Elem("svg").XMLNS(SVGNamespace).Attr("viewBox", fmt.Sprintf("0 0 %d %d", plotWidth, plotHeight)).Attr("width", "100%").Body(parts...))}
	if more > 0 {
		body = append(body, app.P().Class("quiet").Text(Plural(more, "line that moved less is", "lines that moved less are")+" not drawn."))
	}
	return app.Div().Body(body...)
}

// plotWords says a plot to those who do not see it.
func plotWords(title string, lines []view.PlotLine) string {
	var b strings.Builder
	b.WriteString(title + ". ")
	for _, l := range lines {
		first, last := l.Points[0], l.Points[len(l.Points)-1]
		fmt.Fprintf(&b, "%s: from %d to %d in %s. ", l.Label, first.Value, last.Value, Plural(len(l.Points)-1, "change", "changes"))
	}
	return b.String()
}

func bounds(lines []view.PlotLine) (lo, hi int64) {
	lo, hi = lines[0].Points[0].Value, lines[0].Points[0].Value
	for _, l := range lines {
		for _, q := range l.Points {
			lo, hi = min(lo, q.Value), max(hi, q.Value)
		}
	}
	if lo > 0 && lo < hi-lo {
		lo = 0
	}
	return lo, hi
}

// spread moves places apart so that names written there do not lie on each other.
func spread(places []int, gap int) []int {
	order := make([]int, len(places))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(places[a], places[b]) })
	out := slices.Clone(places)
	for k, i := range order {
		if k > 0 {
			out[i] = max(out[i], out[order[k-1]]+gap)
		}
	}
	if n := len(order); n > 0 {
		if over := out[order[n-1]] - plotBottom; over > 0 {
			for _, i := range order {
				out[i] -= over
			}
		}
	}
	return out
}
