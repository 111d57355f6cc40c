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

// Clauses 5.11 and 5.12: what a roller can make alone passes, and the verdict says that it may not have counted.
func TestReportSaysWhatItDoesNotShow(t *testing.T) {
	for vector, mode := range map[string]string{
		"three dice of a guest": "was to have no witnesses",
		"an action shown at a later seal than the one that gave it its place": "no witnesses",
		"the same action in another envelope, sealed again":                   "no witnesses",
		"a roll with two witnesses shown as one without":                      "no witnesses",
		"another mode than the rules had":                                     "was to have 2 witnesses, and that 0 came",
		"one of two witnesses":                                                "was to have 2 witnesses, and that 1 came",
		"a second action with the same number, which is void":                 "no witnesses",
	} {
		r := vectorNamed(t, vector)
		if !r.OK || r.Text != Follows {
			t.Errorf("%s: verdict %v: %q", vector, r.OK, r.Text)
		}
		if !strings.Contains(r.Mode(), "The proof says that the roll ") || !strings.Contains(r.Mode(), mode) {
			t.Errorf("%s: mode %q", vector, r.Mode())
		}
	}
}

// Clause 2.5: a number beyond a notary's chain is refused for what it is, without hashing.
func TestReportSaysThatASealIsBeyondItsChain(t *testing.T) {
	r := vectorNamed(t, "a seal beyond the last one, whose link is on the chain")
	if r.OK || !strings.Contains(r.Text, "seal 1048577 is beyond the 1048576 that one notary can sign") {
		t.Errorf("%v: %q", r.OK, r.Text)
	}
}

// The specification has the sentences in the words that the code says.
func TestVerdictIsTheSpecifications(t *testing.T) {
	spec, err := os.ReadFile("SPEC.md")
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Join(strings.Fields(string(spec)), " ")
	for _, sentence := range []string{Follows, NeverShown} {
		if !strings.Contains(text, sentence) {
			t.Errorf("SPEC.md does not say %q", sentence)
		}
	}
}
