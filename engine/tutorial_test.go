package engine_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"peernomic/engine/lint"
	"peernomic/engine/rules"
	"peernomic/engine/rules/document"
	"peernomic/engine/rulesets"
	"peernomic/engine/scenario"
)

// example is a fenced block of a document.
type example struct {
	line int // of its first line of text
	info string
	text string
}

// examples returns the fenced blocks of a document.
func examples(t *testing.T, path string) []example {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var out []example
	var fence string
	for n, line := range strings.SplitAfter(string(text), "\n") {
		ticks := line[:len(line)-len(strings.TrimLeft(line, "`"))]
		switch {
		case fence == "" && len(ticks) >= 3 && !strings.Contains(line[len(ticks):], "`"):
			fence = ticks
			out = append(out, example{line: n + 2, info: strings.TrimSpace(line[len(ticks):])})
		case fence != "" && strings.TrimSpace(line) == fence:
			fence = ""
		case fence != "":
			out[len(out)-1].text += line
		}
	}
	return out
}

// Every rule of the tutorial loads, each of its scenarios holds with the rule that stands before
// it, the last rule has no findings, and the check says of the broken one what the tutorial says.
func TestTutorial(t *testing.T) {
	const file = "1-core/01-snails.md"
	var docs []document.Document
	var scenarios []lint.Scenario
	var said string
	seen := map[string]int{}
	load := func(string) ([]document.Document, error) { return docs, nil }
	for _, e := range examples(t, "../docs/first-rule.md") {
		seen[e.info]++
		at := fmt.Sprintf("first-rule.md:%d", e.line)
		switch e.info {
		case "markdown":
			docs = []document.Document{{Path: file, Text: e.text}, {Path: "ruleset.md", Text: "# Snail races\n"}}
			if _, err := rules.Found(rules.Founding{Documents: docs, Time: 1, Founder: "Kim"}); err != nil {
				t.Errorf("%s: %v", at, err)
			}
		case "play":
			report, err := scenario.Run(at, []byte(strings.Repeat("\n", e.line-1)+e.text), load)
			if err != nil || report.Checks == 0 {
				t.Errorf("%s: %d checks, %v", at, report.Checks, err)
			}
			scenarios = append(scenarios, lint.Scenario{Path: at, Source: []byte(e.text)})
		case "markdown broken":
			var b strings.Builder
			for _, f := range lint.Ruleset([]document.Document{{Path: file, Text: e.text}}, nil, load).Findings {
				fmt.Fprintf(&b, "my-game/%s\n", f)
			}
			said = b.String()
		case "text":
			if e.text != said {
				t.Errorf("%s: it says\n%s", at, said)
			}
		default:
			t.Errorf("%s: nobody tries out a block %q", at, e.info)
		}
	}
	if seen["markdown"] < 4 || seen["play"] < 3 || seen["text"] != 1 {
		t.Fatalf("the tutorial has these blocks: %v", seen)
	}
	for _, f := range lint.Ruleset(docs, scenarios[2:], load).Findings {
		t.Error(f)
	}
	for _, name := range rulesets.Names() {
		own, err := rulesets.Load(name)
		if err != nil {
			t.Fatal(err)
		}
		w, err := rules.Found(rules.Founding{Documents: own, Time: 1_767_607_200_000, Founder: "Kim"})
		if err != nil {
			t.Fatal(err)
		}
		if refused := w.Check([]any{map[string]any{"op": "enact", "section": int64(1), "text": docs[0].Text}}); refused != nil {
			t.Errorf("the rule cannot be enacted in a game of %s: %v", name, refused)
		}
	}
}
