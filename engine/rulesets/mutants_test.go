package rulesets

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"peernomic/engine/play"
	"peernomic/engine/rules"
)

var mutants = flag.String("mutants", "", `break the rules whose path has this regular expression, one place at a time, and see that a scenario fails: go test -run Mutants -mutants '1-core/.*' -timeout 0`)

// mutation is one way to break a line of a script.
var mutations = []struct {
	find *regexp.Regexp
	with func(string) string
}{
	{regexp.MustCompile(`\b[0-9]+\b`), func(s string) string { return "(" + s + " + 1)" }},
	{regexp.MustCompile(`\b[0-9]+\b`), func(s string) string { return "(" + s + " - 1)" }},
	{regexp.MustCompile(` (>=|<=|==|!=|>|<) `), func(s string) string {
		return map[string]string{" >= ": " > ", " <= ": " < ", " == ": " != ", " != ": " == ", " > ": " >= ", " < ": " <= "}[s]
	}},
	{regexp.MustCompile(` (and|or) `), func(s string) string { return map[string]string{" and ": " or ", " or ": " and "}[s] }},
	{regexp.MustCompile(`\bnot `), func(string) string { return "" }},
	{regexp.MustCompile(`\b(True|False)\b`), func(s string) string { return map[string]string{"True": "False", "False": "True"}[s] }},
	{regexp.MustCompile(` (\+=|-=) `), func(s string) string { return map[string]string{" += ": " -= ", " -= ": " += "}[s] }},
	// A statement is left out.
	{regexp.MustCompile(`^( +)(refuse\(|note\(|apply\(|remove\(|reset\(|[a-z_.]+ [-+]?= ).*$`), func(s string) string { return s[:len(s)-len(strings.TrimLeft(s, " "))] + "pass" }},
	// A rule does not listen, or a condition is always or never met.
	{regexp.MustCompile(`^(gate|on|on_change)\(.*$`), func(string) string { return "" }},
	{regexp.MustCompile(`\bif .*:$`), func(string) string { return "if True:" }},
	{regexp.MustCompile(`\bif .*:$`), func(string) string { return "if False:" }},
}

// TestMutants breaks rules one place at a time. It lists what no scenario notices; some
// of that is harmless (a text, a form), so it fails nothing.
func TestMutants(t *testing.T) {
	if *mutants == "" {
		t.Skip("asked for with -mutants")
	}
	which := regexp.MustCompile(*mutants)
	for _, name := range Names() {
		docs, err := Load(name)
		if err != nil {
			t.Fatal(err)
		}
		files, err := filepath.Glob(name + "/play/*.play")
		if err != nil {
			t.Fatal(err)
		}
		scenarios := map[string][]byte{}
		for _, file := range files {
			if scenarios[file], err = os.ReadFile(file); err != nil {
				t.Fatal(err)
			}
		}
		made, survived := 0, 0
		for i, doc := range docs {
			if !which.MatchString(name + "/" + doc.Path) {
				continue
			}
			for _, m := range mutate(doc.Text) {
				broken := slices.Clone(docs)
				broken[i].Text = m.text
				made++
				if !noticed(files, scenarios, broken) {
					survived++
					fmt.Printf("%s:%d: not noticed: %s\n", doc.Path, m.line, m.shown)
				}
			}
		}
		t.Logf("%s: %d of %d broken rulesets were not noticed", name, survived, made)
	}
}

type mutant struct {
	text, shown string
	line        int
}

func mutate(text string) []mutant {
	var out []mutant
	lines := strings.Split(text, "\n")
	inside := false
	for n, line := range lines {
		switch {
		case line == "```starlark":
			inside = true
			continue
		case line == "```":
			inside = false
		}
		trimmed := strings.TrimSpace(line)
		if !inside || strings.HasPrefix(trimmed, "#") || strings.HasPrefix(trimmed, `"""`) || strings.Contains(trimmed, "help=") {
			continue
		}
		for _, m := range mutations {
			for _, at := range m.find.FindAllStringIndex(line, -1) {
				changed := line[:at[0]] + m.with(line[at[0]:at[1]]) + line[at[1]:]
				if changed == line {
					continue
				}
				broken := slices.Clone(lines)
				broken[n] = changed
				out = append(out, mutant{strings.Join(broken, "\n"), strings.TrimSpace(changed), n + 1})
			}
		}
	}
	return out
}

// noticed reports whether any scenario fails with these rules.
func noticed(files []string, scenarios map[string][]byte, docs []rules.Document) bool {
	for _, file := range files {
		if _, err := play.Run(file, scenarios[file], func(string) ([]rules.Document, error) { return docs, nil }); err != nil {
			return true
		}
	}
	return false
}
