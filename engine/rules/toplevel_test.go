package rules

import (
	"errors"
	"strings"
	"testing"

	"peernomic/engine/rules/document"
)

// topCalls are calls of everything that depends on the game, as they could stand at the top of a script.
var topCalls = map[string]string{
	"now": `now()`, "roll": `roll(6)`, "dice": `dice(2, 6)`, "refuse": `refuse("no")`, "players": `players()`, "everyone": `everyone()`,
	"rows": `rows("things")`, "find": `find("things", n=1)`, "create": `create("things", n=1)`, "setattr": `setattr(game, "price", 2)`,
	"reset": `reset(game)`, "note": `note("x")`, "post": `post("Note", "t")`, "apply": `apply([])`, "problems": `problems([])`, "touched": `touched([])`,
	"ask": `ask("what")`, "subrules": `subrules("All")`, "has_rule": `has_rule("All")`, "rule_number": `rule_number("All")`, "action_rule": `action_rule("Go")`,
	"schedule": `schedule(5, "later")`, "call": `call("later")`, "cancel": `cancel("k")`, "pending": `pending()`, "undo": `undo(1)`, "log_entry": `log_entry(1)`,
	"roll_words": `roll_words("DICE6")`, "word": `word("Head")`, "option_value": `option_value("head")`,
}

// topFree are those that depend on their arguments alone, and those that take a row or a secret, of which the top of a
// script has none.
var topFree = map[string]bool{
	"minutes": true, "hours": true, "days": true, "calendar": true, "wait": true, "casefold": true, "alike": true,
	"remove": true, "comment": true, "comments": true, "offer": true, "edit": true, "reveal": true,
}

const topWorld = `
variable("price", integer(), default=1)
table("things", columns=[field("n", integer())])
category("Note")
keyword("Head", "King", "Kings")
option("head", default="yes")
handler("later", lambda args: None)
action("Go", run=lambda me: None)
def price():
    return game.price
`

// The top of a script is executed again at every load of the rules: at founding, at each enactment, when a snapshot is
// opened, and in a fork. What it read or did would differ between replicas, so it is refused at all of these.
func TestTopOfAScriptOnlyDeclares(t *testing.T) {
	scripts := map[string]string{
		"reads a variable":            `game.price`,
		"reads a variable by getattr": `getattr(game, "price")`,
		"reads by another's function": `price()`,
	}
	for _, b := range runBuiltins {
		if _, ok := topCalls[b.Name]; ok == topFree[b.Name] {
			t.Errorf("is %s to be refused at the top of a script?", b.Name)
		}
	}
	for name, call := range topCalls {
		scripts[name] = call
	}
	for name, call := range scripts {
		t.Run(name, func(t *testing.T) {
			text := "# New\n\n```starlark\nload(\"All\", \"price\")\nx = " + call + "\n```\n"
			w := found(t, topWorld)
			before := w.Digest()
			enact := []any{map[string]any{"op": "enact", "section": int64(1), "text": text}}
			if r := w.Check(enact); r == nil || !onlyDeclares(r) {
				t.Errorf("a trial of the enactment says %+v", r)
			}
			if w.Digest() != before {
				t.Error("a trial of the enactment changed the world")
			}
			out := w.Force(enact, w.Now())
			if out.Refused == nil || !onlyDeclares(out.Refused) || len(w.Log()[len(w.Log())-1].Rolls) > 0 {
				t.Errorf("the enactment says %+v", out.Refused)
			}
			docs := append(w.Documents(), document.Document{Path: "1-core/99-new.md", Text: text})
			if _, err := Found(Founding{Documents: docs, Founder: "Ana", Time: testTime}); !wrongTop(err) {
				t.Errorf("founding says %v", err)
			}
			if _, err := w.newRow(tableRules, cells{"title": "New", "text": text, "section": int64(1), "position": int64(9)}); err != nil {
				t.Fatal(err)
			}
			kept, err := w.Encode()
			if err != nil {
				t.Fatal(err)
			}
			if _, err := DecodeWorld(kept); !wrongTop(err) {
				t.Errorf("opening a snapshot says %v", err)
			}
			doc, err := w.Snapshot()
			if err != nil {
				t.Fatal(err)
			}
			if _, err := fromSnapshot(doc.Text); !wrongTop(err) {
				t.Errorf("a game that goes on says %v", err)
			}
		})
	}
}

func onlyDeclares(r *Refusal) bool {
	return r.Rule != "" && r.Line > 0 && strings.Contains(r.Reason, errOnlyDeclares.Error())
}

func wrongTop(err error) bool {
	var p *document.Problem
	return errors.As(err, &p) && p.Line > 0 && strings.Contains(p.Message, errOnlyDeclares.Error())
}

func TestTopOfAScriptMayCompute(t *testing.T) {
	w := found(t, `
LIMIT = days(2) + hours(1)
NAMES = [casefold(n) for n in ["A", "B"] if not alike(n, "C")]
column("waits", integer(max=LIMIT), default=minutes(len(NAMES)))
`)
	if v, _ := w.Cell("players", 1, "waits"); v != int64(2*60*1000) {
		t.Errorf("the default is %v", v)
	}
}
