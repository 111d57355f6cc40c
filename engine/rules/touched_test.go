package rules

import (
	"fmt"
	"testing"

	"peernomic/engine/rules/document"
)

func TestTouchedTellsPlaces(t *testing.T) {
	script := "\n\n```starlark\n" + `
column("gold", integer())
table("eggs", [field("weight", integer())])
keyword("Head", "King", "Kings")
def nothing(): pass
measure("Rest", run=nothing)
def tell(me, changes):
    for c in touched(changes):
        note("%s %d %s<%s -> %s (%s)" % (c.op, c.section, c.rule, c.parent, c.title, c.what))
action("Tell", run=tell, params=[param("changes", amendments())])
` + "```\n"
	w, err := Found(Founding{Founder: "Ana", Documents: []document.Document{
		{Path: "1-core/01-all.md", Text: "# All" + script},
		{Path: "1-core/01.1-part.md", Text: "# Part"},
		{Path: "2-rest/01-other.md", Text: "# Other"},
	}})
	if err != nil {
		t.Fatal(err)
	}
	other, _ := w.RuleTitled("Other")
	for _, c := range []struct {
		change map[string]any
		want   string
	}{
		{map[string]any{"op": "enact", "parent": "All", "text": "# New\n\nText."}, "[enact 1 New<All -> New ()]"},
		{map[string]any{"op": "enact", "section": 2, "text": "no title"}, "[enact 2 < ->  ()]"},
		{map[string]any{"op": "enact", "parent": "Nowhere", "text": "# New"}, "[enact 0 New< -> New ()]"},
		{map[string]any{"op": "amend", "rule": "part", "text": "# Parts"}, "[amend 1 Part<All -> Parts ()]"},
		{map[string]any{"op": "repeal", "rule": "Other"}, "[repeal 2 Other< ->  ()]"},
		{map[string]any{"op": "repeal", "rule": other.ID}, "[repeal 2 Other< ->  ()]"},
		{map[string]any{"op": "repeal", "rule": "Nothing"}, "[]"},
		{map[string]any{"op": "burn", "rule": "Other"}, "[]"},
		{map[string]any{"op": "move", "rule": "Part", "section": 2}, "[move 1 Part<All ->  () move 2 Part< ->  ()]"},
		{map[string]any{"op": "set", "table": "players", "row": 1, "column": "gold", "value": 1}, "[set 1 All< ->  (players.gold)]"},
		{map[string]any{"op": "set", "table": "players", "row": 1, "column": "name", "value": "Bo"}, "[set 0 < ->  (players.name)]"},
		{map[string]any{"op": "replace", "rule": "Other", "old": "Oth", "new": "Eld"}, "[amend 2 Other< -> Elder ()]"},
		{map[string]any{"op": "replace", "rule": "Other", "old": "none", "new": ""}, "[amend 2 Other< ->  ()]"},
		{map[string]any{"op": "gain", "table": "players", "row": 1, "column": "gold", "by": 1}, "[set 1 All< ->  (players.gold)]"},
		{map[string]any{"op": "lose", "table": "eggs", "where": map[string]any{}, "column": "weight", "by": 1}, "[set 1 All< ->  (eggs.weight)]"},
		{map[string]any{"op": "create", "table": "eggs"}, "[create 1 All< ->  (eggs)]"},
		{map[string]any{"op": "remove", "table": "nests"}, "[remove 0 < ->  (nests)]"},
		{map[string]any{"op": "keyword", "key": "Head", "one": "Queen"}, "[keyword 1 All< ->  (Head)]"},
		{map[string]any{"op": "measure", "name": "Rest"}, "[measure 1 All< ->  (Rest)]"},
	} {
		out := w.mustDo(t, 1, "Tell", map[string]any{"changes": []any{c.change}})
		if got := fmt.Sprint(out.Notes); got != c.want {
			t.Errorf("%v touches %s, want %s", c.change, got, c.want)
		}
	}
}
