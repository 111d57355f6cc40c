package live

import (
	"strings"
	"testing"

	"peernomic/engine/rules"
)

// amended tells what the game would be like with other text in a rule.
func amended(t *testing.T, w *rules.World, me int64, title string, old, new string) string {
	t.Helper()
	r, ok := w.RuleTitled(title)
	if !ok || !strings.Contains(r.Text, old) {
		t.Fatalf("the rule %s does not say %q", title, old)
	}
	before := w.Digest()
	v := lookAt(w, me).effects([]any{map[string]any{"op": "amend", "rule": title, "base": r.Fingerprint, "text": strings.Replace(r.Text, old, new, 1)}})
	if v.Refused != "" {
		t.Fatalf("refused: %s", v.Refused)
	}
	if w.Digest() != before {
		t.Fatal("something of the preview remains")
	}
	var b strings.Builder
	for _, o := range v.Outcomes {
		b.WriteString(strings.Join(o.Notes, "\n") + "\n")
	}
	return b.String()
}

// A preview tells what an action would do otherwise, as far as it can be tried out.
func TestEffectsOfATable(t *testing.T) {
	w := duel(t)
	for _, me := range []int64{1, 2, 3} {
		if a, ok := lookAt(w, me).action("Aerobics"); !ok || a.Refused != nil {
			continue
		}
		text := amended(t, w, me, "Aerobics", `3: {"flame": 3}`, `3: {"flame": 30}`)
		if !strings.Contains(text, "“Aerobics” now, by you: ") || !strings.Contains(text, "“Aerobics” then: ") {
			t.Errorf("does not say what Aerobics would do:\n%s", text)
		}
		return
	}
	t.Fatal("nobody can do Aerobics")
}

// It tells what can be done no longer, under another name, and with other words.
func TestEffectsOnActions(t *testing.T) {
	w := farm(t)
	text := amended(t, w, 1, "Aerobics", `method("Aerobics"`, `method("Laps"`)
	if !strings.Contains(text, "“Aerobics” becomes “Laps”") {
		t.Errorf("a new name is not told:\n%s", text)
	}
	text = amended(t, w, 1, "Aerobics", "Mostly Flame,", "Nothing but Flame,")
	if !strings.Contains(text, "“Aerobics” says of itself: Nothing but Flame,") {
		t.Errorf("other help is not told:\n%s", text)
	}
}
