package rules

import (
	"strings"
	"testing"
)

func TestWaits(t *testing.T) {
	w := zoo(t, `
def hungry(me):
    return [due("%s is hungry" % b.name, "Feed it, {{Beast}} or not.", until=now() + hours(2), on=b) for b in rows("beasts", owner=me) if b.health < 5]
waits(hungry)
waits(lambda me: [due("Look around", on="empty", holds=True)])
`)
	got, problem := w.Waits(1)
	if problem != "" || len(got) != 2 {
		t.Fatalf("there wait %+v (%s)", got, problem)
	}
	want := WaitView{Title: "Rex is hungry", Text: "Feed it, Beast or not.", Rule: "All", Until: w.Now() + 7_200_000, Board: "beast", BoardRow: 1}
	if got[0] != want {
		t.Errorf("there waits %+v, want %+v", got[0], want)
	}
	if got[1] != (WaitView{Title: "Look around", Rule: "All", Board: "empty", Holds: true}) {
		t.Errorf("there waits %+v", got[1])
	}
	if got, _ := w.Waits(2); len(got) != 1 {
		t.Errorf("for somebody without beasts wait %+v", got)
	}
}

func TestWaitsThatFail(t *testing.T) {
	for _, c := range []struct{ script, problem string }{
		{`waits(lambda me: [due("")])`, "a title of at most 200 bytes"},
		{`waits(lambda me: [due("x", "y" * 301)])`, "the text may have 300"},
		{`waits(lambda me: [due("x", on=1)])`, "on is a row or the name of a board, not int"},
		{`waits(lambda me: [due("x", until="soon")])`, "until:"},
		{`waits(lambda me: due("x"))`, "a list of at most 20 due()"},
		{`waits(lambda me: [due("x")] * 21)`, "a list of at most 20 due()"},
		{`waits(lambda me: ["x"])`, "All, line 27: waits: a list of due() is needed, and there is a string in it"},
		{`waits(lambda me: [due("x", on="nowhere")])`, `there is no board "nowhere"`},
		{`waits(lambda me: note("x"))`, "note"},
	} {
		w := zoo(t, c.script+"\nwaits(lambda me: [due(\"All the same\")])\n")
		got, problem := w.Waits(1)
		if !strings.Contains(problem, c.problem) {
			t.Errorf("%s: the problem is %q, want %q", c.script, problem, c.problem)
		}
		if len(got) != 1 || got[0].Title != "All the same" {
			t.Errorf("%s: what another rule says is %+v", c.script, got)
		}
	}
}
