package rules

import "testing"

// Rules are told when rules have changed, with the new ones in force.
func TestAmendedEvent(t *testing.T) {
	w := found(t, `
variable("seen", text())
def look():
    game.seen = ", ".join(subrules("All"))
on("amended", look)
`)
	out := w.Force([]any{map[string]any{"op": "enact", "section": int64(1), "parent": "All", "after": "", "text": "# Flag\n\nA flag."}}, w.Now())
	if out.Refused != nil {
		t.Fatal(out.Refused)
	}
	if seen, _ := w.Cell("game", 1, "seen"); seen != "Flag" {
		t.Errorf("the rules saw %q, want Flag", seen)
	}
}
