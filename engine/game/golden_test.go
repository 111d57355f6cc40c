package game

import (
	"encoding/hex"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"peernomic/engine/ledger"
	"peernomic/engine/rules"
	"peernomic/engine/rulesets"
)

var newGolden = flag.String("new-golden", "", "write a golden game, by the name of its story")

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
			want, err := os.ReadFile(strings.TrimSuffix(file, ".game") + ".digest")
			must(t, err)
			g := readGolden(t, file)
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

// stories are the golden games that can be written, with the ruleset that each is founded with.
var stories = map[string]struct {
	ruleset string
	tell    func(*story)
}{
	"dragons-1":        {"dragons", (*story).evening},
	"dragons-dynasty":  {"dragons", (*story).dynasty},
	"infected-dynasty": {"infected", (*story).infection},
}

// story is a golden game while it is made.
type story struct {
	*table
}

// readGolden replays a golden game.
func readGolden(t *testing.T, file string) *Game {
	t.Helper()
	b, err := os.ReadFile(file)
	must(t, err)
	chapters, err := ledger.ReadArchive(b)
	must(t, err)
	must(t, VerifySeams(chapters))
	g := FromReplica(chapters[len(chapters)-1])
	g.Advance(0)
	must(t, g.Broken())
	return g
}

// playedGolden replays a golden game, and counts the actions of each name that were accepted.
func playedGolden(t *testing.T, name string) (g *Game, done map[string]int) {
	t.Helper()
	g = readGolden(t, filepath.Join("testdata/golden", name+".game"))
	done = map[string]int{}
	for _, e := range g.World().Log() {
		if e.Refused == nil {
			done[e.Action]++
		}
	}
	return g, done
}

// writeGolden plays a story and keeps it. It writes over none that is kept.
func writeGolden(t *testing.T, name string) {
	t.Helper()
	told, ok := stories[name]
	if !ok {
		t.Fatalf("there is no story %q", name)
	}
	base := filepath.Join("testdata", "golden", name)
	if _, err := os.Stat(base + ".game"); err == nil {
		t.Fatalf("%s exists, and golden games never change", base)
	}
	docs, err := rulesets.Load(told.ruleset)
	must(t, err)
	var founding []ledger.Document
	for _, d := range docs {
		founding = append(founding, ledger.Document{Path: d.Path, Text: d.Text})
	}
	s := &story{newTableOf(t, 4, founding)}
	told.tell(s)
	keep(t, name, s.full)
}

// do carries out an action a minute later, with whatever dice fall.
func (s *story) do(device int, name string, args map[string]any) {
	s.t.Helper()
	s.now += 60_000
	s.actWith(device, name, args)
	s.seal()
	entries := s.full.Entries()
	if refused := entries[len(entries)-1].Outcome.Refused; refused != nil {
		s.t.Fatalf("%s: %v", name, refused)
	}
}

// wait lets time pass.
func (s *story) wait(hours int64) {
	s.now += hours * 3600_000
	s.seal()
}

// arrive lets everybody in.
func (s *story) arrive() {
	for device, name := range []string{"", "Bo", "Cy", "Di"} {
		if name != "" {
			s.do(device, "Introduce yourself", map[string]any{"name": name})
			s.do(0, "Admit", map[string]any{"player": int64(device + 1)})
		}
	}
	for device := 1; device < 4; device++ {
		s.do(device, "Adopt", map[string]any{"name": []string{"", "Smaug", "Fafnir", "Glaurung"}[device], "color": []string{"", "Red", "Black", "Purple"}[device]})
		s.do(device, "Cookie Allowance", nil)
	}
}

// newest returns the newest post.
func (s *story) newest() rules.PostView {
	posts := s.full.World().Posts()
	return posts[len(posts)-1]
}

// pass has everybody vote for a Proposal and enacts it.
func (s *story) pass(author int, title string, amendments []any) {
	s.do(author, "Propose", map[string]any{"title": title, "body": "It should be remembered that one stretches first.", "amendments": amendments})
	post := s.newest()
	for device := range 4 {
		if device != author {
			s.do(device, "Vote", map[string]any{"post": post.ID, "icon": "FOR", "seen": post.Fingerprint})
		}
	}
	s.wait(12)
	s.do(0, "Enact", map[string]any{"post": post.ID})
}

// train lets everybody with a dragon train on some days.
func (s *story) train(days int) {
	for day := range days {
		for device := range 4 {
			method := []string{"Aerobics", "Weight Training", "Obstacle Course", "Hunting Expedition", "Ritual of Power"}[(day+device)%5]
			if s.open(device, method) {
				s.do(device, method, nil)
			}
		}
		s.wait(24)
	}
}

// open reports whether an action is open to the person of a device.
func (s *story) open(device int, name string) bool {
	for _, a := range s.full.World().Actions(int64(device + 1)) {
		if a.Name == name {
			return a.Refused == nil
		}
	}
	return false
}

// evening is an amendment and five days of training.
func (s *story) evening() {
	s.arrive()
	rule, ok := s.full.World().RuleTitled("Aerobics")
	if !ok {
		s.t.Fatal("there is no rule to amend")
	}
	s.pass(1, "Stretching", []any{map[string]any{
		"op": "amend", "rule": rule.Heading, "base": rule.Fingerprint, "text": strings.Replace(rule.Text, "\n\n", "\n\nStretch first.\n\n", 1)}})
	s.train(5)
}
