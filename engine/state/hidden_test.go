package state

import "testing"

// What nobody sees is in no name, and nothing turns a text around.
func TestHiddenCharactersAreRefused(t *testing.T) {
	for _, c := range []struct {
		text        string
		name, prose bool // whether it may stand there
	}{
		{"Ana", true, true},
		{"Zoë Ångström-O'Neill", true, true},
		{"\u0410\u043d\u044f", true, true},
		{"two\nlines\tand a tab", false, true},
		{"a bell\a", false, false},
		{"A\u200bna", false, true},
		{"A\u200dna", false, true},
		{"\ufeffAna", false, true},
		{"An\u00ada", false, true},
		{"Ana\u3164", false, true},
		{"\u202eanA", false, false},
		{"\u2067anA\u2069", false, false},
		{"\U0001F469\u200d\U0001F680", true, true},
		{"\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645", true, true},
		{"\u2764\ufe0f", true, true},
	} {
		for kind, legal := range map[Kind]bool{Text: c.name, Prose: c.prose} {
			if _, err := (Type{Kind: kind}).Check(c.text); (err == nil) != legal {
				t.Errorf("%+q as %s: %v", c.text, kind, err)
			}
		}
	}
}
