package e2e

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"peernomic/engine/ledger"
)

// The words of the Alien's Calls in this story; the first is never said aloud.
const distress, mobbing = "quarry", "cakes"

// TestInfectedInTwoBrowsers is a story of words: a draft that the rules recognise, votes of several icons
// that do what was stated of them, a map of who is where, and a secret that nobody else holds.
func TestInfectedInTwoBrowsers(t *testing.T) {
	g := &table{t: t, server: startServer(t), matters: map[string]string{}}
	g.ana = launch(t, "Ana", layCable(t, g.server))
	g.ana.open("/")
	g.ana.press("found")
	invite := g.ana.foundsBy("Infected", "The Landing", "kevan=Ana")
	g.bo = launch(t, "Bo", layCable(t, g.server))
	g.bo.comesIn(invite, "Apply")
	g.ana.admits("Bo")
	g.ana.does("Choose the Calls", "distress="+distress, "mobbing="+mobbing)

	const title = "Proposal: A Pit"
	g.bo.visit("propose")
	g.bo.write(mark("propose-title"), title)
	g.bo.write(mark("propose-body"), "Where the "+mobbing+" are kept.")
	g.bo.press("add-enact")
	g.bo.choose(`:has(> [data-test="pick-after"])`, "below 2.6 The Chambers")
	g.bo.write(mark("edit-prose"), "# The Pit\n\nDeep and dark.")
	g.bo.seesIn(mark("recognised"), "A Dynastic and Hive Proposal.")
	g.bo.seesIn(mark("recognised"), "A vote FOR with the word Dig moves into The Pit anybody")
	g.bo.seesIn(mark("recognised"), "nobody could vote twice")
	g.submit(g.bo, title)

	g.open(g.ana, title)
	g.ana.row("against", "against", "against", "against", "against", "against", "arrow")
	g.ana.seesIn(mark("vote-effect"), "This would not be taken: the Alien's Opinion of this Proposal is FOR.")
	g.ana.run("taking them out", until(`document.querySelector('[data-test="vote-line"] li:last-child button')?.click() ?? document.querySelector('[data-test="vote-line"]') === null`))
	g.ana.row("for", "for", "for", "for", "against", "veto", "arrow")
	g.ana.seesIn(mark("vote-effect"), "The Alien's vote becomes FOR (digs: goes into The Pit when it is enacted).")
	g.ana.seesIn(mark("vote-effect"), "It is no vote of your own. That makes 2 FOR, 0 AGAINST, with a quorum of 2.")
	g.ana.fits("the vote")
	g.ana.press("comment-submit")

	g.open(g.bo, title)
	g.bo.run("seeing the Alien's vote", until(`document.querySelector('[data-test="vote-of-the-alien"]')?.dataset.counts === "FOR"`))
	g.bo.row("for", "for")
	g.bo.write(mark("comment-text"), "I dig it.")
	g.bo.seesIn(mark("vote-effect"), "Your vote counts as FOR (counts once; digs: goes into The Pit when it is enacted).")
	g.bo.press("comment-submit")
	g.bo.seesIn(mark("comment"), "I dig it.")

	g.server.advance(12*time.Hour + time.Minute)
	g.ana.does("Roll dice", "comment=DICE6")
	g.enact(g.ana, title)
	for _, b := range []*browser{g.ana, g.bo} {
		b.visit("boards/chambers")
		b.seesIn(mark("card-the-pit"), "Bo")
		b.seesIn(mark("card-the-pit"), "The Alien")
		if pit := b.read(`document.querySelector('[data-test="card-the-pit"]').innerText`); strings.Contains(pit, "Ana") {
			t.Errorf("%s sees in the Pit who did not dig: %s", b.name, pit)
		}
	}

	g.bo.visit("settings")
	chapters, err := ledger.ReadArchive(g.bo.download("export"))
	if err != nil {
		t.Fatal(err)
	}
	var said []byte
	for _, p := range chapters[0].Placed() {
		said = append(said, p.Body()...)
	}
	if !bytes.Contains(said, []byte("Where the "+mobbing+" are kept.")) {
		t.Fatal("the export does not hold what was said aloud, so it proves nothing that it lacks a secret")
	}
	if bytes.Contains(said, []byte(distress)) {
		t.Error("the export holds a word that is Ana's secret")
	}
}

// row taps icons for a vote, one after the other.
func (b *browser) row(icons ...string) {
	b.t.Helper()
	for n, icon := range icons {
		b.press("icon-" + icon)
		b.run("seeing the icon in the line", until(`document.querySelectorAll('[data-test="vote-line"] li').length === `+js(n+1)))
	}
}
