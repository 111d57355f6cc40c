package rules

import (
	"strings"
	"testing"
	"time"
)

// A proposal whose script is bad is refused with rule, line and reason, however it is bad, and whether it is only
// tried or carried out.
func TestBadScriptsAreBlamedOnTheirLine(t *testing.T) {
	for name, c := range map[string]struct {
		script string // lines 4, 5, … of the rule
		line   int
		says   string
	}{
		"does not parse":               {"x = 1\ndef (:\n    pass", 5, "not an identifier"},
		"does not resolve":             {"x = 1\ny = z", 5, "z is not defined"},
		"in a function":                {"def f(me):\n    return z", 5, "z is not defined"},
		"unknown rule":                 {"x = 1\nload(\"Nowhere\", \"f\")", 5, "Nowhere"},
		"in a circle":                  {"load(\"New\", \"f\")", 4, "circle"},
		"takes too long":               {"x = 1\nfor i in range(1000000):\n    for j in range(1000000):\n        pass", 6, "too many steps"},
		"in a function that is run":    {"def f():\n    for i in range(1000000):\n        for j in range(1000000):\n            pass\nf()", 6, "too many steps"},
		"takes too much memory":        {"x = 1\nz = [\"y\" * 100000 for i in range(1000)]", 5, "memory"},
		"makes too long a text":        {"x = 1\ny = \"y\" * 100000000", 5, ""},
		"takes too long with the rest": {"x = 1\nfor i in range(300000):\n    pass", 4, "too many steps"},
		"illegal default":              {"x = 1\ncolumn(\"b\", integer(min=0), default=-1)", 5, "below 0"},
		"refers to a missing table":    {"x = 1\ncolumn(\"b\", row(\"nowhere\"))", 5, "nowhere"},
		"a table's missing table":      {"table(\"t\", columns=[\n    field(\"a\", integer()),\n    field(\"b\", row(\"nowhere\"))])", 6, "nowhere"},
		"a parameter's table":          {"x = 1\naction(\"Go\", run=lambda me, to: None, params=[param(\"to\", row(\"nowhere\"))])", 5, "nowhere"},
		"declared twice":               {"x = 1\ncolumn(\"gold\", integer())", 5, "already"},
		"writes an illegal value":      {"def go():\n    p = players()[0]\n    p.gold = -1\non(\"amended\", go)", 6, "below 0"},
		"of the wrong type":            {"def go():\n    game.text = 1\non(\"amended\", go)", 5, ""},
		"in what it calls":             {"def set(p):\n    p.gold = -1\ndef go():\n    set(players()[0])\non(\"amended\", go)", 5, "below 0"},
		"creates an illegal row":       {"def go():\n    create(\"things\", n=-1)\non(\"amended\", go)", 5, "below 0"},
		"posts without a category":     {"def go():\n    post(\"Nothing\", \"t\")\non(\"amended\", go)", 5, "no category"},
		"posts an illegal text":        {"def go():\n    post(\"Note\", \"t\" * 1000)\non(\"amended\", go)", 5, ""},
		"hands over too many notes":    {"def go():\n    for i in range(1000):\n        note(\"x\")\non(\"amended\", go)", 6, "notes"},
		"sets off itself":              {"def go(row, old, new):\n    row.gold = new + 1\non_change(\"players.gold\", go)\ndef begin():\n    players()[0].gold = 1\non(\"amended\", begin)", 5, "deep"},
		"runs out while in force":      {"def go():\n    for i in range(100000000):\n        pass\non(\"amended\", go)", 5, ""},
	} {
		t.Run(name, func(t *testing.T) {
			w := found(t, `
column("gold", integer(min=0))
variable("text", text())
category("Note")
table("things", columns=[field("n", integer(min=0))])
def enact(me, changes):
    apply(changes)
action("Enact", run=enact, params=[param("changes", amendments())])
def list(me, changes):
    for p in problems(changes):
        refuse(p)
action("List", run=list, params=[param("changes", amendments())])
`)
			changes := []any{map[string]any{"op": "enact", "section": int64(1), "text": "# New\n\n```starlark\n" + c.script + "\n```\n"}}
			did := w.Do(Act{Player: 1, Name: "Enact", Args: map[string]any{"changes": changes}, Time: w.Now()}).Refused
			for how, refused := range map[string]*Refusal{"tried": w.Check(changes), "carried out": did} {
				if refused == nil {
					t.Errorf("%s: it is not refused", how)
					continue
				}
				if refused.Rule != "New" || refused.Line != c.line || !strings.Contains(refused.Reason, c.says) {
					t.Errorf("%s: rule %q, line %d, %s: %s; want line %d of New, because %q", how, refused.Rule, refused.Line, refused.Code, refused.Reason, c.line, c.says)
				}
			}
			if listed := w.Do(Act{Player: 1, Name: "List", Args: map[string]any{"changes": changes}, Time: w.Now()}).Refused; listed == nil || !strings.Contains(listed.Reason, "line") {
				t.Errorf("problems() says %v", listed)
			}
		})
	}
}

// The rule that takes most of the steps is blamed, not the one during which they run out.
func TestCostlyRuleIsBlamedForOthers(t *testing.T) {
	w := found(t, `
def enact(me, changes):
    apply(changes)
action("Enact", run=enact, params=[param("changes", amendments())])
`)
	rule := func(title, script string) map[string]any {
		return map[string]any{"op": "enact", "section": int64(1), "text": "# " + title + "\n\n```starlark\n" + script + "\n```\n"}
	}
	long := "for i in range(%d):\n    pass"
	changes := []any{rule("Costly", strings.Replace(long, "%d", "350000", 1)), rule("Cheap", strings.Replace(long, "%d", "100000", 1)), rule("Cheaper", strings.Replace(long, "%d", "100000", 1)),
		rule("Last", strings.Replace(long, "%d", "200000", 1))}
	for n := 1; n <= len(changes); n++ {
		if refused := w.Check(changes[:n]); refused == nil || refused.Rule != "Costly" || refused.Line != 4 || refused.Code != CodeLimit {
			t.Errorf("%d rules: %+v; want line 4 of Costly blamed", n, refused)
		}
	}
	if refused := w.Check(changes[1:2]); refused != nil {
		t.Errorf("a cheap rule alone: %v", refused)
	}
}

// Trying what does not load costs what it takes, so that no action can try it for ever.
func TestTryingBadScriptsIsCharged(t *testing.T) {
	for name, script := range map[string]string{
		"too long":         "for i in range(10000000):\n    pass",
		"nearly too long":  "for i in range(300000):\n    pass",
		"does not load":    "for i in range(200000):\n    pass\nfail()",
		"does not resolve": "x = y",
	} {
		t.Run(name, func(t *testing.T) {
			w := found(t, `
def f(me):
    for i in range(100000):
        if not problems([{"op": "enact", "section": 1, "text": "# New\n\n`+"```"+`starlark\n`+strings.ReplaceAll(script, "\n", `\n`)+`\n`+"```"+`\n"}]):
            refuse("nothing is wrong")
        game.tries += 1
variable("tries", integer())
action("F", run=f)
`)
			start := time.Now()
			refused := w.Do(Act{Player: 1, Name: "F", Time: w.Now()}).Refused
			t.Logf("%v: %v", time.Since(start), refused)
			if refused == nil || refused.Code != CodeLimit {
				t.Errorf("got %v, want the budget used up", refused)
			}
		})
	}
}

// A value that an amendment itself sets is nobody's mistake but its author's: no line of a script is blamed.
func TestAmendmentsAreNotBlamedOnWhoAppliesThem(t *testing.T) {
	w := found(t, `
column("gold", integer(min=0))
def enact(me, changes):
    apply(changes)
action("Enact", run=enact, params=[param("changes", amendments())])
`)
	changes := []any{map[string]any{"op": "set", "table": "players", "row": int64(1), "column": "gold", "value": int64(-1)}}
	refused := w.Do(Act{Player: 1, Name: "Enact", Args: map[string]any{"changes": changes}, Time: w.Now()}).Refused
	if refused == nil || refused.Code != CodeIllegal || refused.Line != 0 || refused.Reason != "Gold: -1 is below 0" {
		t.Errorf("got %+v, want the value refused without a line", refused)
	}
}
