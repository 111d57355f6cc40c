package rules

import (
	"strings"
	"testing"

	"peernomic/engine/rules/document"
)

// land makes a game of two rules, of which one loads from the other.
func land(t *testing.T) *World {
	t.Helper()
	w, err := Found(Founding{Founder: "Ana", Documents: []document.Document{
		{Path: "1-core/01-tax.md", Text: "# Tax\n\nEach player pays 3 coins to the head.\n\n```starlark\nRATE = 3\ndef rate():\n    return RATE\n```\n"},
		{Path: "1-core/02-land.md", Text: "# Land\n\n```starlark\nload(\"Tax\", \"rate\")\ncolumn(\"coins\", integer())\ndef pay(me):\n    me.coins = rate()\naction(\"Pay\", run=pay)\n```\n"},
	}})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func force(t *testing.T, w *World, m map[string]any, reason ...string) {
	t.Helper()
	out := w.Force([]any{m}, w.Now())
	if out.Refused == nil {
		if len(reason) > 0 {
			t.Errorf("%v is carried out, want refused for %q", m, reason)
		}
		return
	}
	if len(reason) == 0 {
		t.Fatalf("%v: %v", m, out.Refused)
	}
	for _, part := range reason {
		if !strings.Contains(out.Refused.Error(), part) {
			t.Errorf("%v: %v, want %q", m, out.Refused, part)
		}
	}
}

// What an amendment changes is kept although the rule has another text by then, and another title.
func TestAmendmentsAreMerged(t *testing.T) {
	w := land(t)
	tax, _ := w.RuleTitled("Tax")
	amend := func(pairs ...string) map[string]any {
		return map[string]any{"op": "amend", "rule": "Tax", "base": tax.Fingerprint, "text": strings.NewReplacer(pairs...).Replace(tax.Text)}
	}
	force(t, w, amend("3 coins", "4 coins", "RATE = 3", "RATE = 4"))
	force(t, w, amend("# Tax", "# Toll"))
	force(t, w, amend("Each player", "Each rich player", "return RATE", "return RATE * 2"))
	force(t, w, amend("3 coins", "5 coins"), "the rule has changed since", "where it said “pays 3 coins”", "it says “pays 4 coins” now", "the amendment says “pays 5 coins”")
	force(t, w, amend("RATE = 3", "RATE ="), "“RATE = 4” now")
	stranger := amend("3 coins", "4 coins")
	stranger["base"] = document.Fingerprint("# Tax\n\nNever said.")
	force(t, w, stranger, "a text that the rule never had")
	toll, ok := w.RuleTitled("Toll")
	want := "# Toll\n\nEach rich player pays 4 coins to the head.\n\n```starlark\nRATE = 4\ndef rate():\n    return RATE * 2\n```\n"
	if !ok || toll.Text != want || len(toll.Revisions) != 3 {
		t.Errorf("the rule is %+v", toll)
	}
	w.mustDo(t, 1, "Pay", nil)
	if v, _ := w.Cell("players", 1, "coins"); v != int64(8) {
		t.Errorf("coins are %v, want 8", v)
	}
}

// A rule is found by the title that it had, unless another rule has it now.
func TestFormerTitles(t *testing.T) {
	w := land(t)
	rename := func(from, to string) {
		force(t, w, map[string]any{"op": "replace", "rule": from, "old": "# " + from, "new": "# " + to})
	}
	rename("Tax", "Toll")
	force(t, w, map[string]any{"op": "replace", "rule": "tax", "old": "head", "new": "king"}) // in whatever case
	force(t, w, map[string]any{"op": "enact", "section": int64(1), "parent": "Tax", "text": "# Relief"})
	force(t, w, map[string]any{"op": "move", "rule": "Relief", "section": int64(1), "after": "Tax"})
	if r, _ := w.RuleTitled("Relief"); r.Number != "1.2" {
		t.Errorf("Relief is %s, want 1.2", r.Number)
	}
	force(t, w, map[string]any{"op": "enact", "section": int64(1), "text": "# Tax\n\n```starlark\ndef rate():\n    return 1\n```\n"})
	w.mustDo(t, 1, "Pay", nil)
	if v, _ := w.Cell("players", 1, "coins"); v != int64(1) {
		t.Errorf("coins are %v, want those of the rule that has the title now", v)
	}
	rename("Tax", "Levy")
	w.mustDo(t, 1, "Pay", nil)
	if v, _ := w.Cell("players", 1, "coins"); v != int64(1) {
		t.Errorf("coins are %v, want those of the rule that had the title last", v)
	}
	force(t, w, map[string]any{"op": "repeal", "rule": "Levy"})
	w.mustDo(t, 1, "Pay", nil)
	if v, _ := w.Cell("players", 1, "coins"); v != int64(3) {
		t.Errorf("coins are %v, want those of the rule in force that had the title", v)
	}
}

// If a rule goes that others need, all of them are told, not the first.
func TestRepealTellsAllThatNeedTheRule(t *testing.T) {
	w := land(t)
	for _, text := range []string{
		"# Sea\n\n```starlark\nload(\"Tax\", \"rate\")\ndef toll():\n    return rate()\n```\n",
		"# Sky\n\n```starlark\nload(\"Sea\", \"toll\")\n```\n",
		"# Air\n\n```starlark\ndef breathe(): pass\n```\n",
	} {
		force(t, w, map[string]any{"op": "enact", "section": int64(1), "text": text})
	}
	force(t, w, map[string]any{"op": "repeal", "rule": "Tax"}, "Land, line 4", `there is no rule "Tax" to load from. These 3 rules could not be loaded: Land, Sea, Sky`)
	force(t, w, map[string]any{"op": "repeal", "rule": "Sea"}, `there is no rule "Sea" to load from`)
}
