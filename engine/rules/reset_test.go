package rules

import (
	"strings"
	"testing"

	"peernomic/engine/rules/document"
)

// reset can be held to what some rules declared, and to the game.
func TestResetOfRules(t *testing.T) {
	script := func(s string) string { return "\n\n```starlark\n" + s + "\n```\n" }
	w, err := Found(Founding{Founder: "Ana", Documents: []document.Document{
		{Path: "1-core/01-all.md", Text: "# All" + script(`
column("gold", integer(), default=1)
variable("sun", integer(), default=1)
def spoil(me):
    me.gold = 5
    me.eggs = 5
    game.sun = 5
    game.moon = 5
action("Spoil", run=spoil)
def tidy(me):
    reset(me, rules=["Other"])
    reset(game, rules=["Other"])
action("Tidy", run=tidy)
action("Wrong", run=lambda me: reset(3))
`)},
		{Path: "1-core/02-other.md", Text: "# Other" + script(`
column("eggs", integer(), default=2)
variable("moon", integer(), default=2)
`)},
	}})
	if err != nil {
		t.Fatal(err)
	}
	w.mustDo(t, 1, "Spoil", nil)
	w.mustDo(t, 1, "Tidy", nil)
	for name, want := range map[string]int64{"gold": 5, "eggs": 2} {
		if got, _ := w.Cell(tablePlayers, 1, name); got != want {
			t.Errorf("%s is %v, want %d", name, got, want)
		}
	}
	for name, want := range map[string]int64{"sun": 5, "moon": 2} {
		if got, _ := w.GameCell(name); got != want {
			t.Errorf("%s is %v, want %d", name, got, want)
		}
	}
	if out := w.Do(Act{Player: 1, Name: "Wrong", Time: w.Now()}); out.Refused == nil || !strings.Contains(out.Refused.Reason, "a row or the game") {
		t.Errorf("what is no row: %v", out.Refused)
	}
}

// What wait() returns is a reason for refuse(), with its time.
func TestRefuseForAWait(t *testing.T) {
	w := found(t, `
def later(me):
    return wait("not yet", until=now() + hours(1))
action("Try", run=lambda me: refuse(later(me)))
`)
	out := w.Do(Act{Player: 1, Name: "Try", Time: w.Now()})
	if out.Refused == nil || out.Refused.Reason != "not yet" || out.Refused.Until != testTime+3_600_000 {
		t.Errorf("got %+v", out.Refused)
	}
}

// Flavour goes with a post and is no part of it.
func TestFlavourIsNoPartOfAPost(t *testing.T) {
	w := found(t, `
category("Talk")
action("Say", run=lambda me: [post("Talk", "Hello", "All."), post("Talk", "Hello", "All.", flavour="Ha!")])
`)
	w.mustDo(t, 1, "Say", nil)
	posts := w.Posts()
	if posts[0].Flavour != "" || posts[1].Flavour != "Ha!" || posts[0].Fingerprint != posts[1].Fingerprint {
		t.Errorf("the posts are %+v", posts)
	}
}
