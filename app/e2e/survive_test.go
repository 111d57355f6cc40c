package e2e

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"
)

// Games die of accidents. These tests show the ways out, as players go them: docs/stuck.md.

// twoPlay founds a game that Ana and Bo play.
func twoPlay(t *testing.T, server *server) *table {
	t.Helper()
	g := &table{t: t, server: server, matters: map[string]string{}, pictures: os.Getenv(picturesVariable)}
	g.ana = launch(t, "Ana", layCable(t, server))
	g.ana.open("/")
	g.ana.press("found")
	invite := g.ana.founds("The Dragon Farm")
	g.bo = launch(t, "Bo", layCable(t, server))
	g.bo.comesBy(invite)
	g.ana.admits("Bo")
	g.bothAgree("at the beginning")
	return g
}

func (g *table) bothAgree(when string) {
	g.t.Helper()
	eventually(g.t, "both have the same state "+when, func() bool {
		digest := g.ana.settled()
		return digest != "" && g.bo.settled() == digest
	})
}

// signs goes from the banner to the convention, and signs it.
func (b *browser) signs() {
	b.t.Helper()
	b.run("being called to the convention", until(`document.querySelector('[data-test="summons"] a')?.click() ?? location.pathname.endsWith("/convention")`))
	b.press("assent")
}

// decided waits until the convention is over and carried out.
func (b *browser) decided() {
	b.t.Helper()
	b.visit("convention")
	b.run("seeing it decided", until(`document.querySelector('[data-test="motion"]')?.dataset.status === "done"`))
}

// A proposal that looked harmless makes every other one impossible. The rules have no way back;
// two signatures do. Then Bo, who never agreed, goes on in another room from before.
func TestConventionRepairsTheRules(t *testing.T) {
	g := twoPlay(t, startServer(t))
	g.propose(g.ana, "Take your time", "Enactment", func(prose, script string) (string, string) {
		return prose, strings.NewReplacer("hours(12)", "hours(12) * 100000", "hours(48)", "hours(48) * 100000").Replace(script)
	})
	g.vote(g.bo, "Take your time", "FOR", "Why not.")
	g.server.advance(12*time.Hour + time.Minute)
	g.enact(g.ana, "Take your time")
	g.propose(g.bo, "Not that much time", "Cookies", func(prose, script string) (string, string) { return prose + "\n\nThey are fresh.", script })
	g.vote(g.ana, "Not that much time", "FOR", "Please.")
	g.server.advance(49 * time.Hour)
	g.open(g.ana, "Not that much time")
	g.ana.run("seeing that it cannot be enacted", until(fmt.Sprintf(`document.querySelector(%s) === null`, js(mark("way-enact")+" button[type=submit]:not(:disabled)"))))

	g.ana.goTo("settings")
	g.ana.press("to-convention")
	g.ana.press("way-repair-the-rules")
	g.ana.press("call-repair")
	g.ana.write(mark("propose-title"), "Enactment takes a thousand years since “Take your time”.")
	g.ana.press("add-amend")
	g.ana.choose(mark("pick-rule"), "1.5 Enactment")
	script := g.ana.value(mark("edit-script"))
	if !strings.Contains(script, "* 100000") {
		t.Fatal("the rule was not broken")
	}
	g.ana.write(mark("edit-script"), strings.ReplaceAll(script, " * 100000", ""))
	g.ana.press("propose-submit")
	g.ana.seesIn(mark("signatures"), "1 of 2 signatures")
	g.picture(g.ana, "convention")
	g.bo.signs()
	for _, b := range []*browser{g.ana, g.bo} {
		b.decided()
	}
	g.enact(g.ana, "Not that much time")
	g.bothAgree("after the repair")

	g.bo.visit("convention")
	g.bo.press("to-move")
	g.bo.press("move-secretly")
	g.bo.write(mark("fork-title"), "The Other Farm")
	g.bo.write(mark("move-after"), "5")
	g.bo.press("move-submit")
	g.bo.seesIn(mark("game-title"), "The Other Farm")
	g.bo.goTo("rules")
	g.bo.visit("rules/Enactment")
	g.bo.press("tab-script")
	g.bo.run("seeing the rule as it was", until(`document.querySelector('[data-test="script"]')?.innerText.includes("hours(12)") && !document.querySelector('[data-test="script"]').innerText.includes("100000")`))
	g.bo.goTo("settings")
	fork := g.bo.value(mark("invite"))
	g.ana.open(afterHost(t, fork))
	g.ana.press("join-go")
	g.ana.run("coming into the other game", until(`location.pathname.startsWith("/g/")`))
	g.ana.seesIn(mark("game-title"), "The Other Farm")
	g.ana.goTo("people")
	g.ana.run("having her seat", until(`document.querySelector('[data-test="person-ana"]')?.dataset.standing === "player" && document.querySelector('[data-test="person-ana-2"]') === null`))
	g.bothAgree("in the other room")
}

// Bo's only device is in the river, and he has no copy of his key. He comes back with a new one and
// says who he was; once the lost key has been silent for 30 days, Ana's signature is enough.
func TestLostKeyGetsItsSeatBack(t *testing.T) {
	server := startServer(t)
	g := twoPlay(t, server)
	g.bo.does("Cookie Allowance")
	g.bothAgree("before the accident")
	g.ana.goTo("settings")
	invite := g.ana.value(mark("invite"))
	server.advance(31 * 24 * time.Hour)
	g.ana.does("Roll dice", "comment=Where is Bo DICE6") // Ana is active, and time has come that far for all

	bo := launch(t, "Bo", layCable(t, server))
	bo.open(afterHost(t, invite))
	bo.write(mark("join-name"), "Bo")
	bo.press("join-submit")
	bo.seesIn(mark("join-as"), "You would be Bo 2")
	bo.press("join-submit")
	bo.run("coming into the game", until(`/\/now$/.test(location.pathname)`))
	bo.goTo("people")
	bo.press("to-convention")
	bo.choose(mark("claim-was"), "Bo")
	bo.write(mark("claim-why"), "My phone is in the river.")
	bo.press("claim-seat")

	g.ana.run("being told", until(`document.querySelector('[data-test="summons"] a')?.click() ?? location.pathname.endsWith("/convention")`))
	g.ana.seesIn(mark("claim"), "I was Bo, and I have lost my key")
	g.ana.press("assent-claim")
	g.ana.decided()
	bo.goTo("people")
	bo.run("having the seat", until(`document.querySelector('[data-test="person-bo"]')?.dataset.standing === "player" && document.querySelector('[data-test="person-bo"]').innerText.toLowerCase().includes("you")`))
	bo.does("Roll dice", "comment=Dry again DICE6")
	eventually(t, "both have the same state", func() bool { return bo.settled() != "" && bo.settled() == g.ana.settled() })
}
