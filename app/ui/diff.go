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

// documentDiff shows how a rule document changes: its prose and its script apart.
func documentDiff(before, after string) app.UI {
	p0, s0 := splitDocument(before)
	p1, s1 := splitDocument(after)
	if p0 == p1 && s0 == s1 {
		return app.P().Class("quiet").Text("Nothing in the text changes.")
	}
	var parts []app.UI
	if p0 != p1 {
		parts = append(parts, app.H4().Class("diff-head").Text("Prose"), textDiff(p0, p1, "prose"))
	}
	if s0 != s1 {
		parts = append(parts, app.H4().Class("diff-head").Text("Script"), textDiff(s0, s1, "script"))
	}
	return app.Div().Class("diffs").Body(parts...)
}

// textDiff shows the lines that change, with signs and not by color alone.
func textDiff(before, after, kind string) app.UI {
	if before != "" && !strings.HasSuffix(before, "\n") {
		before += "\n"
	}
	if after != "" && !strings.HasSuffix(after, "\n") {
		after += "\n"
	}
	u, err := udiff.ToUnifiedDiff("before", "after", before, udiff.Lines(before, after), diffContext)
	if err != nil {
		return app.P().Class("quiet").Text("The change cannot be shown: " + err.Error())
	}
	var rows []app.UI
	for i, h := range u.Hunks {
		if i > 0 || h.FromLine > 1 {
			rows = append(rows, app.Div().Class("diff-gap").Aria("hidden", "true").Text("⋯"))
		}
		for _, l := range h.Lines {
			class, sign, word := "diff-line", " ", ""
			switch l.Kind {
			case udiff.Delete:
				class, sign, word = "diff-line diff-out", "−", "removed: "
			case udiff.Insert:
				class, sign, word = "diff-line diff-in", "+", "added: "
			}
			text := app.Span().Class("diff-text").Text(strings.TrimSuffix(l.Content, "\n"))
			rows = append(rows, app.Div().Class(class).Body(
				app.Span().Class("diff-sign").Aria("hidden", "true").Text(sign),
				app.If(word != "", app.Span().Class("unseen").Text(word)),
				text,
			))
		}
	}
	return app.Div().Class("diff").Class("diff-" + kind).Body(rows...)
}
