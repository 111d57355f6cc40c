package rules

import (
	"testing"
	"unicode/utf8"

	"peernomic/engine/rules/document"
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

// Rules whose titles hold this game's words are named by them everywhere.
func TestTitlesHoldWords(t *testing.T) {
	w, err := Found(Founding{Founder: "Ana", Documents: []document.Document{{Path: "1-core/01-all.md", Text: "# About {{Players}}\n\n```starlark\n" + `
keyword("Player", "Crab", "Crabs")
column("gold", integer())
def earn(me):
    me.gold += 1
action("Earn", run=earn)
action("Never", run=earn, guard=lambda me: "no")
` + "```\n"}}})
	if err != nil {
		t.Fatal(err)
	}
	out := w.mustDo(t, 1, "Earn", nil)
	refused := w.Do(Act{Player: 1, Name: "Never", Time: w.Now()})
	actions := w.Actions(1)
	for what, got := range map[string]string{
		"entry": out.Rule, "change": out.Changes[0].Rule, "refusal": refused.Refused.Rule,
		"action": actions[0].Rule, "closed action": actions[1].Refused.Rule, "column": w.Tables()[0].Columns[4].Rule,
	} {
		if got != "About Crabs" {
			t.Errorf("%s: the rule is %q, want About Crabs", what, got)
		}
	}
}
