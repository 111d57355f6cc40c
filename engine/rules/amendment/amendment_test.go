package amendment

import (
	"reflect"
	"strings"
	"testing"
)

func TestEveryOperationIsItsMap(t *testing.T) {
	place := Place{Section: Ref{Number: 2}, Parent: "Land", After: "Tax"}
	for _, c := range []struct {
		a    Amendment
		want map[string]any
	}{
		{&Enact{place, "# A"}, map[string]any{"op": "enact", "section": int64(2), "parent": "Land", "after": "Tax", "text": "# A"}},
		{&Enact{Place{Section: Ref{Title: "Core"}}, "# A"}, map[string]any{"op": "enact", "section": "Core", "text": "# A"}},
		{&Amend{Ref{Title: "A"}, "0f", "# B"}, map[string]any{"op": "amend", "rule": "A", "base": "0f", "text": "# B"}},
		{&Repeal{Ref{Number: 7}}, map[string]any{"op": "repeal", "rule": int64(7)}},
		{&Move{Ref{Title: "A"}, place}, map[string]any{"op": "move", "rule": "A", "section": int64(2), "parent": "Land", "after": "Tax"}},
		{&Replace{Ref{Title: "A"}, "one", "two"}, map[string]any{"op": "replace", "rule": "A", "old": "one", "new": "two"}},
		{&Adjust{"gain", Cells{Table: "players", Row: 1, Column: "gold"}, int64(2)}, map[string]any{"op": "gain", "table": "players", "row": int64(1), "column": "gold", "by": int64(2)}},
		{&Adjust{"lose", Cells{Table: "eggs", Where: map[string]any{"red": true}, Column: "weight"}, int64(2)},
			map[string]any{"op": "lose", "table": "eggs", "where": map[string]any{"red": true}, "column": "weight", "by": int64(2)}},
		{&Adjust{"multiply", Cells{Table: "eggs", Where: map[string]any{}, Column: "weight"}, "0.5"},
			map[string]any{"op": "multiply", "table": "eggs", "where": map[string]any{}, "column": "weight", "by": "0.5"}},
		{&Set{Cells{Table: "players", Row: 1, Column: "gold"}, true}, map[string]any{"op": "set", "table": "players", "row": int64(1), "column": "gold", "value": true}},
		{&Create{"eggs", map[string]any{"weight": int64(3)}}, map[string]any{"op": "create", "table": "eggs", "values": map[string]any{"weight": int64(3)}}},
		{&Remove{"eggs", 4}, map[string]any{"op": "remove", "table": "eggs", "row": int64(4)}},
		{&Keyword{"Head", "Queen", "Queens"}, map[string]any{"op": "keyword", "key": "Head", "one": "Queen", "many": "Queens"}},
		{&Measure{"Rest", map[string]any{}}, map[string]any{"op": "measure", "name": "Rest", "args": map[string]any{}}},
	} {
		if got := Encode(c.a); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s encodes to %v, want %v", c.a.Op(), got, c.want)
		}
		if got, err := Decode(c.want); err != nil || !reflect.DeepEqual(got, c.a) {
			t.Errorf("%v decodes to %+v, %v", c.want, got, err)
		}
	}
}

func TestWrongAmendmentsDoNotDecode(t *testing.T) {
	for _, c := range []struct {
		from any
		want string
	}{
		{"repeal", "is a map"},
		{map[string]any{}, `no operation ""`},
		{map[string]any{"op": "burn"}, `no operation "burn"`},
		{map[string]any{"op": "repeal", "title": "A"}, `repeal has no "title"`},
		{map[string]any{"op": "repeal", "rule": true}, "repeal: rule must be a title or a number"},
		{map[string]any{"op": "set", "row": "1"}, "set: row must be a number"},
		{map[string]any{"op": "create", "values": []any{}}, "create: values must be a map"},
		{map[string]any{"op": "enact", "text": int64(1), "parent": int64(2)}, "enact: parent must be a text"},
	} {
		if a, err := Decode(c.from); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v decodes to %+v, %v; want %q", c.from, a, err, c.want)
		}
	}
	if _, err := Decode(map[string]any{"op": "enact", "parent": nil}); err != nil {
		t.Errorf("None in place of a part: %v", err)
	}
}

func TestPartsNamesEveryOperation(t *testing.T) {
	parts := Parts()
	if len(parts) != len(blank()) || !reflect.DeepEqual(parts["keyword"], []string{"key", "one", "many"}) {
		t.Errorf("parts are %v", parts)
	}
}
