package rules

import (
	"testing"
	"unicode/utf8"
)

// A script can cut a text within a character. What it then writes to the log has to be
// text all the same, because other programs read the log.
func TestCutCharactersAreMended(t *testing.T) {
	w := found(t, `
variable("blob", data())
def write(me):
    half = "é"[:1]
    game.blob = {half: half}
    note(half)
action("Write", run=write)
def stop(me):
    refuse("é"[:1])
action("Stop", run=stop)
`)
	out := w.mustDo(t, 1, "Write", nil)
	if !utf8.ValidString(out.Notes[0]) {
		t.Errorf("the note %q is no text", out.Notes[0])
	}
	blob, _ := w.Cell("game", 1, "blob")
	for k, v := range blob.(map[string]any) {
		if !utf8.ValidString(k) || !utf8.ValidString(v.(string)) {
			t.Errorf("%q: %q is no text", k, v)
		}
	}
	if r := w.Do(Act{Player: 1, Name: "Stop", Time: w.Now()}).Refused; r == nil || !utf8.ValidString(r.Reason) {
		t.Errorf("refused with %v, want a text", r)
	}
}
