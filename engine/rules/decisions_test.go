package rules

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// deciding is a game in which Ana's Strike leaves a choice to make.
func deciding(t *testing.T, more string) *World {
	t.Helper()
	w := found(t, `
column("gold", integer(), default=0)
def chosen(args):
    me = find("players", id=args["me"])
    me.gold += 10 if args["choice"] == "again" else 1
    if args["choice"] == "again":
        me.gold += 100 * roll(6)
handler("chosen", chosen)
def strike(me):
    me.gold += roll(6)
    offer(me, "Strike again?", [("again", "Again!"), "stop"], "chosen", until=now() + hours(2), otherwise="stop", args={"me": me.id}, key="strike")
action("Strike", run=strike)
action("Forget", run=lambda me: cancel("strike"))
`+more)
	if _, out := w.Knock("bo", "Bo", w.Now()); out.Refused != nil {
		t.Fatal(out.Refused)
	}
	return w
}

func (w *World) decides(t *testing.T, player int64, args map[string]any, dice ...uint64) *Refusal {
	t.Helper()
	d := fixedDice(dice)
	return w.Do(Act{Player: player, Name: ActionDecide, Args: args, Time: w.Now(), Dice: &d}).Refused
}

func mustRefuse(t *testing.T, r *Refusal, code Code, words string) {
	t.Helper()
	if r == nil {
		t.Fatalf("it was carried out; want a refusal: %s", words)
	}
	if r.Code != code || !strings.Contains(r.Reason, words) {
		t.Errorf("refused as %s: %s; want %s: %s", r.Code, r.Reason, code, words)
	}
}

// A choice waits, is answered by its owner once, with what is offered, and the handler goes on.
func TestDecide(t *testing.T) {
	w := deciding(t, "")
	mustRefuse(t, w.decides(t, 1, map[string]any{"choice": "stop"}), CodeClosed, "nothing waits")
	w.mustDo(t, 1, "Strike", nil, 3)
	d := w.Decisions()
	if len(d) != 1 || d[0].Question != "Strike again?" || d[0].Until != w.Now()+2*3600_000 || d[0].Options[0].Label != "Again!" || d[0].Options[1].Label != "stop" || d[0].Person != 1 || d[0].Rule != "All" {
		t.Fatalf("what waits: %+v", d)
	}
	if e := w.Log()[d[0].Entry-1]; e.Action != "Strike" {
		t.Errorf("it comes from %s", e.Action)
	}
	mustRefuse(t, w.decides(t, 2, map[string]any{"choice": "stop"}), CodeClosed, "nothing waits")
	mustRefuse(t, w.decides(t, 1, map[string]any{"choice": "Again!"}), CodeArgument, "not one of the options: Again!, stop")
	mustRefuse(t, w.decides(t, 1, nil), CodeArgument, "needed")
	mustRefuse(t, w.decides(t, 1, map[string]any{"choice": "stop", "decision": int64(9)}), CodeUnknown, "no such")
	out := w.mustDo(t, 1, ActionDecide, map[string]any{"choice": "again", "decision": d[0].ID}, 2)
	if got, _ := w.Cell("players", 1, "gold"); got != int64(213) {
		t.Errorf("gold is %v, want 3 + 10 + 200", got)
	}
	if !slices.Equal(out.Notes, []string{"Strike again? Again!"}) {
		t.Errorf("the log says %q", out.Notes)
	}
	mustRefuse(t, w.decides(t, 1, map[string]any{"choice": "again", "decision": d[0].ID}), CodeClosed, "nothing waits")
	if w.DueTimers() != 0 {
		t.Error("the timer of a choice that was made is still there")
	}
}

// Somebody else's choice is not mine to make, and of several one has to be named.
func TestDecideWhich(t *testing.T) {
	w := deciding(t, `
def both(me):
    for p in everyone():
        offer(p, "Left or right, %s?" % p.name, ["left", "right"], "chosen", args={"me": p.id})
action("Both", run=both)`)
	w.mustDo(t, 1, "Both", nil)
	ids := w.Decisions()
	mustRefuse(t, w.decides(t, 1, map[string]any{"choice": "left", "decision": ids[1].ID}), CodeClosed, "this choice is Bo's")
	w.mustDo(t, 1, "Both", nil)
	mustRefuse(t, w.decides(t, 1, map[string]any{"choice": "left"}), CodeArgument, "2 choices wait for you")
	w.mustDo(t, 1, ActionDecide, map[string]any{"choice": "left", "decision": ids[0].ID})
	for _, a := range w.Actions(1) {
		if a.Name == ActionDecide && (a.Refused != nil || len(a.Params[0].Choices) != 1) {
			t.Errorf("what Ana can decide: %+v", a)
		}
	}
}

// What nobody chose in time is decided at its exact time, by time alone.
func TestDecisionLapses(t *testing.T) {
	w := deciding(t, "")
	w.mustDo(t, 1, "Strike", nil, 3)
	due := w.Now() + 2*3600_000
	if outs := w.Advance(due-1, nil); len(outs) != 0 {
		t.Fatalf("too early: %+v", outs)
	}
	outs := w.Advance(due+5, nil)
	if len(outs) != 1 || outs[0].Time != due || outs[0].Action != ActionDecide || outs[0].Refused != nil {
		t.Fatalf("at the time: %+v", outs)
	}
	if got, _ := w.Cell("players", 1, "gold"); got != int64(4) || len(w.Decisions()) != 0 {
		t.Errorf("gold is %v, and %d choices wait", got, len(w.Decisions()))
	}
}

// Taking back, replacing, and a new load of the rules leave nothing behind.
func TestDecisionTakenBack(t *testing.T) {
	w := deciding(t, "")
	w.mustDo(t, 1, "Strike", nil, 1)
	w.mustDo(t, 1, "Strike", nil, 1)
	if n := len(w.Decisions()); n != 1 {
		t.Errorf("%d choices with one key", n)
	}
	if out := w.Force([]any{map[string]any{"op": "enact", "section": "Core", "text": "# More\n\nMore."}}, w.Now()); out.Refused != nil {
		t.Fatal(out.Refused)
	}
	if n := len(w.Decisions()); n != 1 {
		t.Errorf("after an amendment %d choices wait", n)
	}
	w.mustDo(t, 1, "Forget", nil)
	if len(w.Decisions()) != 0 || w.DueTimers() != 0 {
		t.Error("a choice that was taken back is still there")
	}
}

// When the rules cannot go on with a choice any more, it goes, and the log says so.
func TestDecisionWithoutItsHandler(t *testing.T) {
	w := deciding(t, "")
	w.mustDo(t, 1, "Strike", nil, 1)
	id := w.Decisions()[0].ID
	rule, _ := w.RuleTitled("All")
	out := w.Force([]any{map[string]any{"op": "amend", "rule": "All", "base": rule.Fingerprint, "text": "# All\n\nNothing."}}, w.Now())
	if out.Refused != nil || !strings.Contains(fmt.Sprint(out.Notes), "No rule goes on with what Ana was to choose any more: Strike again?") {
		t.Errorf("the log says %q, %v", out.Notes, out.Refused)
	}
	mustRefuse(t, w.decides(t, 1, map[string]any{"decision": id, "choice": "stop"}), CodeClosed, "nothing waits")
	if outs := w.Advance(w.Now()+3*3600_000, nil); len(outs) != 0 {
		t.Errorf("it lapsed all the same: %+v", outs)
	}
}

// A handler that fails refuses the answer, and does not keep anybody waiting after the time.
func TestDecisionThatCannotGoOn(t *testing.T) {
	w := deciding(t, `
handler("broken", lambda args: 1 // 0)
action("Trap", run=lambda me: offer(me, "Well?", ["yes"], "broken", until=now() + hours(1), otherwise="yes"))`)
	w.mustDo(t, 1, "Trap", nil)
	mustRefuse(t, w.decides(t, 1, map[string]any{"choice": "yes"}), CodeScript, "division by zero")
	outs := w.Advance(w.Now()+3600_000, nil)
	if len(outs) != 1 || outs[0].Refused == nil || outs[0].Refused.Code != CodeScript {
		t.Errorf("at the time: %+v", outs)
	}
	if len(w.Decisions()) != 0 {
		t.Error("it still waits")
	}
}

// Gates see what waits, and can let people decide first.
func TestPendingInGates(t *testing.T) {
	w := deciding(t, `gate(lambda me, action: "decide first" if action != "Decide" and pending(me) else None)`)
	w.mustDo(t, 1, "Strike", nil, 1)
	if out := w.Do(Act{Player: 1, Name: "Strike", Time: w.Now()}); out.Refused == nil || out.Refused.Reason != "decide first" {
		t.Errorf("in the meantime: %v", out.Refused)
	}
	w.mustDo(t, 1, ActionDecide, map[string]any{"choice": "stop"})
	w.mustDo(t, 1, "Strike", nil, 1)
}

// A game in which nothing was ever offered has the digest that it always had: the table is not there.
func TestDecisionsLeaveNoTraceUnused(t *testing.T) {
	w := deciding(t, "")
	before := w.state.Digest()
	m := w.Mark()
	w.mustDo(t, 1, "Strike", nil, 1)
	if w.state.Digest() == before {
		t.Error("a waiting choice is not in the digest")
	}
	w.Revert(m)
	if w.state.Digest() != before {
		t.Error("what was reverted is in the digest")
	}
}

func TestHostileOffers(t *testing.T) {
	for name, c := range map[string]struct {
		body string
		code Code
		want string
	}{
		"no options":          {`offer(me, "?", [], "chosen")`, CodeScript, "nothing to choose"},
		"too many":            {`offer(me, "?", list(range(51)), "chosen")`, CodeScript, "50 options"},
		"as many as may be":   {`offer(me, "?", list(range(50)), "chosen")`, "", ""},
		"huge list":           {`offer(me, "?", range(1000000), "chosen")`, CodeScript, "50 options"},
		"twice the same":      {`offer(me, "?", [1, 1], "chosen")`, CodeScript, "twice"},
		"a list as an option": {`offer(me, "?", [[1]], "chosen")`, CodeScript, "must be a text"},
		"none as an option":   {`offer(me, "?", [None], "chosen")`, CodeScript, "must be a text"},
		"long option":         {`offer(me, "?", ["x" * 201], "chosen")`, CodeScript, "200 bytes"},
		"long label":          {`offer(me, "?", [("a", "x" * 201)], "chosen")`, CodeScript, "200 bytes"},
		"long question":       {`offer(me, "?" * 301, ["a"], "chosen")`, CodeScript, "300 bytes"},
		"no question":         {`offer(me, " ", ["a"], "chosen")`, CodeScript, "300 bytes"},
		"no handler":          {`offer(me, "?", ["a"], "nothing")`, CodeScript, "no rule has a handler"},
		"no default":          {`offer(me, "?", ["a"], "chosen", until=now())`, CodeScript, "one of the options"},
		"another default":     {`offer(me, "?", ["a"], "chosen", until=now(), otherwise="b")`, CodeScript, "one of the options"},
		"no time":             {`offer(me, "?", ["a"], "chosen", otherwise="a")`, CodeScript, "needs until"},
		"choice in args":      {`offer(me, "?", ["a"], "chosen", args={"choice": 1})`, CodeScript, "without"},
		"no person":           {`offer(find("players", entity="Ghost"), "?", ["a"], "chosen")`, CodeScript, "only a person"},
		"asked in a loop":     {"for i in range(21):\n        offer(me, \"?\", [\"a\"], \"chosen\")", CodeLimit, "20 choices wait for Ana already"},
		"one key in a loop":   {"for i in range(1000000):\n        offer(me, \"?\", [\"a\"], \"chosen\", key=\"k\")", CodeLimit, ""},
	} {
		t.Run(name, func(t *testing.T) {
			w := deciding(t, "entity(\"Ghost\")\ndef attack(me):\n    "+c.body+"\naction(\"Attack\", run=attack)\n")
			out := w.Do(Act{Player: 1, Name: "Attack", Time: w.Now()})
			if c.code == "" {
				if out.Refused != nil {
					t.Errorf("refused: %v", out.Refused)
				}
				return
			}
			mustRefuse(t, out.Refused, c.code, c.want)
			if len(w.Decisions()) != 0 {
				t.Error("something of it remains")
			}
		})
	}
	// Somebody else may be asked, but not by a function that only looks.
	w := deciding(t, `action("Peek", run=lambda me: None, guard=lambda me: offer(me, "?", ["a"], "chosen"))`)
	mustRefuse(t, w.Do(Act{Player: 1, Name: "Peek", Time: w.Now()}).Refused, CodeScript, "nothing can be changed here")
	// A choice in a choice, for ever: each answer asks the next, and no single action runs away.
	w = deciding(t, `
handler("more", lambda args: offer(find("players", id=1), "More?", ["yes"], "more", until=now(), otherwise="yes"))
action("Begin", run=lambda me: offer(me, "More?", ["yes"], "more", until=now(), otherwise="yes"))`)
	w.mustDo(t, 1, "Begin", nil)
	if n := len(w.Advance(w.Now()+1, nil)); n != MaxTimers {
		t.Errorf("one move of the clock ran %d timers", n)
	}
}

// The kernel's action cannot be declared over.
func TestDecideIsTaken(t *testing.T) {
	w := deciding(t, "")
	text := "# Mine\n\nMine.\n\n```starlark\naction(\"Decide\", run=lambda me: None)\n```\n"
	out := w.Force([]any{map[string]any{"op": "enact", "section": "Core", "text": text}}, w.Now())
	if out.Refused == nil || !strings.Contains(out.Refused.Reason, `there is an action "Decide" already`) {
		t.Errorf("it was declared: %v", out.Refused)
	}
}
