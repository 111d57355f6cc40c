package game

import (
	"encoding/hex"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"peernomic/engine/ledger"
	"peernomic/engine/rulesets"
)

var newGolden = flag.String("new-golden", "", "write a golden game of a shipped ruleset: its name")

// TestGoldenGames replays whole games that were played before, rules and all, and compares
// their digests. A golden game may be added; one that exists must never come out
// differently, on any platform: games that people play would not replay either.
func TestGoldenGames(t *testing.T) {
	if *newGolden != "" {
		writeGolden(t, *newGolden)
	}
	files, err := filepath.Glob("testdata/golden/*.game")
	if err != nil || len(files) == 0 {
		t.Fatalf("no golden games: %v", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			b, err := os.ReadFile(file)
			must(t, err)
			want, err := os.ReadFile(strings.TrimSuffix(file, ".game") + ".digest")
			must(t, err)
			replica, err := ledger.ReadArchive(b)
			must(t, err)
			g := FromReplica(replica)
			g.Advance(0)
			must(t, g.Broken())
			for _, e := range g.Entries() {
				if e.Void != nil || e.Outcome != nil && e.Outcome.Refused != nil && e.Outcome.Refused.Code == "script" {
					t.Errorf("action %d of the log: %+v", e.Seq, e.Outcome)
				}
			}
			_, digest := g.Confirmed()
			if got := hex.EncodeToString(digest[:]); got != strings.TrimSpace(string(want)) {
				t.Errorf("digest %s, want %s", got, want)
			}
		})
	}
}

// writeGolden plays an evening of a shipped ruleset and keeps it.
func writeGolden(t *testing.T, ruleset string) {
	t.Helper()
	docs, err := rulesets.Load(ruleset)
	must(t, err)
	var founding []ledger.Document
	for _, d := range docs {
		founding = append(founding, ledger.Document{Path: d.Path, Text: d.Text})
	}
	tb := newTableOf(t, 4, founding)
	do := func(device int, name string, args map[string]any) {
		t.Helper()
		tb.now += 60_000
		tb.actWith(device, name, args)
		tb.seal()
		entries := tb.full.Entries()
		if refused := entries[len(entries)-1].Outcome.Refused; refused != nil {
			t.Fatalf("%s: %v", name, refused)
		}
	}
	for device, name := range []string{"", "Bo", "Cy", "Di"} {
		if name != "" {
			do(device, "Introduce yourself", map[string]any{"name": name})
			do(0, "Admit", map[string]any{"player": int64(device + 1)})
		}
	}
	for device := 1; device < 4; device++ {
		do(device, "Adopt", map[string]any{"name": []string{"", "Smaug", "Fafnir", "Glaurung"}[device], "color": []string{"", "Red", "Black", "Purple"}[device]})
		do(device, "Cookie Allowance", nil)
	}
	rule, ok := tb.full.World().RuleTitled("Aerobics")
	if !ok {
		t.Fatal("there is no rule to amend")
	}
	do(1, "Propose", map[string]any{"title": "Stretching", "body": "It should be remembered that one stretches first.", "amendments": []any{map[string]any{
		"op": "amend", "rule": rule.Heading, "base": rule.Fingerprint, "text": strings.Replace(rule.Text, "\n\n", "\n\nStretch first.\n\n", 1)}}})
	post := tb.full.World().Posts()[len(tb.full.World().Posts())-1]
	for _, device := range []int{0, 2, 3} {
		do(device, "Vote", map[string]any{"post": post.ID, "icon": "FOR", "seen": post.Fingerprint})
	}
	tb.now += 12 * 3600_000
	do(0, "Enact", map[string]any{"post": post.ID})
	for day := range 5 {
		for device := 1; device < 4; device++ {
			do(device, []string{"Aerobics", "Weight Training", "Obstacle Course", "Hunting Expedition", "Ritual of Power"}[(day+device)%5], nil)
		}
		tb.now += 24 * 3600_000
	}
	archive, err := ledger.WriteArchive(tb.full.Replica())
	must(t, err)
	_, digest := tb.full.Confirmed()
	must(t, os.MkdirAll("testdata/golden", 0o755))
	base := filepath.Join("testdata", "golden", ruleset+"-1")
	must(t, os.WriteFile(base+".game", archive, 0o644))
	must(t, os.WriteFile(base+".digest", []byte(hex.EncodeToString(digest[:])+"\n"), 0o644))
}
