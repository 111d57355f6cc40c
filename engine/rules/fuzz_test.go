package rules

import (
	"bytes"
	"testing"

	"peernomic/engine/rules/document"
	"peernomic/engine/wire"
)

// FuzzAmendments: amendments that decode encode to the same bytes, and carried out they have one
// effect, which a revert takes back.
func FuzzAmendments(f *testing.F) {
	w, err := Found(Founding{
		Documents: []document.Document{
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
		{map[string]any{"op": "replace", "rule": "All", "old": "Everything", "new": "All"},
			map[string]any{"op": "amend", "rule": "All", "base": rule.Fingerprint, "text": rule.Text + "\nMore."}},
		{map[string]any{"op": "gain", "table": "players", "where": map[string]any{"standing": "player"}, "column": "gold", "by": int64(2)},
			map[string]any{"op": "multiply", "table": "players", "row": int64(1), "column": "gold", "by": "0.5"}},
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
