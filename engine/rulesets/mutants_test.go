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

	"peernomic/engine/rules/document"
	"peernomic/engine/scenario"
)

var (
	mutants   = flag.String("mutants", "", `break the rules whose path matches, one place at a time, and see that a scenario fails: go test -v -run Mutants -mutants dragons/1-core -timeout 0`)
	scenarios = flag.String("scenarios", "", `ask only the scenarios whose path matches`)
)

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
	// An action is open to everybody, or its amendments are not looked at.
	{regexp.MustCompile(`^ +(who|guard|every|choices)=.*,$`), func(string) string { return "" }},
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
	which, asked := regexp.MustCompile(*mutants), regexp.MustCompile(*scenarios)
	for _, name := range Names() {
		docs, err := Load(name)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.ContainsFunc(docs, func(d document.Document) bool { return which.MatchString(name + "/" + d.Path) }) {
			continue
		}
		files, err := filepath.Glob(name + "/play/*.play")
		if err != nil {
			t.Fatal(err)
		}
		files = slices.DeleteFunc(files, func(file string) bool { return !asked.MatchString(file) })
		sources := map[string][]byte{}
		for _, file := range files {
			if sources[file], err = os.ReadFile(file); err != nil {
				t.Fatal(err)
			}
		}
		if noticed(files, sources, docs) {
			t.Fatalf("a scenario of %s fails with the rules as they are", name)
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
				if !noticed(files, sources, broken) {
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
				if changed == line || inText(line, at[0]) || strings.HasSuffix(line[:at[0]], "max=") {
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

// inText reports whether a place of a line lies in a text, where a change would be one of
// wording only.
func inText(line string, at int) bool {
	return strings.Count(line[:at], `"`)%2 == 1
}

// noticed reports whether any scenario fails with these rules. The one that does is asked first the
// next time, as it will notice more of what is near.
func noticed(files []string, sources map[string][]byte, docs []document.Document) bool {
	for i, file := range files {
		if _, err := scenario.Run(file, sources[file], func(string) ([]document.Document, error) { return docs, nil }); err != nil {
			copy(files[1:i+1], files[:i])
			files[0] = file
			return true
		}
	}
	return false
}
