package declare

import (
	"fmt"
	"strings"
	"testing"

	"go.starlark.net/starlark"

	"peernomic/engine/rules/sandbox"
)

// load declares for a rule what a script says.
func load(t *testing.T, d *Declarations, rule, script string) (starlark.StringDict, error) {
	t.Helper()
	env := sandbox.Universe()
	Types.AddTo(env)
	Functions.AddTo(env)
	program, err := sandbox.Compile(rule, script, env.Has)
	if err != nil {
		t.Fatal(err)
	}
	thread := sandbox.NewThread(rule, sandbox.NewMeter(sandbox.LoadBudget))
	d.Begin(thread, rule)
	return program.Init(thread, env)
}

func kernel() *Declarations {
	return New([]*Table{{Name: PlayersTable, Kernel: true}, {Name: GameTable, Kernel: true}})
}

func TestScriptsDeclare(t *testing.T) {
	d := kernel()
	if _, err := load(t, d, "Land", `
column("gold", integer(min=0), default=3, illegal="clamp")
variable("price", decimal(2))
table("eggs", [field("weight", integer())])
derived("eggs", "heavy", lambda egg: egg.weight > 9)
def feed(me, egg):
    pass
action("Feed", run=feed, params=[param("egg", row("eggs"))], every=daily(gap=5))
on_change("players.gold", lambda row, old, new: None)
card("eggs", lambda egg: egg)
`); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, l := range d.List() {
		if l.Rule != "" {
			got = append(got, fmt.Sprintf("%s %s %d %v", l.What, l.Name, l.Line, l.Unfit))
		}
	}
	want := "column gold 2 [],variable price 3 [],table eggs 4 [],field weight 4 [],derived heavy 5 [],action Feed 8 [],on_change players.gold 9 [],card eggs 10 []"
	if strings.Join(got, ",") != want {
		t.Errorf("declared are\n%s, want\n%s", strings.Join(got, ","), want)
	}
	if a := d.Action("Feed"); a == nil || a.Every.Share != "Feed" || a.Every.Gap != 5 || a.Every.Words() != "once a day, at least 5ms apart" {
		t.Errorf("the action is %+v", a)
	}
	if err := d.CheckTables(); err != nil {
		t.Error(err)
	}
}

func TestWrongDeclarationsAreRefused(t *testing.T) {
	for script, want := range map[string]string{
		`column("gold", integer())`:                    "gold already",
		`column("id", integer())`:                      "id already",
		`column("Gold", integer())`:                    "small letters",
		`column("coal", integer(min=1), default=0)`:    "default of coal",
		`column("coal", 7)`:                            "must be one such as integer()",
		`column("coal", integer(), illegal="ignore")`:  `must be "refuse" or "clamp"`,
		`table("players", [])`:                         "table players already",
		`action("Decide", run=lambda me: None)`:        `"Decide" already`,
		`action("Go", run=lambda me: None, who="all")`: "who must be",
		`action("Go", run=lambda me: None, every=1)`:   "every must be",
		`measure("Go", run=lambda s: None, params=[param("s", opening(lambda me: None))])`: "a proposal is public",
		`on("noon", lambda: None)`:                              `no event "noon"`,
		`on_change("players.coal", lambda row, old, new: None)`: `no column "players.coal"`,
		`entity("")`:         "a name of 1 to",
		`dice_word("FRUIT")`: "needs faces",
	} {
		d := kernel()
		if _, err := load(t, d, "First", `column("gold", integer())`); err != nil {
			t.Fatal(err)
		}
		if _, err := load(t, d, "Second", script); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", script, err, want)
		}
	}
}

// A function of a rule that runs later has nothing to declare for.
func TestOnlyTheTopOfAScriptDeclares(t *testing.T) {
	globals, err := load(t, kernel(), "Land", "def late():\n    column(\"gold\", integer())\n")
	if err != nil {
		t.Fatal(err)
	}
	thread := sandbox.NewThread("Land", sandbox.NewMeter(sandbox.ActBudget))
	if _, err := sandbox.Call(thread, globals["late"].(starlark.Callable), nil, nil); err == nil || !strings.Contains(err.Error(), "at the top of a rule's script") {
		t.Errorf("it declares: %v", err)
	}
}
