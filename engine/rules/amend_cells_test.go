package rules

import (
	"fmt"
	"strings"
	"testing"
)

// eggs makes a game with four eggs and an action that enacts.
func eggs(t *testing.T) *World {
	t.Helper()
	w := found(t, `
table("eggs", [
    field("owner", row("players")),
    field("color", choice(["red", "blue"])),
    field("weight", integer(min=0, max=9), default=3, illegal="clamp"),
    field("price", decimal(places=2, min=0)),
    field("note", text()),
])
derived("eggs", "heavy", lambda e: e.weight > 4)
def lay(me):
    for color, weight in [("red", 1), ("blue", 4), ("red", 5), ("red", 8)]:
        create("eggs", owner=me if weight > 1 else None, color=color, weight=weight, price=weight)
action("Lay", run=lay)
def tell(me, changes):
    for c in touched(changes):
        note("%s %d = %s" % (c.op, c.row, c.value))
action("Tell", run=tell, params=[param("changes", amendments())])
`)
	w.mustDo(t, 1, "Lay", nil)
	return w
}

func TestNumbersChangeByWhatTheyAre(t *testing.T) {
	where := func(pairs ...any) map[string]any {
		m := map[string]any{}
		for i := 0; i < len(pairs); i += 2 {
			m[pairs[i].(string)] = pairs[i+1]
		}
		return m
	}
	for _, c := range []struct {
		op, column string
		on         any // a row or a condition
		by         any
		want       string // the column, or the reason
	}{
		{"gain", "weight", int64(2), int64(2), "1 6 5 8"},
		{"lose", "weight", int64(3), int64(2), "1 4 3 8"},
		{"multiply", "weight", int64(2), int64(2), "1 8 5 8"},
		{"gain", "weight", where("color", "red"), int64(2), "3 4 7 9"}, // the column clamps
		{"lose", "weight", where(), int64(4), "0 0 1 4"},
		{"gain", "weight", where("heavy", true), int64(-1), "1 4 4 7"}, // chosen before the first changes
		{"gain", "weight", where("color", "red", "owner", int64(1)), int64(1), "1 4 6 9"},
		{"gain", "weight", where("owner", nil), int64(1), "2 4 5 8"},
		{"gain", "weight", where("id", int64(4)), int64(1), "1 4 5 9"},
		{"gain", "weight", where("color", "blue", "heavy", true), int64(1), "1 4 5 8"}, // nothing fits
		{"set", "weight", where("color", "red"), int64(2), "2 4 2 2"},
		{"multiply", "price", where(), "0.5", "0.5 2 2.5 4"},
		{"lose", "price", where(), int64(2), "is below 0"}, // the column refuses, and none is changed
		{"multiply", "weight", where(), "0.5", "whole number is needed"},
		{"multiply", "price", where(), "0.001", "more digits"},
		{"gain", "weight", int64(2), "much", "not a number"},
		{"gain", "note", int64(2), int64(1), "only numbers gain"},
		{"gain", "colour", int64(2), int64(1), "no column colour in eggs"},
		{"gain", "weight", where("colour", "red"), int64(1), "Egg has no column colour"},
		{"gain", "weight", where("color", "rad"), int64(1), "not one of red, blue"},
		{"gain", "weight", int64(9), int64(1), "there is no Egg 9"},
		{"gain", "heavy", int64(2), int64(1), "no column heavy"},
	} {
		w := eggs(t)
		m := map[string]any{"op": c.op, "table": "eggs", "column": c.column, "by": c.by}
		if c.op == "set" {
			m["value"] = m["by"]
			delete(m, "by")
		}
		if row, ok := c.on.(int64); ok {
			m["row"] = row
		} else {
			m["where"] = c.on
		}
		before := w.Digest()
		refused := w.Check([]any{m})
		if w.Digest() != before {
			t.Fatalf("%v: a trial changed the game", m)
		}
		out := w.Force([]any{m}, w.Now())
		if (refused == nil) != (out.Refused == nil) {
			t.Errorf("%v: the trial says %v, carried out it is %v", m, refused, out.Refused)
		}
		if out.Refused != nil {
			if !strings.Contains(out.Refused.Reason, c.want) {
				t.Errorf("%v: %s, want %q", m, out.Refused.Reason, c.want)
			}
			continue
		}
		var got []string
		for _, id := range w.Rows("eggs") {
			v, _ := w.Cell("eggs", id, c.column)
			got = append(got, fmt.Sprint(v))
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%v: %s are %v, want %s", m, c.column, got, c.want)
		}
	}
}

func TestAmendmentNamesARowOrACondition(t *testing.T) {
	w := eggs(t)
	m := map[string]any{"op": "gain", "table": "eggs", "column": "weight", "by": int64(1), "row": int64(1), "where": map[string]any{}}
	if refused := w.Check([]any{m}); refused == nil || !strings.Contains(refused.Reason, "a row and those that fit") {
		t.Errorf("a row and a condition: %v", refused)
	}
}

// What touches cells of several rows is told for each, with what it would have.
func TestTouchedTellsEachCell(t *testing.T) {
	w := eggs(t)
	for _, c := range []struct {
		where map[string]any
		want  string
	}{
		{map[string]any{"color": "red"}, "[set 1 = 3 set 3 = 7 set 4 = 10]"},
		{map[string]any{"weight": int64(7)}, "[set 0 = None]"},
	} {
		m := map[string]any{"op": "gain", "table": "eggs", "column": "weight", "by": int64(2), "where": c.where}
		out := w.mustDo(t, 1, "Tell", map[string]any{"changes": []any{m}})
		if got := fmt.Sprint(out.Notes); got != c.want {
			t.Errorf("where %v: %s, want %s", c.where, got, c.want)
		}
	}
}

func TestReplaceLooksWordsUpWhenItIsCarriedOut(t *testing.T) {
	w := found(t, "x = 1")
	replace := func(old, new string) map[string]any {
		return map[string]any{"op": "replace", "rule": "All", "old": old, "new": new}
	}
	for _, c := range []struct{ old, new, reason string }{
		{"Everything", "All of it", ""},
		{"Everything", "Nothing", "“Everything” stands there 0 times"},
		{"All of it is", "Each part is", ""}, // words that another amendment brought
		{"e", "o", "times, not once"},
		{"", "o", "times, not once"},
		{"# All", "All", "first line must be a heading"},
		{"x = 1", "x = ", "got newline"},
		{"# All", "# Whole", ""},
	} {
		out := w.Force([]any{replace(c.old, c.new)}, w.Now())
		switch {
		case out.Refused != nil && (c.reason == "" || !strings.Contains(out.Refused.Reason, c.reason)):
			t.Errorf("%q by %q: %v, want %q", c.old, c.new, out.Refused, c.reason)
		case out.Refused == nil && c.reason != "":
			t.Errorf("%q by %q: carried out, want %q", c.old, c.new, c.reason)
		}
	}
	if r, ok := w.RuleTitled("Whole"); !ok || !strings.HasPrefix(r.Text, "# Whole\n\nEach part is here.") || len(r.Revisions) != 3 {
		t.Errorf("the rule is %+v", r)
	}
}
