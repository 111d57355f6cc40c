package e2e

import (
	"fmt"
	"testing"

	"peernomic/engine/ledger"
)

// netState is true in a page that says that it stands so to the others.
func netState(state string) string {
	return fmt.Sprintf(`(document.querySelector('[data-test="net-state"]')?.dataset.state === %s)`, js(state))
}

// Two tabs of one browser are one device: the second reads along and hands its actions to the first;
// when the first is closed, the second goes on by itself, in the same feed.
func TestSecondTabReadsAlongAndTakesOver(t *testing.T) {
	server := startServer(t)
	ana := launch(t, "Ana", layCable(t, server))
	first, closeFirst := ana.tab()
	first.open("/found")
	invite := first.founds("Two Tabs")
	cy := joins(t, invite, "Cy")
	address, err := evaluate[string](first, `location.pathname`)
	if err != nil {
		t.Fatal(err)
	}
	same := func(when string, tabs ...*browser) {
		t.Helper()
		eventually(t, "all have the same state "+when, func() bool {
			digest := cy.digest()
			for _, tab := range tabs {
				if tab.settled() != digest {
					return false
				}
			}
			return digest != ""
		})
	}

	second := ana
	second.open(address)
	second.run("reading along", until(netState("reader")))
	same("in both tabs", first, second)

	second.does("Roll dice", "comment=From the second tab DICE6")
	same("after the second tab acted", first, second)
	first.visit("tracker")
	first.seesIn(mark("entry"), "From the second tab")
	first.does("Roll dice", "comment=From the first tab DICE6")
	same("after the first tab acted", first, second)

	closeFirst()
	second.run("taking over", until("!"+netState("reader")))
	second.does("Roll dice", "comment=On my own DICE6")
	same("after the second tab acted alone", second)
	second.visit("tracker")
	for _, comment := range []string{"From the second tab", "From the first tab", "On my own"} {
		second.seesIn(mark("entry"), comment)
	}
	second.didNotFork()
}

// didNotFork fails if the exported game holds a proof that a device signed two different actions with
// one number.
func (b *browser) didNotFork() {
	b.t.Helper()
	b.visit("settings")
	chapters, err := ledger.ReadArchive(b.download("export"))
	if err != nil {
		b.t.Fatal(err)
	}
	replica := chapters[len(chapters)-1]
	if forks := replica.Forks(); len(forks) > 0 {
		b.t.Errorf("%d devices forked their feeds", len(forks))
	}
}
