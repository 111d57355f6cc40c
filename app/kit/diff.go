package kit

import (
	"strings"

	"github.com/aymanbagabas/go-udiff"
	"github.com/maxence-charriere/go-app/v9/pkg/app"
)

// diffContext is how many unchanged lines surround a change.
const diffContext = 3

// DocumentDiff shows how a rule document changes: its prose as it is read, its script as
// it is written, and on request the prose as it is written. The prose is read as inWords puts it.
func DocumentDiff(before, after string, inWords func(string) string) app.UI {
	p0, s0 := SplitDocument(before)
	p1, s1 := SplitDocument(after)
	if p0 == p1 && s0 == s1 {
		return app.P().Class("quiet").Text("Nothing in the text changes.")
	}
	var parts []app.UI
	if p0 != p1 {
		parts = append(parts, app.H4().Class("diff-head").Text("Prose"), proseDiff(inWords(p0), inWords(p1)),
			app.Details().Class("diff-source").Body(app.Summary().Text("As it is written, in Markdown"), textDiff(p0, p1)))
	}
	if s0 != s1 {
		parts = append(parts, app.H4().Class("diff-head").Text("Script"), textDiff(s0, s1))
	}
	return app.Div().Class("diffs").DataSet("test", "diffs").Body(parts...)
}

// textDiff shows the lines that change, with signs and not by color alone: old beside new
// where there is room, else old above new, which the style sheet decides.
func textDiff(before, after string) app.UI {
	old, now := strings.Split(before, "\n"), strings.Split(after, "\n")
	way := steps(old, now)
	near := nearChange(way)
	var rows []app.UI
	for i := 0; i < len(way); {
		if way[i].kind == udiff.Equal {
			if near[i] {
				line := now[way[i].at]
				rows = append(rows, app.Div().Class("diff-pair").Body(diffHalf("", line), app.Div().Class("diff-again").Aria("hidden", "true").Body(diffHalf("", line))))
			} else if i == 0 || near[i-1] {
				rows = append(rows, diffGap())
			}
			i++
			continue
		}
		var gone, fresh []string
		for ; i < len(way) && way[i].kind != udiff.Equal; i++ {
			if way[i].kind == udiff.Delete {
				gone = append(gone, old[way[i].at])
			} else {
				fresh = append(fresh, now[way[i].at])
			}
		}
		for k := range max(len(gone), len(fresh)) {
			pair := []app.UI{app.Div(), app.Div()}
			if k < len(gone) {
				pair[0] = diffHalf("out", gone[k])
			}
			if k < len(fresh) {
				pair[1] = diffHalf("in", fresh[k])
			}
			rows = append(rows, app.Div().Class("diff-pair").Body(pair...))
		}
	}
	return app.Div().Class("diff", "diff-source-text").Body(rows...)
}

func diffHalf(kind, line string) app.UI {
	class := "diff-line"
	if kind != "" {
		class += " diff-" + kind
	}
	return app.Div().Class(class).Body(diffSign(kind), app.Span().Class("diff-text").Text(line))
}

// diffSign is what stands before a line: for eyes and for ears.
func diffSign(kind string) app.UI {
	sign, word := " ", ""
	switch kind {
	case "out":
		sign, word = "−", "removed: "
	case "in":
		sign, word = "+", "added: "
	case "both":
		sign, word = "±", "changed: "
	}
	return app.Span().Class("diff-sign").Body(app.Span().Aria("hidden", "true").Text(sign),
		app.If(word != "", app.Span().Class("unseen").Text(word)))
}

func diffGap() app.UI { return app.Div().Class("diff-gap").Aria("hidden", "true").Text("⋯") }
