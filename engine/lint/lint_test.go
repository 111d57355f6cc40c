package lint

import (
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"peernomic/engine/rules/document"
	"peernomic/engine/rulesets"
)

// The rulesets that ship have nothing that an author should look at.
func TestShippedRulesetsHaveNoFindings(t *testing.T) {
	for _, name := range rulesets.Names() {
		t.Run(name, func(t *testing.T) {
			docs, err := rulesets.Load(name)
			if err != nil {
				t.Fatal(err)
			}
			_, scenarios := read(t, "../rulesets/"+name)
			if len(scenarios) == 0 {
				t.Fatal("there are no scenarios")
			}
			for _, f := range Ruleset(docs, scenarios, rulesets.Load).Findings {
				t.Error(f)
			}
		})
	}
}

var rewrite = flag.Bool("rewrite", false, "write what is found in testdata anew")

// Each folder of testdata is a ruleset with mistakes; beside it stands what is found.
func TestFindings(t *testing.T) {
	folders, err := filepath.Glob("testdata/*/ruleset.md")
	if err != nil || len(folders) == 0 {
		t.Fatalf("no rulesets in testdata: %v", err)
	}
	for _, front := range folders {
		folder := filepath.Dir(front)
		t.Run(filepath.Base(folder), func(t *testing.T) {
			docs, scenarios := read(t, folder)
			var b strings.Builder
			for _, f := range Ruleset(docs, scenarios, func(string) ([]document.Document, error) { return docs, nil }).Findings {
				fmt.Fprintln(&b, f)
			}
			if *rewrite {
				if err := os.WriteFile(folder+".txt", []byte(b.String()), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(folder + ".txt")
			if err != nil {
				t.Fatal(err)
			}
			if b.String() != string(want) {
				t.Errorf("found\n%s\nwant\n%s", b.String(), want)
			}
		})
	}
}

// read reads a ruleset's documents and scenarios from a folder.
func read(t *testing.T, folder string) (docs []document.Document, scenarios []Scenario) {
	t.Helper()
	root := os.DirFS(folder)
	err := fs.WalkDir(root, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		source, err := fs.ReadFile(root, name)
		switch filepath.Ext(name) {
		case ".md":
			docs = append(docs, document.Document{Path: name, Text: string(source)})
		case ".play":
			scenarios = append(scenarios, Scenario{name, source})
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return docs, scenarios
}
