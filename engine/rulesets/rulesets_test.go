package rulesets

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"

	"peernomic/engine/rules"
	"peernomic/engine/scenario"
)

// Every rule of every ruleset loads, alone and together.
func TestRulesetsLoad(t *testing.T) {
	names := Names()
	if len(names) == 0 {
		t.Fatal("no ruleset is embedded")
	}
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			docs, err := Load(name)
			if err != nil {
				t.Fatal(err)
			}
			if docs[len(docs)-1].Path != "ruleset.md" {
				t.Errorf("the last document is %s, want ruleset.md", docs[len(docs)-1].Path)
			}
			if _, err := rules.Found(rules.Founding{Documents: docs, Time: 1_767_607_200_000, Founder: "Kim", FounderKey: "key"}); err != nil {
				t.Fatal(err)
			}
		})
	}
}

// Every scenario of every ruleset holds.
func TestScenarios(t *testing.T) {
	files, err := filepath.Glob("*/play/*.play")
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Fatal("there are no scenarios")
	}
	for _, file := range files {
		t.Run(file, func(t *testing.T) {
			source, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			report, err := scenario.Run(file, source, Load)
			if err != nil {
				t.Fatal(err)
			}
			if report.Checks == 0 {
				t.Error("the scenario expects nothing")
			}
		})
	}
}

func TestLoadUnknown(t *testing.T) {
	if _, err := Load("tiddlywinks"); err == nil {
		t.Error("a ruleset that does not exist was loaded")
	}
}

// Two proposals that change different words of a rule can be enacted in either order, with one result, whatever the rule.
func TestAmendmentsOfDifferentWordsSurviveEachOther(t *testing.T) {
	for _, name := range Names() {
		docs, err := Load(name)
		if err != nil {
			t.Fatal(err)
		}
		w, err := rules.Found(rules.Founding{Documents: docs, Time: 1_767_607_200_000, Founder: "Kim", FounderKey: "key"})
		if err != nil {
			t.Fatal(err)
		}
		r := rand.New(rand.NewPCG(4, 5))
		for _, section := range w.Rules() {
			for _, rule := range section.Rules {
				// Each changes half of these, words of the title among them.
				places := wordPlaces(rule.Text)
				picks := r.Perm(len(places))[:min(6, len(places)/2*2)]
				var changes [2]map[string]any
				for side := range changes {
					own := slices.Sorted(slices.Values(picks[side*len(picks)/2 : (side+1)*len(picks)/2]))
					text := rule.Text
					for _, k := range slices.Backward(own) {
						text = text[:places[k]] + fmt.Sprintf("Side%d", side) + text[places[k]:]
					}
					changes[side] = map[string]any{"op": "amend", "rule": rule.Heading, "base": rule.Fingerprint, "text": text}
				}
				mark := w.Mark()
				var results [2]string
				for first := range changes {
					for _, c := range []any{changes[first], changes[1-first]} {
						if out := w.Force([]any{c}, w.Now()); out.Refused != nil {
							t.Fatalf("%s, %s: %v", name, rule.Title, out.Refused)
						}
					}
					for _, s := range w.Rules() {
						for _, now := range s.Rules {
							if now.ID == rule.ID {
								results[first] = now.Text
							}
						}
					}
					w.Revert(mark)
				}
				if results[0] != results[1] || strings.Count(results[0], "Side0") != len(picks)/2 || strings.Count(results[0], "Side1") != len(picks)/2 {
					t.Fatalf("%s, %s: in one order\n%s\nin the other\n%s", name, rule.Title, results[0], results[1])
				}
			}
		}
	}
}

// wordPlaces returns where in a rule's title and prose words begin.
func wordPlaces(text string) []int {
	var out []int
	at, script := 0, false
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "```") {
			script = !script
		} else if !script {
			for i := range line {
				if (i == 0 || line[i-1] == ' ') && unicode.IsLetter(rune(line[i])) {
					out = append(out, at+i)
				}
			}
		}
		at += len(line)
	}
	return out
}
