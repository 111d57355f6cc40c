package e2e

import (
	"fmt"
	"net/url"
	"strings"
	"testing"
)

// How games begin.

// founds fills in the form for founding a game of dragons, in the player's own name, with options of
// the ruleset as "name=value", and returns the invite link.
func (b *browser) founds(title string, options ...string) string {
	b.t.Helper()
	return b.foundsBy("Dragons", title, options...)
}

// foundsBy is founds with another ruleset.
func (b *browser) foundsBy(ruleset, title string, options ...string) string {
	b.t.Helper()
	b.choose("main form", ruleset)
	for _, o := range options {
		name, value, _ := strings.Cut(o, "=")
		b.write("#option-"+slugOf(name), value)
	}
	b.write(mark("found-name"), b.name)
	b.write(mark("found-title"), title)
	b.press("found-submit")
	b.sees(title)
	b.goTo("settings")
	return b.value(mark("invite"))
}

// comesBy enters a game of dragons by its invite link and asks to play.
func (b *browser) comesBy(invite string) {
	b.t.Helper()
	b.comesIn(invite, "Introduce yourself")
}

// comesIn enters a game by its invite link and asks to play by the rules' own action.
func (b *browser) comesIn(invite, ask string) {
	b.t.Helper()
	b.open(afterHost(b.t, invite))
	b.write(mark("join-name"), b.name)
	b.press("join-submit")
	b.run("coming into the game", until(`/\/now$/.test(location.pathname)`))
	b.does(ask)
}

// admits lets somebody play who asked to.
func (b *browser) admits(name string) {
	b.t.Helper()
	b.goTo("people")
	b.pressAt(mark("admit-"+slugOf(name)) + " button[type=submit]")
	b.run("seeing "+name+" play", until(fmt.Sprintf(
		`document.querySelector('[data-test="person-%s"]')?.dataset.standing === "player"`, slugOf(name))))
}

// afterHost is a link's path and fragment: each browser reaches the server by a cable of its own.
func afterHost(t *testing.T, link string) string {
	t.Helper()
	u, err := url.Parse(link)
	if err != nil || u.Fragment == "" {
		t.Fatalf("the invite link is %q (%v)", link, err)
	}
	return u.Path + "#" + u.Fragment
}

// digest is the confirmed state as the page has it; empty while it has none.
func (b *browser) digest() string {
	b.t.Helper()
	return b.data(mark("badge"), "digest")
}

// settled is the digest once everything that the player did has its place, and empty before: until then equal digests do not say that
// the others have it.
func (b *browser) settled() string {
	b.t.Helper()
	if b.shows(mark("pending")) {
		return ""
	}
	return b.digest()
}
