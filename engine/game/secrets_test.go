package game

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"peernomic/engine/ledger"
)

const secretScript = "# All\n\n```starlark\n" + `
column("word", secret(text(max=30)))
column("shown", text())
def choose(me, word):
    me.word = word
def show(me, word):
    me.shown = reveal(me.word, word)
def honest(me, read, word):
    if word == "liar":
        return "not this word"
action("Choose", run=choose, who="anyone", params=[param("word", secret(text(max=30), readers=lambda me: [me, find("players", id=1)]))], private=honest)
action("Show", run=show, who="anyone", params=[param("word", opening(lambda me: me.word))])
` + "```\n"

// prepared takes an action as a session does.
func (tb *table) prepared(device int, name string, args map[string]any) error {
	args, err := tb.full.Prepare(tb.pens[device].Device(), name, args, rand.NewChaCha8([32]byte{byte(device), 9}))
	if err == nil {
		tb.actWith(device, name, args)
		tb.seal()
	}
	return err
}

func (tb *table) text(player int64, column string) string {
	v, _ := tb.full.World().Cell("players", player, column)
	return fmt.Sprint(v)
}

func TestSecretsAreForTheirReaders(t *testing.T) {
	tb := newTableOf(t, 3, []ledger.Document{{Path: "ruleset.md", Text: "# Test\n\nA test."}, {Path: "1-core/01-all.md", Text: secretScript}})
	const plain = "quarryquarryquarry"
	must(t, tb.prepared(1, "Choose", map[string]any{"word": plain}))
	cell, _ := tb.full.World().Cell("players", 2, "word")
	for device, want := range []bool{true, true, false} {
		if said, ok := tb.full.Read(tb.pens[device].Device(), cell); ok != want || ok && said != plain {
			t.Errorf("device %d reads %v, %v", device, said, ok)
		}
	}
	// Everybody in the room holds the archive and can decrypt it; the word is not there.
	for _, p := range tb.full.Replica().Placed() {
		if bytes.Contains(p.Body(), []byte(plain)) || bytes.Contains(p.Body(), []byte(plain[:6])) {
			t.Error("the word is in the log")
		}
	}
	if text := tb.text(2, "word"); strings.Contains(text, "quarry") {
		t.Errorf("the word is in the state: %s", text)
	}
	must(t, tb.prepared(1, "Show", nil))
	if got := tb.text(2, "shown"); got != plain {
		t.Errorf("shown is %s", got)
	}
	// What a device would not send is not sent.
	entries := len(tb.full.Entries())
	if err := tb.prepared(1, "Choose", map[string]any{"word": "liar"}); err == nil || !strings.Contains(err.Error(), "not this word") || len(tb.full.Entries()) != entries {
		t.Errorf("the private check: %v", err)
	}
}

// A commitment that somebody else made cannot be sent as one's own.
func TestCopiedCommitmentIsRefused(t *testing.T) {
	tb := newTableOf(t, 3, []ledger.Document{{Path: "ruleset.md", Text: "# Test\n\nA test."}, {Path: "1-core/01-all.md", Text: secretScript}})
	must(t, tb.prepared(1, "Choose", map[string]any{"word": "quarry"}))
	cell, _ := tb.full.World().Cell("players", 2, "word")
	tb.actWith(2, "Choose", map[string]any{"word": cell})
	tb.seal()
	last := slices.Clone(tb.full.Entries())[len(tb.full.Entries())-1]
	if last.Outcome.Refused == nil || !strings.Contains(last.Outcome.Refused.Reason, "somebody else") {
		t.Errorf("a copied commitment: %+v", last.Outcome.Refused)
	}
}
