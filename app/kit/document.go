package kit

import "strings"

// SplitDocument divides a rule document into its prose and its scripts.
func SplitDocument(doc string) (prose, script string) {
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

// JoinDocument is the inverse of [SplitDocument] for documents whose script is one
// block at the end.
func JoinDocument(prose, script string) string {
	prose = strings.TrimSpace(prose) + "\n"
	if strings.TrimSpace(script) == "" {
		return prose
	}
	return prose + "\n```starlark\n" + strings.Trim(script, "\n") + "\n```\n"
}

// ScriptLine returns the line of the document that the joined script begins at.
func ScriptLine(prose string) int {
	return strings.Count(strings.TrimSpace(prose), "\n") + 4
}

// SimpleDocument says whether a document can be edited as prose beside script
// without losing where its blocks stand.
func SimpleDocument(doc string) bool {
	i := strings.Index(doc, "```starlark")
	if i < 0 {
		return true
	}
	rest := doc[i+3:]
	j := strings.Index(rest, "\n```")
	return j >= 0 && strings.TrimSpace(rest[j+4:]) == ""
}

// DocumentTitle is the heading of a rule document.
func DocumentTitle(doc string) string {
	for line := range strings.Lines(doc) {
		if t, ok := strings.CutPrefix(strings.TrimSpace(line), "# "); ok {
			return strings.TrimSpace(t)
		}
	}
	return "untitled"
}
