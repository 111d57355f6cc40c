package rules

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"peernomic/engine/wire"
)

// FuzzDocument: a rule document that can be taken apart is whole in its pieces: every line is
// the heading, a fence, prose or script.
func FuzzDocument(f *testing.F) {
	files, err := filepath.Glob("../rulesets/*/*/*.md")
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

// FuzzAmendments: amendments that decode encode to the same bytes, and carried out they have one
// effect, which a revert takes back.
func FuzzAmendments(f *testing.F) {
	w, err := Found(Founding{
		Documents: []Document{
			{Path: "ruleset.md", Text: "# Test"},
			{Path: "1-core/01-all.md", Text: "# All\n\nEverything.\n\n```starlark\ncolumn(\"gold\", integer())\ndef enact(me, changes):\n    apply(changes)\naction(\"Enact\", run=enact, params=[param(\"changes\", amendments())])\n```\n"},
		},
		Time: 1_767_607_200_000, Founder: "Ana", FounderKey: "key",
	})
	if err != nil {
		f.Fatal(err)
	}
	rule, _ := w.RuleTitled("All")
	for _, list := range [][]any{
		{map[string]any{"op": "amend", "rule": "All", "base": rule.Fingerprint, "text": rule.Text + "\nMore."}},
		{map[string]any{"op": "enact", "section": int64(1), "text": "# New\n\nText."}, map[string]any{"op": "move", "rule": "New", "section": int64(1)}},
		{map[string]any{"op": "repeal", "rule": "All"}},
		{map[string]any{"op": "set", "table": "players", "row": int64(1), "column": "gold", "value": int64(7)}},
		{map[string]any{"op": "create", "table": "players", "values": map[string]any{}}},
		{map[string]any{"op": "remove", "table": "players", "row": int64(1)}},
		{map[string]any{"op": "keyword", "word": "Player", "value": "Digger"}},
		{int64(1), "x", true, []any{}},
	} {
		b, err := wire.Encode(list)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		var list []any
		if wire.Decode(b, &list) != nil {
			return
		}
		if again, err := wire.Encode(list); err != nil || !bytes.Equal(again, b) {
			t.Fatalf("encodes to %x: %v", again, err)
		}
		mark, before := w.Mark(), w.Digest()
		var digests [2][32]byte
		for i := range digests {
			w.Do(Act{Player: 1, Name: "Enact", Args: map[string]any{"changes": list}, Time: w.Now()})
			digests[i] = w.Digest()
			w.Revert(mark)
			if w.Digest() != before {
				t.Fatal("a revert does not take the amendments back")
			}
		}
		if digests[0] != digests[1] {
			t.Error("the same amendments had two effects")
		}
	})
}
