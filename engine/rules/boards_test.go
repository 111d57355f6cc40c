package rules

import (
	"math"
	"strings"
	"testing"

	"peernomic/engine/rules/document"
)

// zoo is a game with cards and boards.
func zoo(t *testing.T, more string) *World {
	t.Helper()
	return found(t, `
keyword("Beast", "Beast", "Beasts")
category("Note")
table("beasts", title="Beasts", columns=[field("owner", player()), field("name", text()), field("health", integer())], label=lambda b: b.name)
def look(beast):
    return face(beast.name, subtitle="a {{Beast}}", owner=beast.owner, swatch="teal", glyph="b",
        stats={"Body": {"Legs": 4, "Tame": True}, "Mind": {"Wit": "none", "Friend": beast.owner}},
        meters=[meter("Health", beast.health, 10, low=2)])
card("beasts", look, title="All {{Beasts}}")
def page_of(beast, me):
    return place([place([beast, "against **nobody**"], shape="row"), thread(find("posts"), title="What was said"), deeds(["Pet", "Nonsense"], title="Do", fixed={"beast": beast})], title="%s's turn" % (me.name if me else "nobody"), until=now() + hours(1))
board("beast", page_of, of="beasts")
board("empty", lambda me: [], title="Nothing")
board("wrong", lambda me: 1 // 0)
def setup():
    p = post("Note", "Talk")
    comment(p, "hello")
    create("beasts", owner=find("players", id=1), name="Rex", health=3)
    create("beasts", owner=find("players", id=1), name="Tor", health=30)
on("founded", setup)
action("Pet", run=lambda me, beast: None, params=[param("beast", row("beasts"))])
`+more)
}

func TestCard(t *testing.T) {
	w := zoo(t, "")
	g, ok := w.Gallery("beasts")
	if !ok || g.Problem != "" || g.Title != "All Beasts" || len(g.Cards) != 2 || g.Rule != "All" {
		t.Fatalf("the gallery is %+v", g)
	}
	c := g.Cards[1].Card
	if c.Title != "Rex" || c.Subtitle != "a Beast" || c.Owner != 1 || c.Swatch != "teal" || c.Glyph != "b" || c.Table != "beasts" || c.Row != 1 || c.Board != "beast" || c.BoardRow != 1 {
		t.Errorf("the card is %+v", c)
	}
	if len(c.Stats) != 2 || c.Stats[0].Title != "Body" || c.Stats[0].Stats[1] != (Stat{"Tame", "yes"}) || c.Stats[1].Stats[1] != (Stat{"Friend", "Ana"}) {
		t.Errorf("its stats are %+v", c.Stats)
	}
	if m := c.Meters[0]; m != (MeterView{Title: "Health", Value: 3, Max: 10, Low: 2}) || m.Fill() != 300 {
		t.Errorf("its meter is %+v, filled %d", m, m.Fill())
	}
	if m := g.Cards[0].Card.Meters[0]; m.Fill() != 1000 {
		t.Errorf("what is beyond its end is filled %d", m.Fill())
	}
	if _, ok := w.Gallery("players"); ok {
		t.Error("a table without a card has a gallery")
	}
}

// Of players all who play have a card, in the order in which they came.
func TestCardsOfPlayers(t *testing.T) {
	w := zoo(t, `card("players", lambda p: face(p.name))
action("Come", run=lambda me: setattr(me, "standing", "player"), who="anyone")`)
	for _, name := range []string{"Bo", "Cy"} {
		id, _ := w.Knock(strings.Repeat(strings.ToLower(name), 32), name, w.Now())
		if name == "Cy" {
			w.Do(Act{Player: id, Name: "Come", Time: w.Now()})
		}
	}
	g, _ := w.Gallery("players")
	var names []string
	for _, c := range g.Cards {
		names = append(names, c.Card.Title)
	}
	if got := strings.Join(names, " "); got != "Ana Cy" {
		t.Errorf("the cards are of %s", got)
	}
}

func TestBoard(t *testing.T) {
	w := zoo(t, "")
	b, ok := w.Board("beast", 2, 1)
	if !ok || b.Problem != "" || b.Title != "Tor" || len(b.Parts) != 1 {
		t.Fatalf("the board is %+v", b)
	}
	p := b.Parts[0]
	if p.Title != "Ana's turn" || p.Until != w.Now()+3600_000 || p.Shape != "stack" || len(p.Parts) != 3 {
		t.Fatalf("it shows %+v", p)
	}
	if side := p.Parts[0]; side.Shape != "row" || side.Parts[0].Card.Title != "Tor" || side.Parts[1].Text != "against **nobody**" {
		t.Errorf("side by side: %+v", side)
	}
	if th := p.Parts[1]; th.Kind != PartThread || th.Post != 1 || th.Title != "What was said" {
		t.Errorf("the thread: %+v", th)
	}
	if d := p.Parts[2]; d.Kind != PartDeeds || len(d.Actions) != 2 || d.Fixed["beast"] != int64(2) {
		t.Errorf("the deeds: %+v", d)
	}
	if b, _ := w.Board("beast", 2, 0); b.Parts[0].Title != "nobody's turn" {
		t.Errorf("for nobody: %+v", b.Parts)
	}
	if b, _ := w.Board("beast", 0, 1); len(b.Parts) != 2 || b.Parts[0].Card.Title != "Tor" {
		t.Errorf("without a row: %+v", b.Parts)
	}
	if _, ok := w.Board("beast", 9, 1); ok {
		t.Error("a row that is not there has a board")
	}
	if _, ok := w.Board("zoo", 0, 1); ok {
		t.Error("there is a board that nobody declared")
	}
	if b, ok := w.Board("empty", 0, 1); !ok || b.Title != "Nothing" || len(b.Parts) != 0 || b.Problem != "" {
		t.Errorf("the empty one is %+v", b)
	}
	if b, _ := w.Board("wrong", 0, 1); !strings.Contains(b.Problem, "All, line") || !strings.Contains(b.Problem, "division by zero") {
		t.Errorf("the wrong one says %q", b.Problem)
	}
}

// Pages never take long, are never huge, and change nothing; what is wrong with them they say.
func TestHostileBoards(t *testing.T) {
	for name, c := range map[string]struct{ draw, want string }{
		"writes":            {`create("beasts", name="x")`, "nothing can be changed here"},
		"rolls":             {`roll(6)`, "nothing can be changed here"},
		"runs for ever":     {`[x for x in range(1000000) for y in range(1000000)]`, "too many steps"},
		"a number":          {`3`, "not of int"},
		"a part of numbers": {`place([3])`, "a part is a row"},
		"too many":          {`["x"] * 700`, "600 parts"},
		"too many at once":  {`place(["x"] * 700)`, "600 parts"},
		"shared":            {`double(20)`, "parts"},
		"too deep":          {`deep(9)`, "8 deep"},
		"long texts":        {`["x" * 1000] * 200`, "100000 bytes"},
		"long title":        {`place([], title="x" * 201)`, "200 bytes"},
		"unknown shape":     {`place([], shape="heap")`, `no shape "heap"`},
		"meter upside down": {`meter("m", 1, 0)`, "max must be more"},
		"not a meter":       {`face("f", meters=["m"])`, "at most 60 meter()"},
		"many meters":       {`face("f", meters=[meter("m", 1, 2)] * 61)`, "at most 60 meter()"},
		"many stats":        {`face("f", stats={str(i): i for i in range(61)})`, "60 of them"},
		"a list as a stat":  {`face("f", stats={"a": [1]})`, "no value of a stat"},
		"long glyph":        {`face("f", glyph="x" * 17)`, "a glyph 16"},
		"owner no player":   {`face("f", owner=find("beasts"))`, "the owner is a player"},
		"thread of a beast": {`thread(find("beasts"))`, "a post is needed"},
		"deeds of numbers":  {`deeds([1])`, "names of actions"},
		"card without face": {`find("things")`, "must be a face()"},
		"card in a circle":  {`find("rings")`, "deep"},
	} {
		t.Run(name, func(t *testing.T) {
			w := zoo(t, `
def double(n):
    p = "x"
    for _ in range(n):
        p = place([p, p])
    return p
def deep(n):
    p = "x"
    for _ in range(n):
        p = place([p])
    return p
table("things", columns=[field("a", integer())])
table("rings", columns=[field("a", integer())])
card("things", lambda thing: "text")
card("rings", lambda ring: face("ring", parts=[ring]))
def more():
    create("things")
    create("rings")
on("founded", more)
board("attack", lambda me: `+c.draw+`)`)
			before := w.Digest()
			b, _ := w.Board("attack", 0, 1)
			if !strings.Contains(b.Problem, c.want) || len(b.Parts) != 0 {
				t.Errorf("it says %q and shows %d parts, want %q", b.Problem, len(b.Parts), c.want)
			}
			if w.Digest() != before {
				t.Error("looking at it changed the game")
			}
		})
	}
	if got := (MeterView{Max: 4, Value: 2, Rest: 200}).Fill(); got != 550 {
		t.Errorf("2.2 of 4 are filled %d", got)
	}
	if got := (MeterView{Min: math.MinInt64, Max: math.MaxInt64, Value: 0}).Fill(); got != 500 {
		t.Errorf("the widest meter is filled %d at its middle", got)
	}
	for _, script := range []string{
		`card("nothing", lambda r: None)`,
		"card(\"players\", lambda p: face(p.name))\ncard(\"players\", lambda p: face(p.name))",
		`board("a", lambda: "x", of="nothing")`,
		`board("A page", lambda: "x")`,
		"board(\"a\", lambda me: \"x\")\nboard(\"a\", lambda me: \"x\")",
	} {
		if _, err := Found(Founding{Documents: []document.Document{{Path: "ruleset.md", Text: "# T\n\nT."}, {Path: "1-a/section.md", Text: "# A"}, {Path: "1-a/01-a.md", Text: "# All\n\nX.\n\n```starlark\n" + script + "\n```\n"}}, Time: testTime, Founder: "Ana"}); err == nil {
			t.Errorf("it loads: %s", script)
		}
	}
}
