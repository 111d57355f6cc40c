package rules

import (
	"maps"
	"slices"
	"strings"
	"testing"
)

// What is refused keeps its arguments in the log if they are short, as anybody with the invite can have any number of actions
// refused; what is carried out keeps them all.
func TestRefusedActionsKeepShortArguments(t *testing.T) {
	w := found(t, `
def say(me, text):
    if text.startswith("no"):
        refuse("no")
action("Say", run=say, params=[param("text", text(max=4000))])
`)
	for name, c := range map[string]struct {
		args map[string]any
		kept bool
	}{
		"short":       {map[string]any{"text": "no"}, true},
		"long":        {map[string]any{"text": "no" + strings.Repeat(" ", MaxRefused)}, false},
		"many":        {map[string]any{"list": slices.Repeat([]any{int64(1)}, MaxRefusedValues)}, false},
		"carried out": {map[string]any{"text": "yes" + strings.Repeat(" ", MaxRefused)}, true},
	} {
		out := w.Do(Act{Player: 1, Name: "Say", Args: maps.Clone(c.args), Time: w.Now()})
		if refused := name != "carried out"; refused != (out.Refused != nil) {
			t.Errorf("%s: refused with %v", name, out.Refused)
		}
		log := w.Log()
		if kept := len(log[len(log)-1].Args) > 0; kept != c.kept || kept != (len(out.Args) > 0) || out.Action != "Say" {
			t.Errorf("%s: the arguments are kept: %t, want %t", name, kept, c.kept)
		}
	}
}
