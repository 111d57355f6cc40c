//go:build !js

package main

import (
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// The drawing in docs/architecture.md shows every package, and nothing that is not there.
func TestArchitectureIsDrawnAsItIs(t *testing.T) {
	text, err := os.ReadFile("../docs/architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	drawn := drawnFolders(string(text))
	if len(drawn) < 10 {
		t.Fatalf("only %d folders are drawn: %v", len(drawn), drawn)
	}
	packages := packageFolders(t)
	for _, folder := range packages {
		if !slices.Contains(drawn, folder) {
			t.Errorf("%s is a package and not in the drawing", folder)
		}
	}
	for _, folder := range drawn {
		if info, err := os.Stat("../" + folder); err != nil || !info.IsDir() {
			t.Errorf("%s is in the drawing and not a folder", folder)
		}
	}
}

// drawnFolders reads the tree: a line "│   ├── name/ …" is a folder within the last one that is drawn
// further left.
func drawnFolders(text string) []string {
	var folders, above []string
	for line := range strings.Lines(text) {
		before, rest, ok := strings.Cut(strings.TrimPrefix(line, "    "), "├── ")
		if !ok {
			before, rest, ok = strings.Cut(strings.TrimPrefix(line, "    "), "└── ")
		}
		if !ok {
			continue
		}
		name, _, ok := strings.Cut(rest, "/")
		if !ok {
			continue
		}
		level := utf8.RuneCountInString(before) / 4
		above = append(above[:min(level, len(above))], name)
		folders = append(folders, path.Join(above...))
	}
	return folders
}

// packageFolders lists the folders with Go files, suites that only tests use left out.
func packageFolders(t *testing.T) []string {
	t.Helper()
	var folders []string
	root := os.DirFS("..")
	for _, layer := range []string{"app", "engine", "signal", "web"} {
		err := fs.WalkDir(root, layer, func(name string, entry fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			folder := path.Dir(name)
			if path.Ext(name) == ".go" && !strings.HasSuffix(folder, "test") && !strings.Contains(folder, "testdata") &&
				strings.Count(folder, "/") <= 2 && !slices.Contains(folders, folder) {
				folders = append(folders, folder)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return folders
}
