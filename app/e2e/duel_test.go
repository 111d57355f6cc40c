package e2e

import (
	"strings"
	"testing"
)

// TestTwoBrowsersFightADuel plays what rules draw on pages of their own: the shop, a Breeding, a Duel to
// its end, and an Egg. Whatever the dice show, it goes the same way.
func TestTwoBrowsersFightADuel(t *testing.T) {
	server := startServer(t)
	ana := launch(t, "Ana", layCable(t, server))
	ana.open("/")
	ana.press("found")
	invite := ana.founds("The Arena", "head=none")
	bo := launch(t, "Bo", layCable(t, server))
	bo.comesBy(invite)
	ana.admits("Bo")
	g := &table{t: t, server: server, ana: ana, bo: bo}

	ana.does("Adopt", "name=Smaug", "color=Red")
	bo.does("Adopt", "name=Norbert", "color=Green")
	ana.does("Cookie Allowance")
	bo.does("Cookie Allowance")
	bo.doesThere("boards/shop", "Charm of Thorns", "Buy")
	bo.seesIn("main", "You have 10 Cookies.")
	bo.seesIn(mark("card-resist-ring"), "You are 20 Cookies short.")
	bo.fits("the shop")

	// What waits for Bo stands under Now, and leads to where it is done.
	ana.does("Breeding", "mate=Norbert")
	bo.follows("Answer to [Breeding] (Smaug) + (Norbert)")
	bo.doesThere("boards/nursery", "", "Answer Breeding", "icon=FOR")
	bo.follows("Eggs of (Smaug) + (Norbert) to claim")
	bo.doesThere("boards/nursery", "", "Claim Eggs")
	bo.seesIn(mark("card-red-egg"), "of (Smaug) + (Norbert)")
	bo.fits("the nursery")
	g.edit(ana, "Norbert", "heartbeat", "5", "To make it short")

	ana.does("Announce Duel", "guest=Bo", "bet=5")
	bo.follows("Answer to [Duel] Smaug against Bo")
	bo.doesThere("boards/battle/1", "", "Join Duel")
	bo.seesIn(mark("thread"), "Norbert joins.")
	bo.visit("boards/battle/1")
	if first := bo.read(`document.querySelector('[data-test="board"]').innerText`); strings.Contains(first, "Ana's turn") {
		ana.doesThere("boards/battle/1", "", "Defend!")
	}
	bo.follows("Turn in [Duel] Smaug against Bo")
	bo.doesThere("boards/battle/1", "", "Use Potion")
	bo.seesIn(mark("thread"), "Using Charm of Thorns: Muscle +")
	bo.seesIn(mark("board"), "You have used it in this turn.")
	bo.doesThere("boards/battle/1", "", "Dragon Roar", "stat=Flame")
	bo.seesIn(mark("board"), "Ana's turn")

	// Ana sees what her Move would do before she makes it, and the whole of it when it is done.
	ana.follows("Turn in [Duel] Smaug against Bo")
	ana.seesIn(mark("closed-dragon-dive"), "Smaug did not fly in its previous turn")
	ana.seesIn(mark("forecast-dragon-claw"), "Norbert: Heartbeat 5 → 0")
	ana.fits("the battle")
	ana.doesThere("boards/battle/1", "", "Dragon Claw", "stat=Wings")
	for _, b := range []*browser{ana, bo} {
		b.visit("boards/battle/1")
		b.seesIn(mark("board"), "Won by Ana")
		b.seesIn(mark("board"), "Ana gained 10 Cookies, and each of the two 1 for the 5 Heartbeat that was lost.")
		b.seesIn(mark("thread"), "Dragon Claw: 5 damage; Norbert is Dead.")
		b.visit("tracker/players")
		for name, cookies := range map[string]string{"Ana": "36", "Bo": "6"} {
			if got := b.data(`tr[data-label="`+name+`"] [data-test$="-cookies"]`, "value"); got != cookies {
				t.Errorf("%s reads that %s has %s Cookies, want %s", b.name, name, got, cookies)
			}
		}
	}

	bo.goTo("now")
	bo.seesIn(mark("need-due"), "Norbert is Dead.")
	bo.doesThere("boards/nursery", "", "Hatch", "name=Egbert")
	for _, b := range []*browser{ana, bo} {
		b.visit("cards/dragons")
		b.seesIn(mark("card-egbert"), "Red")
		if b.shows(mark("card-norbert")) {
			t.Errorf("%s still sees Norbert", b.name)
		}
	}
	eventually(t, "both have the same state", func() bool {
		digest := ana.settled()
		return digest != "" && bo.settled() == digest
	})
}

// follows goes from what waits under Now to where it is done.
func (b *browser) follows(title string) {
	b.t.Helper()
	b.goTo("now")
	b.seesIn(mark("need-due"), title)
	b.run("following "+title, until(`(() => {
		const card = [...document.querySelectorAll('[data-test="need-due"]')].find((e) => e.innerText.includes(`+js(title)+`));
		card?.querySelector("a").click();
		return card !== undefined;
	})()`), until(`document.querySelector('[data-test="board"]') !== null`))
}
