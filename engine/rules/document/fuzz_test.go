package document

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// FuzzDocument: a rule document that can be taken apart is whole in its pieces: every line is
// the heading, a fence, prose or script.
func FuzzDocument(f *testing.F) {
	files, err := filepath.Glob("../../rulesets/*/*/*.md")
	if err != nil || len(files) == 0 {
		f.Fatalf("no rules: %v", err)
	}
	for i, file := range files {
		if text, err := os.ReadFile(file); err != nil {
			f.Fatal(err)
		} else if i%8 == 0 {
			f.Add(string(text))
		}
	}
	f.Add("# All\n\nProse.\n\n```starlark\nx = 1\n```\nMore.\r\n```\ncode\n```")
	f.Add("# All\n```starlark")
	f.Fuzz(func(t *testing.T, text string) {
		title, prose, script, err := TakeApart(text)
		if err != nil {
			if _, ok := err.(*Problem); !ok {
				t.Errorf("refused with %v", err)
			}
			return
		}
		lines, proseLines, scriptLines := strings.Split(text, "\n"), strings.Split(prose, "\n"), strings.Split(script, "\n")
		if len(proseLines) != len(lines) || len(scriptLines) != len(lines) || !strings.Contains(lines[0], title) {
			t.Fatalf("%d lines are %d of prose and %d of script under %q", len(lines), len(proseLines), len(scriptLines), title)
		}
		for i, line := range lines[1:] {
			fence := strings.HasPrefix(line, "```")
			if whole := proseLines[i+1] + scriptLines[i+1]; whole != line && !fence {
				t.Errorf("line %d is %q, taken apart %q", i+2, line, whole)
			}
		}
	})
}
