package dice

import (
	"encoding/json"
	"os"
	"testing"

	"peernomic/engine/wire/wiretest"
)

// unshown are the clauses that no vector shows to hold, or to fail, and why.
var unshown = map[string]string{
	"1.1": "words", "2.1": "a value; another is wrong", "2.2": "5.5 and 5.8 fail by it", "2.3": "5.3 fails by it", "2.4": "5.5 and 5.8 fail by it", "2.5": "5.8 fails by it",
	"3.1": "a value; 5.10 fails by it", "3.2": "a value", "3.3": "of the rules: engine/game", "3.4": "of the whole game: engine/game", "3.5": "5.9 fails by it",
	"3.6": "a value; 5.10 fails by it", "3.7": "of the whole game: engine/game",
	"4.1": "a value", "4.3": "a value", "4.4": "5.10 fails by it", "5.11": "it says what is not checked: its vectors are good",
	"5.12": "the vectors that are good hold it", "5.13": "of the whole game: engine/game",
}

// Every clause of SPEC.md has a vector that it holds for and one that fails it, or it is said why not.
func TestEveryClauseHasVectors(t *testing.T) {
	spec, err := os.ReadFile("SPEC.md")
	if err != nil {
		t.Fatal(err)
	}
	var v vectors
	if file, err := os.ReadFile(vectorsFile); err != nil {
		t.Fatal(err)
	} else if err := json.Unmarshal(file, &v); err != nil {
		t.Fatal(err)
	}
	wrong := map[string]bool{}
	good := 0
	for _, c := range v.Transcripts {
		if c.Want == "" {
			good++ // it passes every check of section 5
		} else {
			wrong[c.Want] = true
		}
	}
	for _, c := range v.Folds {
		if c.Value == 0 {
			wrong[c.Clause] = true // the word is rejected
		}
	}
	lacks := func(clause string) string {
		if good == 0 || !wrong[clause] {
			return "that it refuses"
		}
		return ""
	}
	for _, text := range wiretest.Unshown(spec, unshown, lacks) {
		t.Error(text)
	}
}
