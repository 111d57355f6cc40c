package rules

import (
	"fmt"
	"strings"
	"testing"
)

// Where an action is discreet, neither log nor post nor any column that is shown tells whose it was, also if
// it is refused; the rules know the writer of a post.
func TestDiscreetActionsNameNobody(t *testing.T) {
	w := found(t, `
category("Letter")
column("posted", moment())
def sign(p):
    if p.author:
        p.author.posted = now()
on("post", sign)
def write(me, text, unsigned):
    if text == "bad":
        refuse("no")
    post("Letter", text)
action("Write", run=write, discreet=lambda me, unsigned, text: unsigned and len(text) // (len(text) - 4) < 9,
    params=[param("text", text()), param("unsigned", flag(), default=False)])
def burn(me, letter):
    if letter.writer != me:
        refuse("not yours")
    letter.removed = True
action("Burn", run=burn, discreet=lambda me, letter: letter.writer == me, params=[param("letter", row("posts"))])
`)
	bo, _ := w.Knock("bo", "Bo", w.Now())
	if out := w.Force([]any{map[string]any{"op": "set", "table": "players", "row": bo, "column": "standing", "value": "player"}}, w.Now()); out.Refused != nil {
		t.Fatal(out.Refused)
	}
	before, _ := w.Cell("players", bo, "acted")
	for name, c := range map[string]struct {
		args    map[string]any
		refused bool
	}{
		"done":            {map[string]any{"text": "a", "unsigned": true}, false},
		"refused":         {map[string]any{"text": "bad", "unsigned": true}, true},
		"cannot be asked": {map[string]any{"text": "four", "unsigned": true}, false},
		"wrong argument":  {map[string]any{"text": "a", "unsigned": "perhaps"}, true},
	} {
		out := w.Do(Act{Player: bo, Name: "Write", Args: c.args, Time: w.Now() + 1000})
		if out.Player != 0 || (out.Refused != nil) != c.refused {
			t.Errorf("%s: logged for player %d, refused: %v", name, out.Player, out.Refused)
		}
		for _, change := range out.Changes {
			if strings.Contains(fmt.Sprint(change.Old, change.New, change.Label), "Bo") || change.New == bo {
				t.Errorf("%s: the change %+v tells", name, change)
			}
		}
	}
	posts := w.Posts()
	letter := posts[len(posts)-1]
	if letter.Author != 0 || letter.Writer != bo {
		t.Errorf("the letter is of %d, written by %d; want nobody's, written by %d", letter.Author, letter.Writer, bo)
	}
	acted, _ := w.Cell("players", bo, "acted")
	posted, _ := w.Cell("players", bo, "posted")
	if acted != before || posted != nil {
		t.Errorf("acted at %v, before at %v; posted at %v", acted, before, posted)
	}
	// Others are named when they try what only the writer may do.
	if out := w.Do(Act{Player: 1, Name: "Burn", Args: map[string]any{"letter": letter.ID}, Time: w.Now()}); out.Refused == nil || out.Player != 1 {
		t.Errorf("somebody else's attempt: logged for %d, refused: %v", out.Player, out.Refused)
	}
	if out := w.Do(Act{Player: bo, Name: "Burn", Args: map[string]any{"letter": letter.ID}, Time: w.Now()}); out.Refused != nil || out.Player != 0 {
		t.Errorf("the writer's: logged for %d, refused: %v", out.Player, out.Refused)
	}
	// Signed, all is as ever.
	out := w.Do(Act{Player: bo, Name: "Write", Args: map[string]any{"text": "b"}, Time: w.Now()})
	posts = w.Posts()
	if signed := posts[len(posts)-1]; out.Player != bo || signed.Author != bo || signed.Writer != bo {
		t.Errorf("a signed letter is of %d and logged for %d", signed.Author, out.Player)
	}
}
