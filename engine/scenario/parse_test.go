package scenario

import (
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"
)

const sample = `# A scenario that uses every step.
ruleset dragons
option head=none
at 2026-01-05 10:00:01.500
players Kim "Ana Maria" Bo   # three
stranger Zed
Ana: Aerobics dice=1,5 dragon=Smaug -> fed
refuse Bo: Retreat! because "not \"now\"" "turn"
after 1d12h30m dice=3
after 500ms
Ana: Propose title="Proposal: A # B" body=<<X amendments=<<END
It does
# no comment
X
enact section=2 parent="Training" # here
| # Flags
|
|   indented
amend "Cookies" replace "30" with "40\n"
amend "Colors" base=abc
| # Colors
repeal "Duels"
move "Moves" section=2 after="Items"
set Ana.cookies = -30
set dragons[owner=Ana, name="Smaug the Red"].flame = 3
create dragons owner=Ana
remove dragons[owner=Ana]
keyword Head one=Warden many=Wardens
measure "Grant admin" player=Ana
END
set game.hiatus = yes
let before = posts[title="Proposal: A"].fingerprint
Bo: Vote seen=$before list=[1, [a, "b"], []]
expect Ana.cookies >= 30
expect dragons[owner=Ana] flame=6 muscle!=5
expect count dragons[] = 1
expect no dragons[owner=Bo]
expect no post "T"
expect post "T" status=Enacted admin_field~"by Kim" body!~"x"
expect comment "T" Ana icon=FOR
expect rule "T" contains "a" lacks "b"
expect rule "T" number=1.1
expect tally "T" FOR=2
expect vote "T" Bo counts=FOR
expect way "T" Enact closed because "12"
expect way "T" Fail open
expect next "T" contains "1 more"
expect open Ana: Make Idle
expect closed Ana: Feed because "no"
expect choices Ana: Make Idle player = [Kim, "Ana Maria"]
expect choices Ana: Make Idle player ~ Kim
expect rolls 2 5/20
expect log contains "x"
expect log $fed contains "x"
expect page eggs contains "x"
`

func TestParse(t *testing.T) {
	script, err := Parse([]byte(sample))
	if err != nil {
		t.Fatal(err)
	}
	if len(script.Steps) != 35 {
		t.Errorf("%d steps, want 35", len(script.Steps))
	}
	at := func(line int) any {
		for _, s := range script.Steps {
			if s.Line == line {
				return s.Do
			}
		}
		t.Fatalf("no step at line %d", line)
		return nil
	}
	want := map[int]any{
		4:  clock{time.Date(2026, 1, 5, 10, 0, 1, 5e8, time.UTC)},
		5:  seats{[]string{"Kim", "Ana Maria", "Bo"}},
		7:  act{who: "Ana", action: "Aerobics", args: []argument{{"dragon", value{kind: word, text: "Smaug"}}}, dice: []uint64{1, 5}, keep: "fed"},
		8:  act{who: "Bo", action: "Retreat!", refused: true, because: []string{`not "now"`, "turn"}},
		9:  passing{for_: 36*time.Hour + 30*time.Minute, dice: []uint64{3}},
		34: expectCell{cell{root: "Ana"}, []test{{"cookies", ">=", value{kind: number, number: 30, text: "30"}}}},
		48: expectAction{who: "Ana", action: "Make Idle", open: true},
	}
	for line, w := range want {
		if got := at(line); !reflect.DeepEqual(got, w) {
			t.Errorf("line %d:\n got %#v\nwant %#v", line, got, w)
		}
	}
	proposal := at(11).(act)
	if got, want := proposal.args[1].val.text, "It does\n# no comment"; got != want {
		t.Errorf("body %q, want %q", got, want)
	}
	amendments := proposal.args[2].val.amendments
	if len(amendments) != 11 {
		t.Fatalf("%d amendments, want 11", len(amendments))
	}
	if got, want := amendments[0].text, "# Flags\n\n  indented"; got != want {
		t.Errorf("text %q, want %q", got, want)
	}
	if got := amendments[1]; got.replace != "30" || got.with != "40\n" {
		t.Errorf("replacement %q by %q", got.replace, got.with)
	}
}

func TestParseRefuses(t *testing.T) {
	for _, c := range []struct {
		source string
		line   int
	}{
		{"\nwibble", 2},
		{"at noon", 1},
		{"after soon", 1},
		{"after 1x", 1},
		{"players", 1},
		{"Ana:", 1},
		{"Ana: Feed because \"x\"", 1},
		{"refuse Ana: Feed", 1},
		{"Ana: Feed dice=x", 1},
		{"Ana: Feed text=\"open", 1},
		{"Ana: Feed text=\"\\q\"", 1},
		{"Ana: Feed body=<<END\nno end", 1},
		{"Ana: Feed amendments=5", 1},
		{"Ana: Feed amendments=<<E\nenact section=2\nE", 1},
		{"Ana: Feed amendments=<<E\n| text\nE", 1},
		{"Ana: Feed amendments=<<E\nrepeal \"T\"\n| text\nE", 1},
		{"set Ana = 5", 1},
		{"gain Ana by 5", 1},
		{"gain Ana.x = 5", 1},
		{"set each Ana.x = 5", 1},
		{"set each eggs[] = 5", 1},
		{"Ana: Feed amendments=<<E\nreplace \"a\" by \"b\" in \"T\"\nE", 1},
		{"Ana: Feed amendments=<<E\nreplace \"a\" with \"b\"\nE", 1},
		{"remove Ana.x", 1},
		{"let x = Ana", 1},
		{"expect", 1},
		{"expect Ana", 1},
		{"expect Ana.x", 1},
		{"expect Ana.x = ", 1},
		{"expect count Ana = 1", 1},
		{"expect way \"T\" Enact maybe", 1},
		{"expect open Ana: Feed because \"x\"", 1},
		{"expect rolls x", 1},
		{"expect post \"T\"", 1},
		{"ruleset dragons extra", 1},
		{"Ana: Feed x=[[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]", 1},
	} {
		_, err := Parse([]byte(c.source))
		var syntax *SyntaxError
		if !errors.As(err, &syntax) {
			t.Errorf("%q: error %v, want a syntax error", c.source, err)
			continue
		}
		if syntax.Line != c.line {
			t.Errorf("%q: line %d, want %d", c.source, syntax.Line, c.line)
		}
	}
}

// Whatever the bytes, the parser answers with a script or a syntax error; and each step of a script is what its own lines
// say, whatever stands before and after them.
func FuzzParse(f *testing.F) {
	f.Add([]byte(sample))
	f.Add([]byte("Ana: X a=<<E\nE"))
	f.Add([]byte("expect a[b=[1]].c ~ \"x\""))
	f.Add([]byte("refuse \"A B\": C d=$e because \"f\" -> g"))
	f.Fuzz(func(t *testing.T, source []byte) {
		script, err := Parse(source)
		if err != nil {
			var syntax *SyntaxError
			if !errors.As(err, &syntax) || syntax.Line < 1 {
				t.Fatalf("error %v is no syntax error", err)
			}
			return
		}
		lines := strings.Split(string(source), "\n")
		for i, s := range script.Steps {
			end := len(lines)
			if i+1 < len(script.Steps) {
				end = script.Steps[i+1].Line - 1
			}
			if s.Line > end || s.Do == nil {
				t.Fatalf("step %d: %+v", i, s)
			}
			own, err := Parse([]byte(strings.Join(lines[s.Line-1:end], "\n")))
			if err != nil || len(own.Steps) != 1 || own.Steps[0].Text != s.Text || !reflect.DeepEqual(own.Steps[0].Do, s.Do) {
				t.Fatalf("step %d is %+v, alone %+v, %v", i, s, own, err)
			}
		}
	})
}
