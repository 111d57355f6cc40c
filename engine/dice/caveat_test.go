package dice

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"
)

func vectorNamed(t *testing.T, name string) Report {
	t.Helper()
	file, err := os.ReadFile(vectorsFile)
	if err != nil {
		t.Fatal(err)
	}
	var v vectors
	if err := json.Unmarshal(file, &v); err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(v.Transcripts, func(c transcriptVector) bool { return c.Name == name })
	if i < 0 {
		t.Fatalf("there is no vector %q", name)
	}
	return VerifyTranscript(unhex(t, v.Transcripts[i].Bytes))
}

// Clauses 5.11 and 5.12: a report on what a roller can make alone passes, is not called good, and says in
// sentences what could be wrong with it.
func TestReportSaysWhatItDoesNotShow(t *testing.T) {
	const always = "place void mode rules league name"
	for _, c := range []struct {
		vector, names, mode string
		says                map[string]string
	}{
		{"three dice of a guest", always, "was to have no witnesses", map[string]string{
			"place": "That seal 3 gave the action its place.", "name": "Compare the key",
			"rules": "called for dice here", "league": "Not even the game shows that.",
		}},
		{"an action shown at a later seal than the one that gave it its place", "place later void mode rules league name", "no witnesses", map[string]string{
			"place": "That seal 7 gave the action its place.", "later": "which seal 3 names, waited until seal 7. A player can say so of every later seal",
		}},
		{"the same action in another envelope, sealed again", always, "no witnesses", map[string]string{
			"place": "A player can have an action sealed again and again, and show the seal whose dice please best.",
		}},
		{"a roll with two witnesses shown as one without", always, "was to have no witnesses", map[string]string{
			"mode": "That the rules wanted no witnesses. With another number of witnesses the dice are others",
		}},
		{"another mode than the rules had", "place void mode witnesses rules league name", "was to have 2 witnesses, and that 0 came", map[string]string{
			"mode": "That the rules wanted 2 witnesses.", "witnesses": "that the others did not come",
		}},
		{"one of two witnesses", "place void mode witnesses rules league name", "was to have 2 witnesses, and that 1 came", map[string]string{
			"witnesses": "the ones to ask, in this order and with the links that count",
		}},
		{"a second action with the same number, which is void", always, "no witnesses", map[string]string{
			"void": "A player can sign two actions with one number, of which one counts, and show the dice of the other.",
		}},
	} {
		t.Run(c.vector, func(t *testing.T) {
			r := vectorNamed(t, c.vector)
			if !r.OK || r.Text != Follows || !strings.Contains(r.Text, "only the game shows") {
				t.Errorf("verdict %v: %q", r.OK, r.Text)
			}
			if !strings.Contains(r.Mode(), "The proof says that the roll ") || !strings.Contains(r.Mode(), c.mode) {
				t.Errorf("mode: %q", r.Mode())
			}
			var names []string
			for _, u := range r.Unshown {
				names = append(names, u.Name)
				if want := c.says[u.Name]; !strings.Contains(u.Text, want) {
					t.Errorf("%s: %q does not say %q", u.Name, u.Text, want)
				}
			}
			if got := strings.Join(names, " "); got != c.names {
				t.Errorf("not shown: %s, want %s", got, c.names)
			}
		})
	}
}

// Clause 2.5: a number beyond a notary's chain is refused for what it is, without hashing.
func TestReportSaysThatASealIsBeyondItsChain(t *testing.T) {
	r := vectorNamed(t, "a seal beyond the last one, whose link is on the chain")
	if r.OK || !strings.Contains(r.Text, "seal 1048577 is beyond the 1048576 that one notary can sign") {
		t.Errorf("%v: %q", r.OK, r.Text)
	}
}

// The specification has every sentence in the words that the code says, with N, M and k for the numbers.
func TestCaveatsAreTheSpecifications(t *testing.T) {
	spec, err := os.ReadFile("SPEC.md")
	if err != nil {
		t.Fatal(err)
	}
	r := vectorNamed(t, "an action shown at a later seal than the one that gave it its place")
	r.Unshown = append(r.Unshown, vectorNamed(t, "one of two witnesses").Unshown...)
	words := strings.NewReplacer("seal 3", "seal M", "seal 7", "seal N", "seal 5", "seal N", "no witnesses", "k witnesses", "2 witnesses", "k witnesses")
	for _, u := range r.Unshown {
		if row := "| `" + u.Name + "` | " + words.Replace(u.Text) + " |\n"; !strings.Contains(string(spec), row) {
			t.Errorf("SPEC.md does not have %q", row)
		}
	}
	for _, sentence := range []string{"these dice follow from this action and this seal", "only the game shows that this is the roll that counted"} {
		if !strings.Contains(string(spec), sentence) {
			t.Errorf("SPEC.md does not say %q", sentence)
		}
	}
}
