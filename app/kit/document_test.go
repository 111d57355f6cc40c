package kit

import (
	"strings"
	"testing"
)

func TestDocumentsComeApartAndTogether(t *testing.T) {
	for _, doc := range []string{
		"# A\n\nProse.\n\n```starlark\nx = 1\n```\n",
		"# A\n\nProse only.\n",
		"# A\n\nTwo\n\nparagraphs.\n\n```starlark\ndef f():\n    return 1\n\ng = f()\n```\n",
	} {
		if !SimpleDocument(doc) {
			t.Errorf("%q cannot be edited beside each other", doc)
		}
		prose, script := SplitDocument(doc)
		if got := JoinDocument(prose, script); got != doc {
			t.Errorf("%q comes back as %q", doc, got)
		}
		if script == "" {
			continue
		}
		line := strings.Split(doc, "\n")[ScriptLine(prose)-1]
		if want, _, _ := strings.Cut(script, "\n"); line != want {
			t.Errorf("line %d of %q is %q, not the script's first", ScriptLine(prose), doc, line)
		}
	}
	for _, doc := range []string{
		"# A\n\n```starlark\nx = 1\n```\n\nProse after.\n",
		"# A\n\n```starlark\nx = 1\n```\n\n```starlark\ny = 1\n```\n",
		"# A\n\n```starlark\nnever closed\n",
	} {
		if SimpleDocument(doc) {
			t.Errorf("%q would lose its order", doc)
		}
	}
}
