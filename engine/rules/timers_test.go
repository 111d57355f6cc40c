package rules

import (
	"strings"
	"testing"
)

func TestCallRunsAHandlerAtOnce(t *testing.T) {
	w := found(t, `
column("gold", integer(min=0))
def pay(args):
    find("players", id=args["to"]).gold += args["gold"]
    return "paid"
handler("pay", pay)
def earn(me):
    note(call("pay", {"to": me.id, "gold": 3}))
    me.gold *= 2
action("Earn", run=earn)
action("Stray", run=lambda me: call("nobody"))
action("Peek", run=lambda me: None, guard=lambda me: call("pay", {"to": me.id, "gold": 1}))
`)
	w.mustDo(t, 1, "Earn", nil)
	if got, _ := w.Cell("players", 1, "gold"); got != int64(6) {
		t.Errorf("gold is %v, want 6", got)
	}
	if out := w.Do(Act{Player: 1, Name: "Stray", Time: w.Now()}); out.Refused == nil || !strings.Contains(out.Refused.Reason, `no rule has a handler "nobody"`) {
		t.Errorf("an unknown handler: %v", out.Refused)
	}
	if out := w.Do(Act{Player: 1, Name: "Peek", Time: w.Now()}); out.Refused == nil {
		t.Error("a guard called a handler that writes, and was not refused")
	}
	if got, _ := w.Cell("players", 1, "gold"); got != int64(6) {
		t.Errorf("gold is %v after a guard, want 6", got)
	}
}
