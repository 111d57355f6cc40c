package cli

import (
	"strings"
	"testing"

	"peernomic/app/client"
	"peernomic/app/client/disk"
	"peernomic/engine/ledger"
	"peernomic/engine/wire"
)

// enter opens a game that somebody founds or joins, with a device of their own.
func enter(t *testing.T, how func(*client.Hub) (wire.RoomID, error)) *member {
	t.Helper()
	hub, err := client.OpenHub(t.Context(), client.Config{Identity: &disk.Memory{}, Games: &disk.Memory{}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { hub.Close() })
	room, err := how(hub)
	if err != nil {
		t.Fatal(err)
	}
	session, err := hub.Open(t.Context(), room)
	if err != nil {
		t.Fatal(err)
	}
	waitFor(t, "somebody is in the game", func() bool { return session.Me() != 0 })
	return &member{hub: hub, session: session}
}

// found is a way to enter a game: Kim founds it, at a relay or, without one, alone.
func found(t *testing.T, relay, script string) func(*client.Hub) (wire.RoomID, error) {
	return func(h *client.Hub) (wire.RoomID, error) {
		return h.Found(t.Context(), client.Founding{Title: "A game", Name: "Kim", Relay: relay, Ruleset: []ledger.Document{{
			Path: "1-core/01-all.md", Text: "# All\n\n```starlark\n" + script + "```\n"}}})
	}
}

// tell gives a member a line, as on standard input.
func tell(t *testing.T, p *member, text string) (answer, error) {
	t.Helper()
	l, err := parseLine(text)
	if err != nil {
		t.Fatal(err)
	}
	return p.carryOut(t.Context(), l)
}

// Whoever writes a program that plays is told what there is: commands, actions, parameters.
func TestPeerSaysWhatThereIs(t *testing.T) {
	p := enter(t, found(t, "", `
column("cookies", integer(min=0))

def feed(me, cookies, note):
    me.cookies += cookies

def rest(me):
    pass

action("Feed", run=feed, params=[param("cookies", integer(min=1)), param("note", text(), default="")])
action("Rest", run=rest)
`))
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
		{`dance`, `error: there is no command "dance"; the commands are act, convene, `},
		{``, `error: no command stands first; the commands are act, convene, `},
	}
	for _, test := range tests {
		a, err := tell(t, p, test.line)
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
