package rules

import (
	"fmt"
	"strings"
	"testing"

	"peernomic/engine/rules/declare"
	"peernomic/engine/rules/document"
)

// An entity plays as long as a rule declares it, and nobody acts as it.
func TestEntityPlaysWhileDeclared(t *testing.T) {
	w := found(t, `
column("gold", integer(), default=2)
variable("seen", text())
def look():
    game.seen = players()[0].name + str(len(players()))
on("founded", look)
def tell(p):
    game.seen = "%s: %s" % (p.name, p.standing)
on("joined", tell)
on("left", tell)
def wave(me):
    find("players", entity="The Thing").gold -= 1
action("Wave", run=wave)
action("Enact", run=lambda me, changes: apply(changes), params=[param("changes", amendments())])
entity("The Thing")
`)
	if seen, _ := w.GameCell("seen"); seen != "Ana2" {
		t.Errorf("at the founding the rules see %v, want the founder first and two players", seen)
	}
	thing := w.index(tablePlayers, w.isEntity)
	if v := w.Players(); len(v) != 2 || !v[1].Entity || v[1].Standing != StandingPlayer || v[0].Entity || v[1].Key != "" {
		t.Fatalf("the people are %+v", v)
	}
	w.mustDo(t, 1, "Wave", nil)
	if got, _ := w.Cell(tablePlayers, thing, "gold"); got != int64(1) {
		t.Errorf("its gold is %v, want 1", got)
	}
	out := w.Do(Act{Player: thing, Name: "Wave", Time: w.Now()})
	if out.Refused == nil || !strings.Contains(out.Refused.Reason, "The Thing is no person") {
		t.Errorf("an act of the entity: %v", out.Refused)
	}
	if id := w.PersonOf(""); id != 0 {
		t.Errorf("no key belongs to %d", id)
	}
	amend := func(from, to string) {
		t.Helper()
		rule, _ := w.RuleTitled("All")
		w.mustDo(t, 1, "Enact", map[string]any{"changes": []any{map[string]any{
			"op": "amend", "rule": "All", "base": rule.Fingerprint, "text": strings.Replace(rule.Text, from, to, 1)}}})
	}
	amend("entity(", "# entity(")
	if seen, _ := w.GameCell("seen"); seen != "The Thing: left" {
		t.Errorf("without its rule: %v", seen)
	}
	amend("# entity(", "entity(")
	if seen, _ := w.GameCell("seen"); seen != "The Thing: player" || len(w.Rows(tablePlayers)) != 2 {
		t.Errorf("with its rule again: %v, %d people", seen, len(w.Rows(tablePlayers)))
	}
}

func TestEntityLimits(t *testing.T) {
	for script, want := range map[string]string{
		`entity("")`:                     "a name of 1 to",
		"entity(\"Bo\")\nentity(\"Bo\")": "there is an entity",
		fmt.Sprintf(`[entity("E%%d" %% i) for i in range(%d)]`, declare.MaxEntities+1): "rules may declare",
	} {
		_, err := Found(Founding{Documents: []document.Document{{Path: "1-core/01-all.md", Text: "# All\n\n```starlark\n" + script + "\n```\n"}}, Founder: "Ana"})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.30s: %v, want %q", script, err, want)
		}
	}
}
