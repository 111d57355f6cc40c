package rules

import (
	"strings"
	"testing"

	"peernomic/engine/rules/internal/calendar"
)

// What is done together is done for everybody.
func TestCadenceTogether(t *testing.T) {
	w := found(t, `
action("Feast", run=lambda me: None, every=weekly(together=True))
action("Nap", run=lambda me: None, every=weekly())
`)
	bo, _ := w.Knock("key of Bo", "Bo", w.Now())
	if out := w.Force([]any{map[string]any{"op": "set", "table": "players", "row": bo, "column": "standing", "value": "player"}}, w.Now()); out.Refused != nil {
		t.Fatal(out.Refused)
	}
	w.mustDo(t, 1, "Nap", nil)
	w.mustDo(t, bo, "Nap", nil)
	w.mustDo(t, 1, "Feast", nil)
	out := w.Do(Act{Player: bo, Name: "Feast", Time: w.Now()})
	if out.Refused == nil || !strings.Contains(out.Refused.Reason, "has been done already") || out.Refused.Until != testTime-10*3_600_000+calendar.WeekMillis {
		t.Errorf("a second one in the week: %+v", out.Refused)
	}
	w.Advance(testTime-10*3_600_000+calendar.WeekMillis, nil)
	w.mustDo(t, bo, "Feast", nil)
}

func TestCalendarNamesDates(t *testing.T) {
	w := found(t, `
def tell(me):
    c = calendar(now())
    note("%d-%d-%d" % (c.year, c.month, c.date))
action("Tell", run=tell)
`)
	if got := w.mustDo(t, 1, "Tell", nil).Notes[0]; got != "2026-1-5" {
		t.Errorf("the date is %s", got)
	}
}
