// Package rulesets holds the rulesets that ship with the program: one folder
// each, one Markdown file a rule, and scenarios in the folder play that show what
// the rules do. A folder that is added here is a ruleset; none is named in Go.
package rulesets

import (
	"embed"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"peernomic/engine/rules/document"
)

//go:embed */*.md */*/*.md
var files embed.FS

// Names returns the names of all rulesets, sorted.
func Names() []string {
	entries, err := fs.ReadDir(files, ".")
	if err != nil { // the root of an embedded file system can be read
		return nil
	}
	var names []string
	for _, e := range entries {
		if e.IsDir() {
			names = append(names, e.Name())
		}
	}
	slices.Sort(names)
	return names
}

// Load returns the documents of a ruleset, sorted by path, as a game is founded with
// them.
func Load(name string) ([]document.Document, error) {
	if !slices.Contains(Names(), name) {
		return nil, fmt.Errorf("there is no ruleset %q; there are %s", name, strings.Join(Names(), ", "))
	}
	var docs []document.Document
	err := fs.WalkDir(files, name, func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || path.Ext(file) != ".md" {
			return err
		}
		text, err := fs.ReadFile(files, file)
		if err != nil {
			return err
		}
		docs = append(docs, document.Document{Path: strings.TrimPrefix(file, name+"/"), Text: string(text)})
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("ruleset %s: %w", name, err)
	}
	slices.SortFunc(docs, func(a, b document.Document) int { return strings.Compare(a.Path, b.Path) })
	return docs, nil
}
