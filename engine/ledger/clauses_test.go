package ledger

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"peernomic/engine/wire/wiretest"
)

// unshown are the clauses that no vector shows to hold, or to fail, and why.
var unshown = map[string]string{
	"1.1": "words", "1.3": "words", "7.3": "nothing can fail it: the order comes out otherwise", "7.4": "as 7.3", "7.10": "as 7.3",
	"1.2": "4.2, 6.1 and 12.1 fail by it", "1.4": "4.1 and 6.1 fail by it", "1.5": "../wire/wiretest/signatures.json", "1.6": "5.3 and 5.5 fail by it",
	"2.2": "a value; another is wrong", "2.3": "a value", "2.6": "a value", "3.10": "a value",
	"3.11": "a value; the dice's 5.2 fails by it", "4.15": "7.7 fails by it", "4.16": "5.3 fails by it", "4.17": "5.5 fails by it", "4.18": "needs the rules: engine/game",
	"5.1": "5.2 to 5.7 say what waits and what is refused", "7.1": "5.2 fails by it", "7.5": "a promise: TestVectors gives everything in both orders",
	"7.11": "needs the rules: the golden games",
	"9.1":  "the limits are of other clauses, which fail beyond them", "9.2": "of one replica; no verdict", "9.3": "follows from 4.15 and 7.6: TestBodiesStayInProportion",
	"9.4":  "no verdict: TestRestore",
	"10.1": "of messages, not of a game: engine/wire", "10.2": "of messages: signal", "10.3": "of messages: signal", "10.4": "of messages: signal",
	"12.3": "needs the rules: engine/game", "12.4": "needs the rules: engine/game", "12.5": "needs the rules: engine/game", "12.6": "needs the rules: engine/game",
	"13.1": "5.3 fails by it", "13.2": "needs the rules: engine/game", "13.3": "needs the rules: engine/game; 8.9 is what logs show of it",
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
	right, wrong := map[string]bool{}, map[string]bool{}
	note := func(clause string, good bool) {
		if good {
			right[clause] = true
		} else {
			wrong[clause] = true
		}
	}
	types := map[string]string{}
	for _, m := range v.Messages {
		types[m.Name] = m.Type
	}
	for _, d := range v.Derived {
		right[d.Clause] = true
	}
	// What is accepted has passed every check of its sections.
	passed := map[string][]string{}
	for _, c := range v.Checks {
		note(c.Clause, c.Want == "")
		if c.Want == "" {
			passed[types[c.Add]] = append(passed[types[c.Add]], c.Name)
		}
	}
	for _, o := range v.Orders {
		whole := len(o.Tentative) == 0 && o.Missing == 0
		for _, p := range o.Placed {
			whole = whole && p.Void == ""
			right[o.Clause] = true
		}
		if !whole {
			wrong[o.Clause] = true
		}
	}
	for _, a := range v.Archives {
		note(a.Clause, a.Want == "")
		if a.Want == "" {
			passed["archive"] = append(passed["archive"], a.Name)
		}
	}
	for _, b := range v.Ballots {
		note(b.Clause, b.Want == "")
	}
	for _, m := range v.Moves {
		note(m.Clause, m.Want == "")
	}
	for _, r := range v.Readings {
		note(r.Clause, r.Out != "")
	}
	sections := map[string]string{"3": "envelope", "4": "envelope", "5": "envelope", "6": "seal", "8": "archive"}
	lacks := func(clause string) string {
		section, _, _ := strings.Cut(clause, ".")
		switch {
		case !right[clause] && len(passed[sections[section]]) == 0:
			return "that it accepts"
		case !wrong[clause]:
			return "that it refuses"
		}
		return ""
	}
	for _, text := range wiretest.Unshown(spec, unshown, lacks) {
		t.Error(text)
	}
}
