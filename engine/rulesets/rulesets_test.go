package rulesets

import (
	"os"
	"path/filepath"
	"testing"

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
