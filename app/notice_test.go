//go:build !js

package main

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// NOTICE names every module that is part of one of the two programs, and none that is not.
func TestNoticeNamesWhatIsCompiledIn(t *testing.T) {
	text, err := os.ReadFile("../NOTICE")
	if err != nil {
		t.Fatal(err)
	}
	_, list, found := strings.Cut(string(text), "LICENSE files):\n\n")
	list, _, ended := strings.Cut(list, "\n\n")
	if !found || !ended {
		t.Fatal("NOTICE has no list of modules")
	}
	var named []string
	for line := range strings.Lines(list) {
		named = append(named, strings.Fields(line)[0])
	}
	const modules = "{{with .Module}}{{if not .Main}}{{.Path}}{{end}}{{end}}"
	compiled := append(goList(t, nil, "-deps", "-f", modules, "."), goList(t, forBrowser, "-deps", "-f", modules, ".")...)
	slices.Sort(compiled)
	compiled = slices.Compact(compiled)
	for _, module := range compiled {
		if !slices.Contains(named, module) {
			t.Errorf("NOTICE does not name %s", module)
		}
	}
	for _, module := range named {
		if !slices.Contains(compiled, module) {
			t.Errorf("NOTICE names %s, which is not compiled in", module)
		}
	}
}
