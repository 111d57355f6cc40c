package rules

import (
	"strings"
	"testing"

	"peernomic/engine/rules/document"
)

// fixedDice rolls the given values in order.
type fixedDice []uint64

func (d *fixedDice) Roll(sides uint64) (uint64, error) {
	if len(*d) == 0 {
		return 0, errWaiting
	}
	v := (*d)[0]
	*d = (*d)[1:]
	return v, nil
}

const testTime = 1_767_607_200_000 // 2026-01-05 10:00 GMT, a Monday

// found makes a game of one rule with the given script.
func found(t *testing.T, script string) *World {
	t.Helper()
	w, err := Found(Founding{
		Documents: []document.Document{
			{Path: "ruleset.md", Text: "# Test\n\nA test."},
			{Path: "1-core/section.md", Text: "# Core"},
			{Path: "1-core/01-all.md", Text: "# All\n\nEverything is here.\n\n```starlark\n" + script + "\n```\n"},
		},
		Time: testTime, Founder: "Ana",
	})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func (w *World) mustDo(t *testing.T, player int64, name string, args map[string]any, dice ...uint64) Outcome {
	t.Helper()
	d := fixedDice(dice)
	out := w.Do(Act{Player: player, Name: name, Args: args, Time: w.Now(), Dice: &d})
	if out.Refused != nil {
		t.Fatalf("%s: refused: %v", name, out.Refused)
	}
	return out
}

func TestActionRollsAndWrites(t *testing.T) {
	w := found(t, `
column("gold", integer(min=0), default=3)
def dig(me):
    me.gold += dice(2, 6)
action("Dig", run=dig, every=daily(gap=hours(6)))
`)
	out := w.mustDo(t, 1, "Dig", nil, 4, 5)
	if got, _ := w.Cell("players", 1, "gold"); got != int64(12) {
		t.Errorf("gold is %v, want 12", got)
	}
	if len(out.Rolls) != 2 || len(out.Changes) != 1 {
		t.Errorf("logged %d rolls and %d changes, want 2 and 1", len(out.Rolls), len(out.Changes))
	}
	if again := w.Do(Act{Player: 1, Name: "Dig", Time: w.Now()}); again.Refused == nil || again.Refused.Code != CodeCadence {
		t.Errorf("a second time on one day: %v, want refused for its cadence", again.Refused)
	}
}

func TestRefusalLeavesNothing(t *testing.T) {
	w := found(t, `
column("gold", integer(min=0), default=3)
def waste(me):
    me.gold -= 2
    note("wasted")
    me.gold -= 2
action("Waste", run=waste)
`)
	mark, before := w.Mark(), w.state.Digest()
	out := w.Do(Act{Player: 1, Name: "Waste", Time: w.Now()})
	if out.Refused == nil || out.Refused.Code != CodeIllegal {
		t.Fatalf("got %v, want an illegal value refused", out.Refused)
	}
	if w.state.Digest() != before {
		t.Error("a refused action changed the gamestate")
	}
	w.Revert(mark)
	if len(w.Log()) != 1 {
		t.Errorf("after the revert the log has %d entries, want the founding alone", len(w.Log()))
	}
}

func TestAmendmentChangesProseAndScript(t *testing.T) {
	w := found(t, `
column("gold", integer())
def dig(me):
    me.gold += 1
action("Dig", run=dig)
def enact(me, changes):
    apply(changes)
action("Enact", run=enact, params=[param("changes", amendments())])
`)
	rule, _ := w.RuleTitled("All")
	text := strings.Replace(strings.Replace(rule.Text, "+= 1", "+= 10", 1), "Everything", "All of it", 1)
	change := []any{map[string]any{"op": "amend", "rule": "All", "base": rule.Fingerprint, "text": text}}
	if refused := w.Check(change); refused != nil {
		t.Fatal(refused)
	}
	mark, before := w.Mark(), w.Digest()
	w.mustDo(t, 1, "Enact", map[string]any{"changes": change})
	w.mustDo(t, 1, "Dig", nil)
	if got, _ := w.Cell("players", 1, "gold"); got != int64(10) {
		t.Errorf("gold is %v, want 10", got)
	}
	amended, _ := w.RuleTitled("All")
	if !strings.Contains(amended.Prose, "All of it") || len(amended.Revisions) != 1 {
		t.Errorf("prose %q with %d revisions", amended.Prose, len(amended.Revisions))
	}
	w.mustDo(t, 1, "Enact", map[string]any{"changes": change})
	if again, _ := w.RuleTitled("All"); again.Text != amended.Text {
		t.Errorf("the same amendment again makes of the rule\n%s", again.Text)
	}
	w.Revert(mark)
	if w.Digest() != before {
		t.Error("reverting does not restore the digest")
	}
	w.mustDo(t, 1, "Dig", nil)
	if got, _ := w.Cell("players", 1, "gold"); got != int64(1) {
		t.Errorf("gold is %v after the revert, want 1", got)
	}
}

func TestAmendmentThatBreaksTheRulesIsRefused(t *testing.T) {
	w := found(t, `x = 1`)
	rule, _ := w.RuleTitled("All")
	for name, c := range map[string]struct {
		text string
		line int
	}{
		"does not parse":   {"# All\n\n```starlark\ndef (:\n```\n", 4},
		"does not resolve": {"# All\n\n```starlark\nx = y\n```\n", 4},
		"fails":            {"# All\n\n```starlark\nx = 1\nfail(\"no\")\n```\n", 5},
		"no heading":       {"All", 1},
	} {
		t.Run(name, func(t *testing.T) {
			refused := w.Check([]any{map[string]any{"op": "amend", "rule": "All", "base": rule.Fingerprint, "text": c.text}})
			if refused == nil || refused.Line != c.line && name != "no heading" {
				t.Fatalf("got %+v, want refused at line %d", refused, c.line)
			}
		})
	}
}

func TestTimersRunAtTheirExactTime(t *testing.T) {
	w := found(t, `
column("at", moment())
def ring(args):
    find("players", id=args["who"]).at = now()
handler("ring", ring)
def wind(me):
    schedule(now() + hours(5), "ring", {"who": me.id})
action("Wind", run=wind)
`)
	w.mustDo(t, 1, "Wind", nil)
	start := w.Now()
	w.Advance(start+24*3600*1000, nil)
	if got, _ := w.Cell("players", 1, "at"); got != start+5*3600*1000 {
		t.Errorf("the timer saw %v, want %v", got, start+5*3600*1000)
	}
	if w.Now() != start+24*3600*1000 {
		t.Error("the clock stopped at the timer")
	}
}

func TestTimerThatRollsWaitsForItsSeal(t *testing.T) {
	w := found(t, `
column("n", integer())
def ring(args):
    find("players", id=1).n = roll(6)
handler("ring", ring)
def wind(me):
    schedule(now() + 1, "ring")
action("Wind", run=wind)
`)
	w.mustDo(t, 1, "Wind", nil)
	w.Advance(w.Now()+10, nil)
	if got, _ := w.Cell("players", 1, "n"); got != int64(0) {
		t.Fatalf("rolled %v without a seal", got)
	}
	w.Advance(w.Now()+10, func(int64) DiceSource { return &fixedDice{4} })
	if got, _ := w.Cell("players", 1, "n"); got != int64(4) {
		t.Errorf("rolled %v, want 4", got)
	}
}

func TestUndoAndDiceWords(t *testing.T) {
	w := found(t, `
column("gold", integer(), edit=True)
dice_word("DICE")
dice_word("FRUIT", ["apple", "pear"])
def change(me, value, text):
    note(str(edit(me, "gold", value, text)))
action("Edit", run=change, params=[param("value", integer()), param("text", text())])
def back(me, n):
    undo(n)
action("Undo", run=back, params=[param("n", integer())])
`)
	out := w.mustDo(t, 1, "Edit", map[string]any{"value": int64(7), "text": "2DICE6 and FRUIT"}, 3, 4, 2)
	if got, want := out.Notes[0], `{"2DICE6": [3, 4], "FRUIT": ["pear"]}`; got != want {
		t.Errorf("rolled %s, want %s", got, want)
	}
	w.mustDo(t, 1, "Undo", map[string]any{"n": out.Number})
	if got, _ := w.Cell("players", 1, "gold"); got != int64(0) {
		t.Errorf("gold is %v after the undo, want 0", got)
	}
	if again := w.Do(Act{Player: 1, Name: "Undo", Args: map[string]any{"n": out.Number}}); again.Refused == nil {
		t.Error("undoing what has changed since was not refused")
	}
}

func TestReferenceIsComplete(t *testing.T) {
	for _, e := range Reference() {
		if !strings.HasPrefix(e.Doc, e.Name+"(") || !strings.Contains(e.Doc, "): ") {
			t.Errorf("%s: its doc %q must be its signature, a colon and its meaning", e.Name, e.Doc)
		}
	}
}

func TestTimersThatSetThemselvesCannotHangTheGame(t *testing.T) {
	w := found(t, `
variable("rings", integer())
def ring(args):
    game.rings += 1
    for i in range(100000):
        pass
    schedule(now(), "ring")
handler("ring", ring)
def wind(me):
    schedule(now(), "ring")
action("Wind", run=wind)
`)
	w.mustDo(t, 1, "Wind", nil)
	w.Advance(w.Now()+1000, nil)
	rings, _ := w.GameCell("rings")
	if n := rings.(int64); n < 2 || n > MaxTimers {
		t.Fatalf("the timer ran %d times in one move of the clock", n)
	}
	w.Advance(w.Now()+1000, nil)
	if again, _ := w.GameCell("rings"); again.(int64) <= rings.(int64) {
		t.Error("the timer does not go on with the next move of the clock")
	}
}

func TestTryingAmendmentsIsCharged(t *testing.T) {
	w := found(t, `
def f(me):
    for i in range(100000):
        problems([{"op": "enact", "section": 1, "text": "# New\n"}])
action("F", run=f)
`)
	out := w.Do(Act{Player: 1, Name: "F", Time: w.Now()})
	if out.Refused == nil || out.Refused.Code != CodeLimit {
		t.Errorf("got %v, want the budget used up", out.Refused)
	}
}

func TestReferenceToAMissingTableIsRefused(t *testing.T) {
	for _, script := range []string{`column("home", row("nowhere"))`, `action("Go", run=lambda me, to: None, params=[param("to", row("nowhere"))])`} {
		_, err := Found(Founding{Documents: []document.Document{{Path: "1-core/01-all.md", Text: "# All\n\n```starlark\n" + script + "\n```\n"}}, Time: testTime, Founder: "Ana"})
		if err == nil || !strings.Contains(err.Error(), "nowhere") {
			t.Errorf("%s: got %v, want it refused by name", script, err)
		}
	}
}

func TestDecimalColumns(t *testing.T) {
	w := found(t, `
column("borne", decimal(places=1, min=0, max=4), illegal="clamp", edit=True)
column("rest", decimal(places=1, min=0), edit=True)
def lift(me, weight):
    me.borne += weight
    if me.borne > 3:
        me.rest = 4 - me.borne
action("Lift", run=lift, params=[param("weight", decimal(places=1, min=0))])
def split(me):
    me.rest = 0.25
action("Split", run=split)
`)
	for _, c := range []struct{ weight, load, rest string }{{"0.2", "0.2", "0"}, {"2.8", "3", "0"}, {"0.5", "3.5", "0.5"}, {"9", "4", "0"}} {
		w.mustDo(t, 1, "Lift", map[string]any{"weight": c.weight})
		for column, want := range map[string]string{"borne": c.load, "rest": c.rest} {
			typ, _ := w.ColumnType("players", column)
			if got, _ := w.Cell("players", 1, column); w.show(got, typ) != want {
				t.Errorf("after %s, %s is %v, want %s", c.weight, column, got, want)
			}
		}
	}
	if out := w.Do(Act{Player: 1, Name: "Split", Time: w.Now()}); out.Refused == nil || !strings.Contains(out.Refused.Reason, "more digits") {
		t.Errorf("0.25 in a column of one place: %+v", out.Refused)
	}
	if out := w.Do(Act{Player: 1, Name: "Lift", Args: map[string]any{"weight": "0.25"}, Time: w.Now()}); out.Refused == nil {
		t.Error("0.25 for a parameter of one place was taken")
	}
}
