package cli

import (
	"strings"
	"testing"
	"time"

	"peernomic/app/client"
	"peernomic/app/client/disk"
	"peernomic/engine/ledger"
)

// Whoever writes a program that plays is told what there is: commands, actions, parameters.
func TestPeerSaysWhatThereIs(t *testing.T) {
	hub, err := client.OpenHub(t.Context(), client.Config{Identity: &disk.Memory{}, Games: &disk.Memory{}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { hub.Close() })
	room, err := hub.Found(t.Context(), client.Founding{Title: "A game", Name: "Kim", Ruleset: []ledger.Document{{
		Path: "1-core/01-all.md", Text: `# All

` + "```starlark" + `
column("cookies", integer(min=0))

def feed(me, cookies, note):
    me.cookies += cookies

def rest(me):
    pass

action("Feed", run=feed, params=[param("cookies", integer(min=1)), param("note", text(), default="")])
action("Rest", run=rest)
` + "```\n"}}})
	if err != nil {
		t.Fatal(err)
	}
	session, err := hub.Open(t.Context(), room)
	if err != nil {
		t.Fatal(err)
	}
	p := &member{session: session}
	for end := time.Now().Add(20 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		if s, err := p.look(t.Context()); err == nil && s.Standing == "player" {
			break
		} else if time.Now().After(end) {
			t.Fatalf("the founder is not in the game: %+v, %v", s, err)
		}
	}
	tests := []struct{ line, want string }{
		{`act Feed cookies=3`, "done"},
		{`act Sleep`, `refused: the rules have no action "Sleep"; the actions are `},
		{`act Sleep`, `Feed, Rest`},
		{`act Feed biscuits=3`, `refused: `},
		{`act Feed biscuits=3`, `; Feed takes cookies, note (may be left out)`},
		{`act Feed cookies=none`, `; Feed takes cookies, note (may be left out)`},
		{`act Rest cookies=3`, `; Rest takes no parameters`},
		{`act`, `error: act is given the name of one action, in quotes if it is several words: act "Edit post"`},
		{`act Edit post`, `error: act is given the name of one action`},
		{`export`, `error: export is given one file, which it writes: export our.game`},
		{`sign`, `error: sign is given the id of one motion`},
		{`dance`, `error: there is no command "dance"; the commands are act, show, `},
		{``, `error: no command stands first; the commands are act, show, `},
	}
	for _, test := range tests {
		l, err := parseLine(test.line)
		if err != nil {
			t.Fatal(err)
		}
		a, err := p.carryOut(t.Context(), l)
		got := a.Event
		if a.Text != "" {
			got += ": " + a.Text
		}
		if err != nil {
			got = "error: " + err.Error()
		}
		if !strings.Contains(got, test.want) {
			t.Errorf("%s: %q, want %q in it", test.line, got, test.want)
		}
	}
}
