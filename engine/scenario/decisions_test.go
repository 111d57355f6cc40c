package scenario

import (
	"strings"
	"testing"

	"peernomic/engine/rules/document"
)

const choosing = `# All

Everything.

` + "```starlark" + `
column("luck", integer())
def chosen(args):
    find("players", id=args["me"]).luck = 7 if args["choice"] == True else 1
handler("chosen", chosen)
def toss(me, about):
    offer(me, about + " again?", [(True, "yes"), (False, "no, thanks")], "chosen", until=now() + hours(2), otherwise=False, args={"me": me.id})
action("Toss", run=toss, params=[param("about", text())])
` + "```\n"

// Scenarios answer what waits by labels, and say what must wait.
func TestScenarioDecides(t *testing.T) {
	load := func(string) ([]document.Document, error) {
		return []document.Document{{Path: "ruleset.md", Text: "# T\n\nT."}, {Path: "1-core/section.md", Text: "# Core"}, {Path: "1-core/01-all.md", Text: choosing}}, nil
	}
	head := "ruleset t\nat 2026-01-05 10:00\nplayers Ana Bo\n"
	for _, c := range []struct{ steps, fails string }{
		{`expect no choice Ana`, ""},
		{"Ana: Toss about=Coin\nexpect choice Ana \"coin again\" options=[yes, \"no, thanks\"] until=\"2026-01-05 12:00:00\" otherwise=\"no, thanks\"\nAna: Decide choice=yes\nexpect Ana.luck = 7\nexpect no choice Ana", ""},
		{"Ana: Toss about=Coin\nAna: Toss about=Hat\nrefuse Ana: Decide choice=yes because \"2 choices\"\nAna: Decide decision=\"Hat again?\" choice=\"no, thanks\"\nexpect Ana.luck = 1\nexpect choice Ana \"Coin\"", ""},
		{"Ana: Toss about=Coin\nafter 2h\nexpect Ana.luck = 1\nexpect no choice Ana", ""},
		{`expect choice Ana "coin"`, "nothing to choose"},
		{"Ana: Toss about=Coin\nexpect no choice Ana", `"Coin again?"`},
		{"Ana: Toss about=Coin\nexpect choice Ana \"hat\"", `"Coin again?"`},
		{"Ana: Toss about=Coin\nexpect choice Ana \"coin\" options=[yes]", `options = ["yes", "no, thanks"]`},
		{"Ana: Toss about=Coin\nexpect choice Ana \"coin\" otherwise=yes", `otherwise = "no, thanks"`},
		{"Ana: Toss about=Coin\nexpect choice Ana \"coin\" until=now", `until = "2026-01-05 12:00:00"`},
		{"Ana: Toss about=Coin\nexpect choice Ana \"coin\" colour=red", "options, until and otherwise"},
	} {
		_, err := Run("t.play", []byte(head+c.steps+"\n"), load)
		switch {
		case c.fails == "" && err != nil:
			t.Errorf("%s\n%v", c.steps, err)
		case c.fails != "" && (err == nil || !strings.Contains(err.Error(), c.fails)):
			t.Errorf("%s\nfailed with %v, want %s", c.steps, err, c.fails)
		}
	}
}
