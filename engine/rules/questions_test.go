package rules

import (
	"fmt"
	"testing"
)

// Rules answer questions that others put, in their order.
func TestAskGathersAnswers(t *testing.T) {
	w := found(t, `
column("gold", integer())
answer("worth", lambda what, who: 3 if what == "egg" else None)
answer("worth", lambda what, who: who.gold)
def pay(who):
    who.gold += 1
answer("pay", pay)
def count(me):
    me.gold = 5
    ask("pay", me)
    note(str(ask("worth", "egg", me) + ask("worth", "rock", me) + ask("nothing at all")))
action("Count", run=count)
action("Peek", run=count, guard=lambda me: ask("pay", me) and None)
`)
	if got := fmt.Sprint(w.mustDo(t, 1, "Count", nil).Notes); got != "[[3, 6, 6]]" {
		t.Errorf("the answers are %s", got)
	}
	if out := w.Do(Act{Player: 1, Name: "Peek", Time: w.Now()}); out.Refused == nil {
		t.Error("a guard put a question whose answer writes, and was not refused")
	}
}
