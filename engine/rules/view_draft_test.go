package rules

import (
	"strings"
	"testing"
)

// How a matter would stand after an action is what the rules say of it then; nothing of the action
// remains, and the dice of one that rolls are not made up.
func TestMatterAfterAnAction(t *testing.T) {
	w := found(t, `
icon("YES")
category("Talk", icons=["YES"])
matter("Talk", lambda p: {"status": "Pending", "tally": {"YES": len(comments(p))}, "next": "wait"})
action("Open", run=lambda me: post("Talk", "Hello"))
action("Say", run=lambda me: comment(find("posts"), "", icon="YES"))
action("Gamble", run=lambda me: comment(find("posts"), "", icon="YES") if roll(2) == 1 else None)
action("Never", run=lambda me: refuse("never"))
`)
	w.Do(Act{Player: 1, Name: "Open", Time: w.Now()})
	id, before := w.Posts()[0].ID, w.Digest()
	after := func(name string) (MatterView, Outcome) {
		m, out, err := w.MatterAfter(Act{Player: 1, Name: name, Time: w.Now(), Dice: ones{}}, id)
		if err != nil {
			t.Fatal(err)
		}
		if w.Digest() != before {
			t.Errorf("%s left something behind", name)
		}
		return m, out
	}
	if m, out := after("Say"); out.Refused != nil || m.Tally["YES"] != 1 {
		t.Errorf("after a vote: %+v, %v", m, out.Refused)
	}
	if _, out := after("Gamble"); out.Refused == nil || out.Refused.Code != CodeWaiting {
		t.Errorf("an action that rolls: %v", out.Refused)
	}
	if _, out := after("Never"); out.Refused == nil || !strings.Contains(out.Refused.Reason, "never") {
		t.Errorf("an action that is refused: %v", out.Refused)
	}
}
