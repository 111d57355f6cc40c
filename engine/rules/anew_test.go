package rules

import "testing"

// What a rule declares goes with it: declared again later, columns begin with their defaults and tables are
// empty. What one proposal takes from a rule and gives to another stays as it is.
func TestDeclaredAgainBeginsAnew(t *testing.T) {
	w := found(t, `action("Nothing", run=lambda me: None)`)
	rule := "# Purse\n\nA purse.\n\n```starlark\ncolumn(\"gold\", integer(), default=5)\nvariable(\"day\", integer(), default=1)\ntable(\"coins\", [field(\"name\", text())])\n```\n"
	force := func(list ...any) {
		t.Helper()
		if out := w.Force(list, w.Now()); out.Refused != nil {
			t.Fatal(out.Refused)
		}
	}
	enact := map[string]any{"op": "enact", "section": int64(1), "text": rule}
	repeal := map[string]any{"op": "repeal", "rule": "Purse"}
	set := func(table, column string) map[string]any {
		return map[string]any{"op": "set", "table": table, "row": int64(1), "column": column, "value": int64(9)}
	}
	expect := func(when string, gold, day int64, coins int) {
		t.Helper()
		g, _ := w.Cell("players", 1, "gold")
		d, _ := w.Cell("game", 1, "day")
		if g != gold || d != day || len(w.Rows("coins")) != coins {
			t.Errorf("%s: gold %v, day %v, %d coins; want %d, %d, %d", when, g, d, len(w.Rows("coins")), gold, day, coins)
		}
	}
	force(enact)
	force(set("players", "gold"), set("game", "day"), map[string]any{"op": "create", "table": "coins", "values": map[string]any{"name": "penny"}})
	expect("set", 9, 9, 1)
	force(repeal, enact)
	expect("taken and given at once", 9, 9, 1)
	force(repeal)
	before := w.Digest()
	mark := w.Mark()
	force(enact)
	expect("declared again", 5, 1, 0)
	w.Revert(mark)
	if w.Digest() != before {
		t.Error("what was emptied does not come back when the change is taken back")
	}
}

// A number that a narrower range does not take any more becomes the default; in a column that brings
// numbers into range, the nearer bound.
func TestNarrowedColumns(t *testing.T) {
	w := found(t, `action("Nothing", run=lambda me: None)`)
	rule := func(bounds string) string {
		return "# Scales\n\nScales.\n\n```starlark\ncolumn(\"size\", integer(" + bounds + "), default=3)\ncolumn(\"limbs\", integer(" + bounds + "), default=3, illegal=\"clamp\")\n```\n"
	}
	base := func() string { r, _ := w.RuleTitled("Scales"); return r.Fingerprint }
	for _, list := range []func() []any{
		func() []any { return []any{map[string]any{"op": "enact", "section": int64(1), "text": rule("")}} },
		func() []any {
			return []any{map[string]any{"op": "set", "table": "players", "row": int64(1), "column": "size", "value": int64(9)},
				map[string]any{"op": "set", "table": "players", "row": int64(1), "column": "limbs", "value": int64(9)}}
		},
		func() []any {
			return []any{map[string]any{"op": "amend", "rule": "Scales", "base": base(), "text": rule("max=5")}}
		},
	} {
		if out := w.Force(list(), w.Now()); out.Refused != nil {
			t.Fatal(out.Refused)
		}
	}
	size, _ := w.Cell("players", 1, "size")
	limbs, _ := w.Cell("players", 1, "limbs")
	if size != int64(3) || limbs != int64(5) {
		t.Errorf("size %v, want the default 3; limbs %v, want the bound 5", size, limbs)
	}
}
