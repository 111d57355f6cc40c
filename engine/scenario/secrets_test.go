package scenario

import (
	"strings"
	"testing"

	"peernomic/engine/rules/document"
)

// sealed is a ruleset in which everybody hides a number, Kim is told Ana's word, and the
// highest number shown wins. Words must not be shorter than the number said with them.
var sealed = []document.Document{{Path: "ruleset.md", Text: "# Sealed\n\nHidden things."}, {Path: "1-core/01-all.md", Text: "# All\n\n```starlark\n" + `
column("bid", secret(integer(min=0, max=9)))
column("word", secret(text(max=30)))
column("shown", integer())
variable("best", integer())

def bid(me, number):
    me.bid = number
def show(me, bid):
    me.shown = reveal(me.bid, bid)
    me.bid = None
    game.best = max(game.best, me.shown)
def learn(me):
    return [me, find("players", name="Kim")]
def whisper(me, word, number):
    me.word = word
def fits(me, read, word, number):
    if len(word) < number:
        return "the word is too short"
def claim(me, letters):
    me.shown = letters
def counted(me, read, letters):
    said = read(find("players", name="Ana").word)
    if said != None and len(said) != letters:
        return "it has other letters"
def copy(me):
    me.bid = find("players", name="Ana").bid
def steal(me, bid):
    me.shown = reveal(find("players", name="Ana").bid, bid)

action("Bid", run=bid, params=[param("number", secret(integer(min=0, max=9)))], guard=lambda me: "you have bid" if me.bid else None)
action("Show", run=show, params=[param("bid", opening(lambda me: me.bid))])
action("Whisper", run=whisper, params=[param("word", secret(text(max=30), readers=learn)), param("number", integer())], private=fits)
action("Claim", run=claim, params=[param("letters", integer())], private=counted)
action("Copy", run=copy)
` + "```\n"}}

func TestSecrets(t *testing.T) {
	source := `ruleset sealed
at 2026-01-05 10:00
players Kim Ana Bo
Ana: Bid number=7
Bo: Bid number=4
expect log contains "sealed" lacks "4"
refuse Bo: Bid number=5 because "you have bid"
expect Ana.bid != none
# Showing something else than was bid.
refuse cheat Bo: Show bid=9 because "committed to"
Ana: Show
expect Ana.shown = 7
expect Ana.bid = none
Bo: Show
expect game.best = 7
# What only the device can judge.
refuse Ana: Whisper word="quay" number=5 because "too short"
Ana: Whisper word="quarry" number=5
Ana: Claim letters=6
refuse Ana: Claim letters=5 because "other letters"
refuse Kim: Claim letters=5 because "other letters"
# Bo cannot read it, so nobody keeps them from a guess; and a cheat is kept from nothing.
Bo: Claim letters=5
cheat Ana: Claim letters=5
# An illegal value is committed to unseen, and found out.
Ana: Bid number=12
refuse Ana: Show because "not allowed" "above 9"
# Whoever copies a commitment cannot open it.
Kim: Copy
expect Kim.bid != none
`
	if _, err := Run("sealed.play", []byte(source), func(string) ([]document.Document, error) { return sealed, nil }); err != nil {
		t.Fatal(err)
	}
	for step, want := range map[string]string{
		"Kim: Copy\nKim: Show": "cannot open it",
		"Ana: Whisper word=\"" + strings.Repeat("a", 40) + "\" number=1": "longer than 30",
	} {
		_, err := Run("sealed.play", []byte("ruleset sealed\nat 2026-01-05 10:00\nplayers Kim Ana Bo\nAna: Bid number=3\n"+step+"\n"), func(string) ([]document.Document, error) { return sealed, nil })
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", step, err, want)
		}
	}
}
