package e2e

import (
	"strings"
	"testing"
	"time"
)

// These tests move games to other rooms, as players do it: docs/stuck.md.

// moves moves the game of a page to a relay, and comes into the new room.
func (b *browser) moves(to *server, why string, leftOut ...string) {
	b.t.Helper()
	b.visit("settings")
	b.press("to-move")
	b.write(mark("move-relay"), "http://"+to.addr)
	b.write(mark("move-why"), why)
	for _, name := range leftOut {
		b.press("invite-" + slugOf(name))
	}
	old := b.room()
	b.press("move-submit")
	b.run("coming into the new room", until(`/\/now$/.test(location.pathname) && !location.pathname.includes(`+js(old)+`)`))
}

// room is that of the page.
func (b *browser) room() string {
	b.t.Helper()
	room, err := evaluate[string](b, `location.pathname.split("/")[2]`)
	if err != nil {
		b.t.Fatal(err)
	}
	return room
}

// called follows the line on top of the page that says that somebody moved the game.
func (b *browser) called() {
	b.t.Helper()
	b.run("hearing of the move", until(`document.querySelector('[data-test="summons"][data-page="move"] a')?.click() ?? location.pathname.endsWith("/move")`))
}

// goesAlong goes to the room of the first offer, once that is compared.
func (b *browser) goesAlong() {
	b.t.Helper()
	old := b.room()
	b.press("go-along")
	b.run("coming into the new room", until(`location.pathname.startsWith("/g/") && !location.pathname.includes(`+js(old)+`)`))
}

// The relay is dead for good, and four players are linked directly. Ana opens a room at another relay and the others go
// along; Bo by clicks alone, and what he did meanwhile he does again. Ana's old room says where the game is.
func TestMoveFromADeadRelay(t *testing.T) {
	server, next := startServer(t), startServer(t)
	g := twoPlay(t, server)
	for _, b := range []*browser{g.ana, g.bo} {
		b.mayAsk(next.addr)
	}
	g.ana.goTo("settings")
	invite := g.ana.value(mark("invite"))
	g.cy, g.di = joins(t, invite, "Cy"), joins(t, invite, "Di")
	for _, h := range []*headless{g.cy, g.di} {
		h.acts("Introduce yourself", "name="+h.name)
		g.ana.admits(h.name)
		eventually(t, h.name+" is linked directly with the others", func() bool { return h.tell("show").Direct >= 2 })
	}
	g.linked()
	g.bo.does("Cookie Allowance")
	g.agree("before the relay dies")
	old := g.ana.room()
	g.ana.workerIsReady()
	for _, b := range []*browser{g.ana, g.bo} {
		b.expectOffline(true)
	}
	server.kill()
	g.bo.does("Roll dice", "comment=Is anybody there DICE6") // it never gets a place

	start := time.Now()
	g.ana.moves(next, "The relay is dead.")
	g.bo.sees("moved the game to another room: The relay is dead.")
	g.bo.called()
	g.bo.seesIn(mark("offer"), "begins exactly as this one was")
	g.bo.seesIn(mark("offer"), "1 of 4: Ana")
	g.picture(g.bo, "move")
	g.bo.goesAlong()
	g.cy.goesAlong()
	g.di.goesAlong()
	took := time.Since(start)
	report("a game of four moved from a dead relay: %.1f s", took.Seconds())
	if took > time.Minute {
		t.Errorf("it took %s", took)
	}
	g.bo.run("being asked about what was left behind", until(`document.querySelector('[data-test="again"]') !== null`))
	g.bo.press("again")
	g.bo.run("having nothing left behind", until(`document.querySelector('[data-test="behind"]') === null`))
	g.agree("in the new room")
	g.ana.visit("tracker")
	g.ana.seesIn(mark("entry"), "Is anybody there")
	g.ana.does("Roll dice", "comment=Here I am DICE6")
	g.agree("after play went on")
	g.bo.goTo("people")
	g.bo.run("having his seat", until(`document.querySelector('[data-test="person-bo"]')?.dataset.standing === "player" && document.querySelector('[data-test="person-bo-2"]') === null`))

	g.ana.open("/g/" + old + "/rules")
	g.ana.seesIn(mark("later"), "This is an earlier chapter.")
	g.ana.press("to-later")
	g.ana.run("coming back to the game", until(`/\/now$/.test(location.pathname) && !location.pathname.includes(`+js(old)+`)`))
	g.ana.open("/")
	g.ana.run("seeing one game", until(`document.querySelectorAll('[data-test="game"]').length === 1`))
}

// Bo was away while the game moved. He opens the room that he knows, and is led to the new one. Whoever holds the old
// link and was left out gets no invitation and no link.
func TestMoveFindsWhoWasAway(t *testing.T) {
	server, next := startServer(t), startServer(t)
	g := twoPlay(t, server)
	for _, b := range []*browser{g.ana, g.bo} {
		b.mayAsk(next.addr)
	}
	g.ana.goTo("settings")
	leaked := g.ana.value(mark("invite"))
	old := g.bo.room()
	g.bo.open("/verify") // he is away
	mal := launch(t, "Mal", layCable(t, server))
	mal.comesBy(leaked)
	g.ana.moves(next, "The link has leaked.")
	g.ana.does("Roll dice", "comment=A secret DICE6")

	mal.visit("move")
	mal.run("seeing that she is left out", until(`document.querySelector('[data-test="offer"]')?.dataset.state === "out"`))
	if text := mal.text(); strings.Contains(text, next.addr) || mal.shows(mark("go-along")) {
		t.Errorf("Mal is told where the game is:\n%s", text)
	}

	g.bo.open("/g/" + old + "/now")
	g.bo.called()
	g.bo.goesAlong()
	g.bothAgree("in the new room")
	g.bo.visit("tracker")
	g.bo.seesIn(mark("entry"), "A secret")
}
