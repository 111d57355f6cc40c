package ui

import (
	"strings"

	"github.com/aymanbagabas/go-udiff"
	"github.com/maxence-charriere/go-app/v9/pkg/app"
)

// diffContext is how many unchanged lines surround a change.
const diffContext = 3

// splitDocument divides a rule document into its prose and its scripts.
func splitDocument(doc string) (prose, script string) {
	var p, s strings.Builder
	inside := false
	for line := range strings.Lines(doc) {
		switch mark := strings.TrimSpace(line); {
		case !inside && strings.HasPrefix(mark, "```starlark"):
			inside = true
		case inside && mark == "```":
			inside = false
			s.WriteString("\n")
		case inside:
			s.WriteString(line)
		default:
			p.WriteString(line)
		}
	}
	return strings.TrimSpace(p.String()), strings.Trim(s.String(), "\n")
}

// joinDocument is the inverse of splitDocument for documents whose script is one
// block at the end.
func joinDocument(prose, script string) string {
	prose = strings.TrimSpace(prose) + "\n"
	if strings.TrimSpace(script) == "" {
		return prose
	}
	return prose + "\n```starlark\n" + strings.Trim(script, "\n") + "\n```\n"
}

// scriptLine returns the line of the document that the joined script begins at.
func scriptLine(prose string) int {
	return strings.Count(strings.TrimSpace(prose), "\n") + 4
}

// simpleDocument says whether a document can be edited as prose beside script
// without losing where its blocks stand.
func simpleDocument(doc string) bool {
	i := strings.Index(doc, "```starlark")
	if i < 0 {
		return true
	}
	rest := doc[i+3:]
	j := strings.Index(rest, "\n```")
	return j >= 0 && strings.TrimSpace(rest[j+4:]) == ""
}

// documentDiff shows how a rule document changes: its prose as it is read, its script as
// it is written, and on request the prose as it is written. The prose is read as inWords puts it.
func documentDiff(before, after string, inWords func(string) string) app.UI {
	p0, s0 := splitDocument(before)
	p1, s1 := splitDocument(after)
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
