package ui

import (
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/maxence-charriere/go-app/v9/pkg/app"
)

func TestDocumentsComeApartAndTogether(t *testing.T) {
	for _, doc := range []string{
		"# A\n\nProse.\n\n```starlark\nx = 1\n```\n",
		"# A\n\nProse only.\n",
		"# A\n\nTwo\n\nparagraphs.\n\n```starlark\ndef f():\n    return 1\n\ng = f()\n```\n",
	} {
		if !simpleDocument(doc) {
			t.Errorf("%q cannot be edited beside each other", doc)
		}
		prose, script := splitDocument(doc)
		if got := joinDocument(prose, script); got != doc {
			t.Errorf("%q comes back as %q", doc, got)
		}
		if script == "" {
			continue
		}
		line := strings.Split(doc, "\n")[scriptLine(prose)-1]
		if want, _, _ := strings.Cut(script, "\n"); line != want {
			t.Errorf("line %d of %q is %q, not the script's first", scriptLine(prose), doc, line)
		}
	}
	for _, doc := range []string{
		"# A\n\n```starlark\nx = 1\n```\n\nProse after.\n",
		"# A\n\n```starlark\nx = 1\n```\n\n```starlark\ny = 1\n```\n",
		"# A\n\n```starlark\nnever closed\n",
	} {
		if simpleDocument(doc) {
			t.Errorf("%q would lose its order", doc)
		}
	}
}

func TestAddresses(t *testing.T) {
	for _, c := range []struct {
		url  string
		want Address
	}{
		{"/", Address{Page: "home"}},
		{"/found", Address{Page: "found"}},
		{"/g/ab", Address{Room: "ab", Page: "now"}},
		{"/g/ab/matters/12", Address{Room: "ab", Page: "matters", Arg: "12"}},
		{Path("ab", "rules", "Call for Judgment / 100%?"), Address{Room: "ab", Page: "rules", Arg: "Call for Judgment / 100%?"}},
		{Path(RoomAt("ab", 12), "tracker"), Address{Room: "ab@12", Page: "tracker"}},
		{"/a/b/c", Address{Page: "lost"}},
		{Path("ab", "boards", "battle", "3"), Address{Room: "ab", Page: "boards", Arg: "battle/3"}},
		{"/g/a/b/c/d/e", Address{Page: "lost"}},
	} {
		u, err := url.Parse("https://x.example" + c.url)
		if err != nil {
			t.Fatal(err)
		}
		got := ParseAddress(u)
		if got.Page != c.want.Page || got.Room != c.want.Room || got.Arg != c.want.Arg {
			t.Errorf("%s is %+v", c.url, got)
		}
	}
}

func TestInvitations(t *testing.T) {
	for _, text := range []string{"https://h.example/#/join/SECRET", " https://h.example/#/join/SECRET\n", "SECRET", "SECRET/"} {
		if got := secretOf(text); got != "SECRET" {
			t.Errorf("%q gives %q", text, got)
		}
	}
	u, _ := url.Parse("https://h.example/#/join/SECRET")
	if s, ok := inviteSecret(u); !ok || s != "SECRET" {
		t.Errorf("got %q", s)
	}
	u, _ = url.Parse("https://h.example/#/other")
	if _, ok := inviteSecret(u); ok {
		t.Error("another fragment passes for an invitation")
	}
}

func TestSpansInWords(t *testing.T) {
	for ms, want := range map[int64]string{
		1: "1 second", 59_000: "59 seconds", 60_000: "1 minute", 45 * 60_000: "45 minutes", 3_600_000: "1 hour",
		5_400_000: "1 h 30 min", 11 * 3_600_000: "11 hours", 47 * 3_600_000: "47 hours", 72 * 3_600_000: "3 days",
	} {
		if got := span(ms); got != want {
			t.Errorf("%d ms is %q, not %q", ms, got, want)
		}
	}
}

func TestBadgeWordsDiffer(t *testing.T) {
	seen := map[string]bool{}
	for _, w := range badgeList {
		if seen[w] || w == "" {
			t.Errorf("%q stands twice", w)
		}
		seen[w] = true
	}
	if a, b := BadgeWords("00010203"), BadgeWords("00010204"); strings.Join(a, " ") == strings.Join(b, " ") {
		t.Error("different digests have the same words")
	}
	if w := BadgeWords("nonsense"); w[0] != "no" {
		t.Errorf("nonsense reads %v", w)
	}
}

func TestAmendments(t *testing.T) {
	w := &Workshop{Tables: []Table{{Name: "players", Columns: []Column{{Name: "cookies", Kind: "integer", Min: bound(0)}}}}}
	source := RuleSource{Title: "Aerobics", Fingerprint: "f", Text: "# Aerobics\n\nOld.\n"}
	c := amendChange(source)
	if _, missing := c.amendment(w); missing == "" {
		t.Error("a change that changes nothing is complete")
	}
	c.Prose = "# Aerobics\n\nNew."
	m, missing := c.amendment(w)
	if missing != "" || m["op"] != "amend" || m["rule"] != "Aerobics" || m["base"] != "f" || m["text"] != "# Aerobics\n\nNew.\n" {
		t.Errorf("%v, %q", m, missing)
	}
	set := &change{Kind: "set", Table: "players", Row: 3, Column: "cookies", Value: "30"}
	if m, missing := set.amendment(w); missing != "" || m["value"] != int64(30) || m["row"] != int64(3) {
		t.Errorf("%v, %q", m, missing)
	}
	set.Value = "-1"
	if _, missing := set.amendment(w); missing == "" {
		t.Error("an illegal value is complete")
	}
}

// Whoever looks at the past stays on the page and at the moment, and finds the way back.
func TestMoments(t *testing.T) {
	for _, room := range []string{"ab", "ab@12"} {
		r := &root{addr: Address{Room: room, Page: "rules", Arg: "Duels"}}
		for at, want := range map[int]string{3: "/g/ab@3/rules/Duels", 20: "/g/ab/rules/Duels"} {
			if got := r.atMoment(at, 20); got != want {
				t.Errorf("from %s to %d is %s", room, at, got)
			}
		}
	}
	for text, want := range map[string]int{"ab": 0, "ab@7": 7, "ab@x": 0, "ab@-2": 0} {
		if id, at := SplitRoom(text); id != "ab" || at != want {
			t.Errorf("%s is %s at %d", text, id, at)
		}
	}
}

func TestPlotsAreReadable(t *testing.T) {
	if got := spread([]int{100, 104, 20, 101}, 16); !slices.Equal(got, []int{100, 132, 20, 116}) {
		t.Errorf("names stand at %v", got)
	}
	if got := spread([]int{plotBottom, plotBottom}, 16); got[1] != plotBottom || got[0] != plotBottom-16 {
		t.Errorf("at the bottom they stand at %v", got)
	}
	v := &Plot{Title: "Flame", From: 0, To: 100, Lines: []PlotLine{
		{Label: "Ember", Points: []PlotPoint{{0, 5}, {50, 25}}}, {Label: "Slate", Points: []PlotPoint{{20, 5}}}}}
	got := app.HTMLString(plotView(v))
	// The scale begins at 0; at half of the time Ember goes up to the top.
	for _, want := range []string{`d="M40 171H190V14H340"`, `d="M100 171H340"`, "Ember 25", "Ember: from 5 to 25 in 1 change.", "Slate: from 5 to 5 in 0 changes."} {
		if !strings.Contains(got, want) {
			t.Errorf("the plot has no %s:\n%s", want, got)
		}
	}
}
