package e2e

import (
	"crypto/ed25519"
	"crypto/rand"
	"encoding/hex"
	"slices"
	"strconv"
	"testing"
	"time"

	"peernomic/app/simtest"
	"peernomic/engine/ledger"
	"peernomic/engine/wire"
	"peernomic/signal/dial"
	"peernomic/signal/refusal"
)

// finds waits until the page of settings names what was refused by a check, with a sentence.
func (b *browser) finds(why string) {
	b.t.Helper()
	b.run("finding that something was refused: "+why, until(`(() => {
		const found = document.querySelector('[data-test="finding-`+why+`"]');
		return found !== null && found.innerText.includes("(`+why+`, ") && found.innerText.split(" ").length > 4;
	})()`))
}

// holds waits until a browser has seals up to a number.
func (b *browser) holds(seals uint64) {
	b.t.Helper()
	b.goTo("settings")
	eventually(b.t, b.name+" has what the relay sealed", func() bool {
		n, err := strconv.ParseUint(b.read(`document.querySelector('[data-test="fact-seals"] dd')?.textContent ?? ""`), 10, 64)
		return err == nil && n >= seals
	})
}

// TestHostileMember has somebody in the room who forges whatever the specification lets one forge.
// It is refused by name, nothing in the game moves, and play goes on.
func TestHostileMember(t *testing.T) {
	server := startServer(t)
	server.advance(time.Until(time.Now().UTC().Truncate(24 * time.Hour).Add(36 * time.Hour))) // noon: no day begins meanwhile
	g := twoPlay(t, server)
	g.ana.goTo("settings")
	mal := breaksIn(t, g.ana.value(mark("invite")))
	mal.comesIn("Mal")
	unmoved := func(what string, before string) {
		t.Helper()
		for _, b := range []*browser{g.ana, g.bo} {
			b.holds(mal.seals())
			if now := b.digest(); now != before {
				t.Errorf("%s has the state %s after %s, %s before", b.name, now, what, before)
			}
		}
	}
	same := func(when string) string {
		t.Helper()
		for _, b := range []*browser{g.ana, g.bo} {
			b.holds(mal.seals())
		}
		g.bothAgree(when)
		return g.ana.digest()
	}
	before := same("when Mal has come in")

	// What is no action of this game: bytes, signatures, numbers, links, times, another game.
	for _, kind := range simtest.Forgeries() {
		b, why := mal.forges(kind)
		if why == "" {
			continue // it waits for what does not exist: no verdict
		}
		mal.posts(b)
		unmoved(kind, before)
		for _, b := range []*browser{g.ana, g.bo} {
			b.finds(string(why))
		}
	}

	// A good action that claims a time to come is void.
	mal.does(mal.writes(mal.now()+2*ledger.MaxClaimAhead, "Roll dice", map[string]any{"comment": "From the future DICE6"}))
	unmoved("an action of the future", before)
	for _, b := range []*browser{g.ana, g.bo} {
		b.seesIn(mark("finding-claimed"), "far ahead of the seal")
	}

	// Whoever was not admitted, or says that it was long ago, does nothing: the rules refuse, and say so.
	cookies := func(b *browser) string {
		b.visit("tracker/players")
		b.run("seeing the players", until(`document.querySelector('tr[data-label="Ana"]') !== null`))
		return b.read(`[...document.querySelectorAll("main tr[data-label] td")].map((td) => td.dataset.value).join(" ")`)
	}
	values := cookies(g.ana)
	first := mal.writes(mal.now()-400*24*60*60*1000, "Cookie Allowance", nil)
	second := mal.writes(mal.now(), "Feed", nil)
	mal.does(first)
	after := same("after Mal acted")
	for _, b := range []*browser{g.ana, g.bo} {
		if now := cookies(b); now != values {
			t.Errorf("%s's tracker is %q after Mal acted, %q before", b.name, now, values)
		}
		b.seesIn(mark("entry")+`[data-action="Cookie Allowance"][data-refused="true"]`, "Refused:")
	}

	// The same again is nothing new. Another action with the same number is a fork.
	seals := mal.seals()
	mal.posts(first.Envelope())
	if now := mal.seals(); now != seals {
		t.Errorf("a repetition was sealed: %d seals after it, %d before", now, seals)
	}
	unmoved("a repetition", after)
	mal.does(second)
	unmoved("a fork", after)
	for _, b := range []*browser{g.ana, g.bo} {
		b.finds(string(ledger.CodeFork))
		b.seesIn(mark("alarm"), "Mal: a device has signed two different actions")
		b.goTo("people")
		b.seesIn(mark("person-mal")+" "+mark("fork"), "has signed two different actions with the number "+strconv.FormatUint(first.Action.Action().Seq, 10))
		b.press("keys-mal")
		b.run("seeing the proof", until(`document.querySelectorAll('[data-test="person-mal"] [data-test^="fact-number-"]').length === 2`))
		proof := ledger.ForkProof{Device: mal.pen.Device().Key(), Seq: first.Action.Action().Seq}
		for i, one := range []*[]byte{&proof.First, &proof.Second} {
			text := b.read(`document.querySelectorAll('[data-test="person-mal"] [data-test^="fact-number-"] dd')[` + strconv.Itoa(i) + `].innerText`)
			var err error
			if *one, err = hex.DecodeString(text); err != nil {
				t.Fatal(err)
			}
		}
		if err := proof.Check(); err != nil {
			t.Errorf("the proof that %s sees is none: %v", b.name, err)
		}
	}

	// Over direct links there is no relay between: seals by another key, and what is no message.
	links := mal.linked(2)
	last := mal.lastSeal()
	key := ed25519.NewKeyFromSeed(make([]byte, 32))
	forged, err := wire.SignSeal(key, wire.Seal{Room: last.Room, Game: last.Game, Number: last.Number + 1, Prev: last.Hash, Time: mal.now()})
	if err != nil {
		t.Fatal(err)
	}
	next, err := wire.SignSeal(key, wire.Seal{Room: last.Room, Game: last.Game, Number: last.Number + 2, Prev: forged.Hash, Time: mal.now()})
	if err != nil {
		t.Fatal(err)
	}
	unsigned := slices.Clone(next.Bytes)
	unsigned[len(unsigned)-1] ^= 1
	mal.tells(links, wire.Seals{Seals: [][]byte{forged.Bytes}})
	mal.tells(links, wire.Seals{Seals: [][]byte{unsigned}})
	mal.tells(links, wire.Seals{Seals: [][]byte{{1}}})
	mal.throws(links, []byte{6, 0x80})
	for _, b := range []*browser{g.ana, g.bo} {
		b.goTo("settings")
		for _, why := range []ledger.Code{ledger.CodeNotary, ledger.CodeSealSign, ledger.CodeSeal, ledger.Code(refusal.Garbled)} {
			b.finds(string(why))
		}
	}
	unmoved("forged seals", after)

	// The relay refuses by itself what it can judge, and whoever has not the link.
	stranger, err := ledger.NewRoomSecret(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	seal, err := wire.EncodeMessage(wire.Seals{Seals: [][]byte{forged.Bytes}})
	if err != nil {
		t.Fatal(err)
	}
	keys := stranger.Keys()
	for _, test := range []struct {
		what string
		got  *dial.RefusedError
		want refusal.Code
	}{
		{"no message", mal.knocks(mal.keys.ID, mal.keys.Sign, []byte{6, 0x80}), refusal.Garbled},
		{"too long a frame", mal.knocks(mal.keys.ID, mal.keys.Sign, make([]byte, wire.MaxFrame+1)), refusal.Oversize},
		{"a seal", mal.knocks(mal.keys.ID, mal.keys.Sign, seal), refusal.Unexpected},
		{"a stranger at this room", mal.knocks(mal.keys.ID, keys.Sign, nil), refusal.Proof},
		{"a stranger at another room", mal.knocks(keys.ID, keys.Sign, nil), refusal.NoRoom},
	} {
		if test.got.Code != test.want || test.got.Text == "" {
			t.Errorf("%s is refused with %q, %q; want %q", test.what, test.got.Code, test.got.Text, test.want)
		}
	}
	unmoved("what the relay refused", after)
	lost, closeLost := g.bo.tab()
	lost.open("/#/join/" + ledger.InviteText(stranger, mal.invite.Game))
	lost.seesIn("main", "The relay knows no such room")
	closeLost()

	// All of this is in the log, and the game is what it was, and goes on.
	g.bo.run("loading the page anew", reload())
	g.bo.ready()
	unmoved("loading anew", after)
	for _, b := range []*browser{g.bo, g.ana} {
		b.does("Roll dice", "comment=Unmoved DICE6")
		g.bothAgree("after " + b.name + " went on")
		b.goTo("settings")
		b.finds(string(ledger.CodeSignature))
	}
}

// Whoever came by the link and was not admitted sees why nothing is open, and can do nothing.
func TestWhoIsNotAdmittedCannotPlay(t *testing.T) {
	server := startServer(t)
	ana := launch(t, "Ana", layCable(t, server))
	ana.open("/")
	ana.press("found")
	invite := ana.founds("The Dragon Farm")
	bo := launch(t, "Bo", layCable(t, server))
	bo.comesBy(invite)
	bo.goTo("now")
	bo.sees("Not open to you now")
	for _, action := range []string{"adopt", "cookie-allowance", "propose"} {
		if bo.shows(mark("do-"+action)) || bo.shows(mark("action-"+action)) {
			t.Errorf("%s is offered to somebody who was not admitted", action)
		}
	}
	cy := joins(t, invite, "Cy")
	if e := cy.tell(`act "Cookie Allowance"`); e.Event == "done" || e.Text == "" {
		t.Errorf("who was not admitted acts: %+v", e)
	}
	ana.admits("Bo")
	bo.does("Cookie Allowance")
}
