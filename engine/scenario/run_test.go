package scenario

import (
	"errors"
	"strings"
	"testing"

	"peernomic/engine/rules/document"
)

// tiny is a ruleset with one of everything that the runner talks about.
var tiny = []document.Document{{Path: "1-core/01-shells.md", Text: `# Shells

Everybody has {{shells}}.

` + "```starlark" + `
column("shells", integer(min=0), default=3)
variable("tide", integer(), default=0)
table("crabs", columns=[field("owner", player()), field("name", text()), field("legs", integer(), default=8)])
category("Idea")
matter("Idea", assess=lambda p: {"status": "Pending", "tally": {"FOR": len(comments(p))}, "quorum": 2, "electorate": 3,
    "votes": [{"player": p.author, "icon": "", "counts": "FOR", "why": "author"}],
    "ways": [{"can": "Enact", "open": len(comments(p)) > 1, "why": "two are needed", "rule": "Shells"}], "next": "One more."})
icon("FOR", glyph="check")
keyword("Player", "Crab", "Crabs")
live("shells", lambda: "shells" if game.tide < 99 else game.tide)
option("sea", default="calm")
page("beach", title="Beach", show=lambda: "All " + option_value("sea"))
card("crabs", lambda c: face(c.name, subtitle="a crab", text="walks sideways", stats={"Legs": 8}, meters=[meter("Shell", 4, 5)], parts=["It is shy."]))
board("rock", lambda me: place([row for row in rows("crabs")] + [meter("Tide", game.tide, 20), deeds(["Wait for the tide"])], title="The rock of %s" % me.name, until=now() + hours(1)))
board("nest", lambda crab, me: "%s looks at %s" % (me.name, crab.name), of="crabs")
waits(lambda me: [due("Ebb comes", "Pack up.", until=now() + hours(1), on="rock")] if me.shells < 3 else [])

recognise(lambda amendments: ["%d changes to the shore" % len(amendments)])

def throw(me, shells):
    if shells > me.shells:
        refuse("so many shells you have not", until=now() + hours(2))
    me.shells -= shells
    me.shells += dice(shells, 6)
    note("splash")

def think(me, title, amendments=None):
    post("Idea", title, amendments=amendments or [])

def nod(me, post):
    comment(post, "yes", icon="FOR")

def carry_out(me, post):
    apply(post.amendments)

def ebb(args):
    game.tide = roll(20)

def wait_for_tide(me):
    schedule(now() + hours(1), "ebb")

handler("ebb", ebb)
action("Throw", run=throw, params=[param("shells", integer())])
action("Think", run=think, params=[param("title", text()), param("amendments", amendments(), optional=True)])
action("Nod", run=nod, params=[param("post", row("posts"), choices=lambda me: rows("posts"))])
action("Carry out", run=carry_out, params=[param("post", row("posts"))])
action("Wait for the tide", run=wait_for_tide, guard=lambda me: "the moon is up" if game.tide else None)
measure("Give", run=lambda to, shells: setattr(to, "shells", shells), params=[param("to", player()), param("shells", integer())])
` + "```\n"}}

func loadTiny(name string) ([]document.Document, error) {
	if name != "tiny" {
		return nil, errors.New("there is only tiny")
	}
	return tiny, nil
}

const head = "ruleset tiny\nat 2026-01-05 10:00\nplayers Kim Ana Bo\n"

func TestRun(t *testing.T) {
	source := `ruleset tiny
option sea=rough
at 2026-01-05 10:00
players Kim "Ana Maria" Bo
stranger Zed
expect Zed.standing = stranger
expect page beach contains "rough" lacks "calm"
create crabs owner="Ana Maria" name=Scuttle
expect board rock Bo contains "The rock of Bo" contains "(until 2026-01-05" contains "Scuttle" contains "a crab" contains "walks sideways"
expect board rock Bo contains "Legs 8" contains "Shell 4 of 5" contains "It is shy." contains "Tide 0 of 20" contains "Wait for the tide" lacks "Ana Maria"
expect board nest/1 "Ana Maria" contains "Ana Maria looks at Scuttle"
remove crabs[name=Scuttle]
expect waits Bo lacks "Ebb"
"Ana Maria": Throw shells=2 dice=6,1 -> thrown
expect "Ana Maria" shells=8 shells!=7 shells>7 shells>=8 shells<9 shells<=8 name~"maria" name!~"bo"
expect rolls 6/6 1
expect log contains "splash" contains "3 -> 1" lacks "boat"
refuse Bo: Throw shells=4 because "so many" "until 2026-01-05 12:00"
expect log $thrown contains "Ana Maria"
let before = Bo.shells
expect Kim.shells = $before
set Bo.shells = 9
expect Bo.shells = 9
create crabs owner=Bo name="Pinch"
create crabs owner=Kim name="Nip"
expect crabs[owner=Bo] name="Pinch" owner=Bo
expect count crabs[] = 2
expect no crabs[owner="Ana Maria"]
remove crabs[name=Nip]
expect count crabs[] = 1
Bo: Think title="More" amendments=<<END
measure Give to=Kim shells=50
set crabs[owner=Bo].name = "Claw"
create crabs name="Snap"
amend "Shells" replace "Everybody has" with "Nobody has"
amend "Shells" replace "default=3" with "default=4"
replace "shells}}." with "shells}} now." in "Shells"
gain each crabs[owner=Bo].legs by 1
lose Bo.shells by 1
multiply each crabs[].legs by 2
enact section=1 after="Shells"
| # Sand
| There is sand.
keyword Player one=Gull many=Gulls
END
expect post "More" author=Bo
expect no post "Less"
expect tally "More" FOR=0 quorum=2 electorate=3 votes=1
expect vote "More" Bo counts=FOR why~"author"
expect way "More" Enact closed because "two"
expect next "More" contains "One more"
expect choices Kim: Nod post = [More]
expect choices Kim: Nod post ~ More
Kim: Nod post="More"
Bo: Nod post=More
expect comment "More" Kim icon=FOR text="yes"
expect way "More" Enact open
Kim: Carry out post="More"
expect Kim.shells = 50
expect crabs[name=Claw] owner=Bo legs=18
expect crabs[name=Snap].legs = 16
expect Bo.shells = 8
expect count crabs[name=Snap] = 1
expect rule "Shells" contains "Nobody has shells" contains "shells now." lacks "Everybody has"
expect rule "Sand" number=1.2
expect no rule "Mud"
expect open Bo: Wait for the tide
Bo: Wait for the tide
after 59m59s999ms
expect game.tide = 0
after 1ms dice=17
expect game.tide = 17
expect closed Bo: Wait for the tide because "the moon"
`
	report, err := Run("story.play", []byte(source), loadTiny)
	if err != nil {
		t.Fatal(err)
	}
	if report.Checks < 30 || report.Steps <= report.Checks {
		t.Errorf("report %+v", report)
	}
}

// A step that does not hold is told with file, line, what was expected and what was found.
func TestRunFails(t *testing.T) {
	for _, c := range []struct{ name, step, expected, found string }{
		{"value", "expect Ana.shells = 4", "shells = 4", "shells = 3"},
		{"order", "expect Ana.shells > 3", "shells > 3", "shells = 3"},
		{"text", "expect Ana.name ~ \"x\"", "name ~ \"x\"", "name = \"Ana\""},
		{"count", "expect count crabs[] = 1", "rows of crabs = 1", "rows of crabs = 0"},
		{"column", "expect Ana.pearls = 1", "", "no column pearls"},
		{"table", "expect count pearls[] = 1", "", "no table pearls"},
		{"nobody", "Mo: Throw shells=1", "", "nobody called Mo"},
		{"several", "expect players[standing=player].name = Ana", "", "3 rows"},
		{"refused", "Ana: Throw shells=9", "", "refused: so many shells"},
		{"done", "refuse Ana: Throw shells=0 because \"so many\"", "a refusal because \"so many\"", "it was done"},
		{"other reason", "refuse Ana: Throw shells=9 because \"tired\"", "a refusal because \"tired\"", "so many shells"},
		{"too few dice", "Ana: Throw shells=2 dice=1", "", "add dice="},
		{"too few dice in a refusal", "refuse Ana: Throw shells=2 dice=1 because \"dice\"", "", "add dice="},
		{"too many dice", "Ana: Throw shells=1 dice=1,2", "", "1 dice were rolled, and 2 are given"},
		{"die out of range", "Ana: Throw shells=1 dice=7", "", "a DICE6 cannot show 7"},
		{"rolls", "Ana: Throw shells=1 dice=1\nexpect rolls 2", "rolls 2", "rolls 1/6"},
		{"sides", "Ana: Throw shells=1 dice=1\nexpect rolls 1/8", "rolls 1/8", "rolls 1/6"},
		{"log", "Ana: Throw shells=0\nexpect log contains \"boat\"", "boat", "splash"},
		{"page", "expect page beach contains \"rough\"", "rough", "All calm"},
		{"board", "expect board rock Ana contains \"sand\"", "sand", "The rock of Ana"},
		{"no board", "expect board sand Ana contains \"x\"", "", "there is no board \"sand\""},
		{"no row of a board", "expect board nest/3 Ana contains \"x\"", "", "there is no board \"nest/3\""},
		{"waits", "set Ana.shells = 1\nexpect waits Ana lacks \"Ebb comes: Pack up. (until 2026-01-05\"", "Ebb comes", "Ebb comes"},
		{"recognised", "Ana: Think title=T\nexpect recognised T contains \"2 changes\"", "2 changes", "0 changes to the shore"},
		{"live text", "set game.tide = 99\nAna: Throw shells=0", "", "then the prose cannot be shown: {{shells}}: Shells, line 15: a text is needed, not int"},
		{"rule", "expect rule \"Shells\" contains \"sand\"", "sand", "Everybody"},
		{"rule, not its script", "expect rule \"Shells\" contains \"schedule(\"", "schedule(", "Everybody"},
		{"rule's script", "expect rule \"Shells\" script~\"boat\"", "boat", "schedule("},
		{"rule number", "expect rule \"Shells\" number=1.2", "number 1.2", "number 1.1"},
		{"no rule", "expect no rule \"Shells\"", "no such rule", "1.1 Shells"},
		{"post", "expect post \"More\" status=x", "", "no post"},
		{"no post", "Ana: Think title=More\nexpect no post \"More\"", "no such post", "post"},
		{"way", "Ana: Think title=More\nexpect way \"More\" Enact open", "open", "closed: two"},
		{"way's reason", "Ana: Think title=More\nexpect way \"More\" Enact closed because \"three\"", "three", "two"},
		{"tally", "Ana: Think title=More\nexpect tally \"More\" FOR=1", "FOR = 1", "FOR = 0"},
		{"tally's key", "Ana: Think title=More\nexpect tally \"More\" MAYBE=1", "", "no MAYBE"},
		{"vote", "Ana: Think title=More\nexpect vote \"More\" Ana counts=AGAINST", "AGAINST", "FOR"},
		{"open", "expect closed Ana: Throw", "closed", "open"},
		{"closed", "set game.tide = 1\nexpect open Ana: Wait for the tide", "open", "the moon"},
		{"closed why", "set game.tide = 1\nexpect closed Ana: Wait for the tide because \"sun\"", "sun", "the moon"},
		{"choices", "expect choices Ana: Nod post = [More]", "More", ""},
		{"action", "expect open Ana: Fly", "", "no action"},
		{"variable", "expect Ana.shells = $gone", "", "$gone"},
		{"set", "set Ana.shells = -1", "", "below 0"},
		{"timer", "Ana: Wait for the tide\nafter 1h", "", "add dice="},
		{"idle dice", "after 1h dice=3", "", "0 dice were rolled"},
		{"clock", "at 2026-01-05 09:00", "", "cannot go back"},
		{"replacement", "Ana: Think title=T amendments=<<END\namend \"Shells\" replace \"nowhere\" with \"x\"\nEND", "", "0 times"},
		{"no amendment", "Ana: Think title=T amendments=<<END\namend \"Sand\" replace \"x\" with \"y\"\nEND", "", "no rule"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Run("story.play", []byte(head+c.step+"\n"), loadTiny)
			var f *Failure
			if !errors.As(err, &f) {
				t.Fatalf("error %v, want a failure", err)
			}
			steps := strings.Split(c.step, "\n")
			want := 3 + len(steps)
			if strings.Contains(c.step, "<<") {
				want = 4
			}
			if f.Line != want || f.File != "story.play" {
				t.Errorf("at %s:%d, want line %d", f.File, f.Line, want)
			}
			if !strings.Contains(f.Expected, c.expected) || c.expected == "" && f.Expected != "" {
				t.Errorf("expected %q, want %q", f.Expected, c.expected)
			}
			if !strings.Contains(f.Found, c.found) {
				t.Errorf("found %q, want %q", f.Found, c.found)
			}
			if !strings.HasPrefix(f.Error(), "story.play:") {
				t.Errorf("message %q", f.Error())
			}
		})
	}
}

func TestRunBegins(t *testing.T) {
	for _, c := range []struct{ source, want string }{
		{"players Kim", "which ruleset"},
		{"ruleset tiny\nplayers Kim", "when?"},
		{"ruleset huge\nat 2026-01-05\nplayers Kim", "only tiny"},
		{"Ana: Throw", "nobody plays yet"},
		{"option sea=calm", "between ruleset and players"},
		{head + "option sea=calm", "between ruleset and players"},
	} {
		_, err := Run("story.play", []byte(c.source), loadTiny)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: error %v, want %q", c.source, err, c.want)
		}
	}
	var syntax *SyntaxError
	if _, err := Run("story.play", []byte("wibble"), loadTiny); !errors.As(err, &syntax) || !strings.HasPrefix(err.Error(), "story.play: line 1") {
		t.Errorf("error %v, want a syntax error", err)
	}
}
