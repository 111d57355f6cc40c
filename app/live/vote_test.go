package live

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"peernomic/engine/rules"
	"peernomic/engine/rulesets"
)

// hive is a game of infected with Ana, who is its head and its Communicant, Bo and Cy, and two Proposals
// of Bo's: one digs a Pit, the other changes a value.
func hive(t *testing.T) (w *rules.World, pit, cake int64) {
	t.Helper()
	docs, err := rulesets.Load("infected")
	if err != nil {
		t.Fatal(err)
	}
	w, err = rules.Found(rules.Founding{Documents: docs, Time: begin, Founder: "Ana", FounderKey: strings.Repeat("a1", 32),
		Options: map[string]string{"kevan": "Ana", "head": "Ana"}})
	if err != nil {
		t.Fatal(err)
	}
	for i, name := range []string{"Bo", "Cy"} {
		id, _ := w.Knock(strings.Repeat(fmt.Sprintf("b%d", i), 32), name, begin+int64(i))
		do(t, w, id, "Apply", map[string]any{"name": name})
		do(t, w, 1, "Admit", map[string]any{"player": id})
	}
	bo := playerNamed(t, w, "Bo")
	do(t, w, bo, "Propose", map[string]any{"title": "A Pit", "amendments": []any{
		map[string]any{"op": "enact", "parent": "The Chambers", "text": "# The Pit\n\nDeep."}}})
	do(t, w, bo, "Propose", map[string]any{"title": "Cake", "amendments": []any{
		map[string]any{"op": "set", "table": "players", "row": bo, "column": "size", "value": int64(5)}}})
	for _, p := range w.Posts() {
		switch p.Title {
		case "A Pit":
			pit = p.ID
		case "Cake":
			cake = p.ID
		}
	}
	return w, pit, cake
}

func playerNamed(t *testing.T, w *rules.World, name string) int64 {
	t.Helper()
	all := w.Players()
	i := slices.IndexFunc(all, func(p rules.PlayerView) bool { return p.Name == name })
	if i < 0 {
		t.Fatalf("nobody is called %s", name)
	}
	return all[i].ID
}

// effect is what the pages say of a vote before it is cast. It checks that nothing of it remains.
func effect(t *testing.T, w *rules.World, who string, args map[string]any) string {
	t.Helper()
	before := w.Digest()
	l := lookAt(w, playerNamed(t, w, who))
	e, err := l.voteEffect(rules.Act{Player: l.me, Name: "Vote", Args: args, Time: w.Now()}, args["post"].(int64))
	if err != nil {
		t.Fatal(err)
	}
	if w.Digest() != before {
		t.Error("the vote that was tried out left something behind")
	}
	if e.Refused != "" {
		return "refused: " + e.Refused
	}
	return strings.Join(e.Says, " ")
}

// What a vote counts as is told before it is cast, by the rules' own account: words, several icons,
// somebody else's vote, those that follow, and that of the game's own head.
func TestEffectOfAVote(t *testing.T) {
	w, pit, cake := hive(t)
	six := []any{"DEFERENTIAL", "DEFERENTIAL", "DEFERENTIAL", "DEFERENTIAL", "FOR", "AGAINST"}
	for _, c := range []struct {
		name, who string
		args      map[string]any
		want      []string
	}{
		{"plain", "Cy", map[string]any{"post": cake, "icon": "AGAINST"},
			[]string{"Your vote counts as AGAINST. That makes 1 FOR, 1 AGAINST, with a quorum of 3."}},
		{"two icons without the right to it", "Cy", map[string]any{"post": cake, "icons": []any{"FOR", "FOR"}},
			[]string{"Your vote counts as FOR (counts once). That makes 2 FOR,"}},
		{"words", "Cy", map[string]any{"post": pit, "icon": "FOR", "text": "Let us dig."},
			[]string{"Your vote counts as FOR (digs: goes into The Pit when it is enacted)."}},
		{"an icon that is not mine to use", "Cy", map[string]any{"post": cake, "icons": []any{"VETO"}}, []string{"It is no vote of your own."}},
		{"nobody to follow yet", "Cy", map[string]any{"post": cake, "icon": "DEFERENTIAL"},
			[]string{"Your vote DEFERENTIAL counts for neither side (the Overlord has not voted). That makes 1 FOR, 0 AGAINST, 1 ABSTAIN,"}},
		{"against oneself", "Bo", map[string]any{"post": pit, "icon": "AGAINST"},
			[]string{"Your vote counts as AGAINST; until now it counts as FOR.", "An Admin may fail it now: it is self-killed."}},
		{"somebody else's", "Ana", map[string]any{"post": pit, "icons": append(slices.Clone(six), "ARROW")},
			[]string{"The Alien's vote becomes DEFERENTIAL, which counts for neither side (the Overlord has not voted; digs nothing, as it is not FOR). It is no vote of your own."}},
		{"an opinion that the Alien cannot have", "Ana", map[string]any{"post": cake, "icons": []any{"FOR", "FOR", "FOR", "FOR", "FOR", "FOR", "ARROW"}},
			[]string{"refused: without Calls the Alien's Opinion is DEFERENTIAL"}},
		{"six without the arrow", "Ana", map[string]any{"post": pit, "icons": six}, []string{"Your vote counts as AGAINST (counts once)."}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := effect(t, w, c.who, c.args)
			for _, want := range c.want {
				if !strings.Contains(got, want) {
					t.Errorf("it says %q, which lacks %q", got, want)
				}
			}
		})
	}
	do(t, w, playerNamed(t, w, "Cy"), "Vote", map[string]any{"post": cake, "icon": "DEFERENTIAL"})
	if got, want := effect(t, w, "Ana", map[string]any{"post": cake, "icon": "FOR"}), "Cy's vote counts as FOR (follows the Overlord)."; !strings.Contains(got, want) {
		t.Errorf("those who follow: %q lacks %q", got, want)
	}
	if got := effect(t, w, "Cy", map[string]any{"post": cake, "icon": "DEFERENTIAL"}); got != "Your own vote stays as it is: DEFERENTIAL, which counts for neither side (the Overlord has not voted)." {
		t.Errorf("the same again: %q", got)
	}
}

// Dragons' votes are told the same way.
func TestEffectOfADragonsVote(t *testing.T) {
	w := farm(t)
	do(t, w, 2, "Propose", map[string]any{"title": "Cookies", "amendments": []any{
		map[string]any{"op": "set", "table": "players", "row": int64(2), "column": "cookies", "value": int64(40)}}})
	id := w.Posts()[0].ID
	for _, p := range w.Posts() {
		if p.Title == "Cookies" {
			id = p.ID
		}
	}
	if got := effect(t, w, "Cy", map[string]any{"post": id, "icon": "AGAINST"}); !strings.HasPrefix(got, "Your vote counts as AGAINST. That makes 1 FOR, 1 AGAINST, with a quorum of 2.") {
		t.Errorf("it says %q", got)
	}
}

// While a Proposal is being written it is told what the rules take it for, and who could vote how.
func TestDraftIsRecognised(t *testing.T) {
	w, _, _ := hive(t)
	cy := playerNamed(t, w, "Cy")
	set := func(table string, row int64, column string, value any) map[string]any {
		return map[string]any{"op": "set", "table": table, "row": row, "column": column, "value": value}
	}
	supply := int64(0)
	for _, s := range w.Rules() {
		for _, r := range s.Rules {
			if r.Title == "Supply Room" {
				supply = r.ID
			}
		}
	}
	if out := w.Force([]any{set("players", cy, "shovels", int64(1)), set("players", cy, "chamber", supply)}, w.Now()); out.Refused != nil {
		t.Fatal(out.Refused)
	}
	rule := func(parent, text string) map[string]any {
		return map[string]any{"op": "enact", "section": int64(2), "parent": parent, "text": text}
	}
	for _, c := range []struct {
		name  string
		draft []any
		want  []string
	}{
		{"nothing", nil, nil},
		{"Hive", []any{rule("The Chambers", "# The Cellar\n\nEntrances: Supply Room.")}, []string{"A **Dynastic and Hive** Proposal.",
			"A vote FOR with the word Dig moves into The Cellar whoever is in Supply Room then (now Cy), and the Alien from anywhere; without one such vote the rules stay as they are. Whoever holds a Shovel may vote twice.",
			"As things are, Cy (by a Shovel) could vote twice."}},
		{"Invention", []any{rule("Hold Items", "# Rope\n\nA rope.")}, []string{"A **Dynastic and Invention** Proposal.",
			"An Invention: whoever holds a Tool Box may vote twice.", "As things are, nobody could vote twice."}},
		{"Dynastic", []any{set("players", cy, "size", int64(5))}, []string{"A **Dynastic** Proposal.",
			"Whoever is in the Evil AI Interface Room with a Brain of 6 or more may vote twice.", "As things are, nobody could vote twice."}},
		{"Core and dynastic", []any{set("players", cy, "size", int64(5)), map[string]any{"op": "amend", "rule": "Fair Play", "text": "# Fair Play\n\nBe fair.\n"}},
			[]string{"Neither a Core nor a Dynastic Proposal.", "As things are, nobody could vote twice."}},
	} {
		if got := w.Recognise(c.draft); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// A sealed value is called that; only who can read it sees what it says.
func TestSealedValues(t *testing.T) {
	l := lookAt(alone(t, "infected"), 1)
	c := rules.ColumnView{Kind: "secret"}
	cell := []any{"by", "commitment", "sealed"}
	if got := l.text(c, nil) + "|" + l.text(c, cell); got != "|sealed" {
		t.Errorf("others see %q", got)
	}
	l.read = func(any) (any, bool) { return "quarry", true }
	if got := l.text(c, cell); got != "sealed: quarry" {
		t.Errorf("its reader sees %q", got)
	}
}
