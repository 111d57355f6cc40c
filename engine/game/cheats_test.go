//go:build !js

package game

import (
	"crypto/ed25519"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"peernomic/engine/dice"
	"peernomic/engine/entropy"
	"peernomic/engine/ledger"
	"peernomic/engine/wire"
)

// This file checks the threat table of engine/dice/SPEC.md, section 7, line by line: each cheat is
// played for real, with its actions, seals and parts, and what the game makes of it is counted. The
// cheat wants sixes. All seeds are fixed, so each measurement always comes out the same; how far it
// may be from what the table says is five standard deviations.

const (
	trials = 240
	fair   = 1.0 / 6
)

const cheatScript = "# All\n\n```starlark\n" + `
variable("bell", integer())
def throw(me, words):
    roll(6)
action("Throw", run=throw, params=[param("words", text(), default="")], who="anyone")
def ring(args):
    game.bell = roll(6)
handler("ring", ring)
def wind(me):
    schedule(now() + 1000, "ring")
action("Wind", run=wind, who="anyone")
def say(me):
    note("I am here")
action("Say", run=say, who="anyone")
def settle(me, witnesses):
    for p in everyone():
        p.standing = "player"
    game.witnesses = witnesses
action("Settle", run=settle, params=[param("witnesses", integer())], who="anyone")
` + "```\n"

// den is a game in which everybody's secrets are at hand, for those who are in league. Player 0 is
// the roller, 1 and 2 are others; device 3 is the roller's second.
type den struct {
	t      *testing.T
	game   *Game
	id     ledger.GameID
	pens   []*ledger.Pen
	chains []*entropy.Chain
	notary ed25519.PrivateKey
	links  *entropy.Chain // the notary's
	last   wire.SignedSeal
	now    int64
}

func newDen(t *testing.T, witnesses int) *den {
	t.Helper()
	random := rand.NewChaCha8([32]byte{9})
	secret, err := ledger.NewRoomSecret(random)
	must(t, err)
	keys := secret.Keys()
	d := &den{t: t, game: New(keys), now: testTime, notary: ed25519.NewKeyFromSeed(make([]byte, 32))}
	d.links, err = entropy.NewChain([32]byte{8}, 1<<13)
	must(t, err)
	var ids []*ledger.Identity
	for range 3 {
		id, err := ledger.NewIdentity(random)
		must(t, err)
		ids = append(ids, id)
	}
	ids = append(ids, ids[0])
	for range ids {
		dev, err := ledger.NewDevice(random)
		must(t, err)
		pen, err := ledger.NewPen(keys, dev)
		must(t, err)
		chain, err := dev.Chain(keys.ID)
		must(t, err)
		d.pens, d.chains = append(d.pens, pen), append(d.chains, chain)
	}
	entry, err := d.pens[0].Found(ids[0], "Ana", ledger.Genesis{
		Kernel: Kernel, Title: "Den", Notary: wire.NotaryKey(d.notary.Public().(ed25519.PublicKey)), Anchor: d.links.Anchor(), Dice: ledger.DiceBeacon,
		Ruleset: []ledger.Document{{Path: "ruleset.md", Text: "# Test\n\nA test."}, {Path: "1-core/01-all.md", Text: cheatScript}},
	}, d.now)
	must(t, err)
	d.seal(entry)
	_, d.id, _ = d.game.Replica().Genesis()
	for i, id := range ids[1:] {
		entry, err := d.pens[i+1].Enrol(id, "Bo", d.id, nil, d.now)
		must(t, err)
		d.seal(entry)
	}
	d.seal(d.act(0, "Settle", map[string]any{"witnesses": int64(witnesses)}))
	return d
}

// sign signs an action without showing it to anybody.
func (d *den) sign(device int, kind ledger.Kind, body []byte, heads ...ledger.ActionID) ledger.Entry {
	d.t.Helper()
	at := d.game.Replica().Position(d.pens[device].Device().Key())
	at.Heads = heads
	e, err := d.pens[device].Write(at, kind, body, d.now)
	must(d.t, err)
	return e
}

func (d *den) act(device int, name string, args map[string]any, heads ...ledger.ActionID) ledger.Entry {
	d.t.Helper()
	body, err := EncodeAct(name, args)
	must(d.t, err)
	return d.sign(device, ledger.KindAct, body, heads...)
}

func (d *den) throw(words string) ledger.Entry {
	return d.act(0, "Throw", map[string]any{"words": words})
}

// part is a device's part in the roll that waits, or in another.
func (d *den) part(device int, roll ledger.Entry) ledger.Entry {
	d.t.Helper()
	b, err := dice.WitnessBody{Action: roll.Action.ID(), Seal: d.last.Hash}.Encode()
	must(d.t, err)
	return d.sign(device, ledger.KindWitness, b)
}

// seal cuts the next seal and shows it, with what it orders, to the game.
func (d *den) seal(entries ...ledger.Entry) {
	d.t.Helper()
	var hashes []wire.EnvelopeHash
	for _, e := range entries {
		for _, b := range e.Envelopes {
			h, err := d.game.Receive(b)
			must(d.t, err)
			hashes = append(hashes, h)
		}
	}
	d.name(hashes...)
}

// name cuts the next seal over envelopes, held or not.
func (d *den) name(hashes ...wire.EnvelopeHash) {
	d.t.Helper()
	s, err := wire.SignSeal(d.notary, wire.Seal{
		Room: d.game.Replica().Keys().ID, Number: d.last.Number + 1, Prev: d.last.Hash, Time: d.now,
		Envelopes: hashes, Link: d.next(1),
	})
	must(d.t, err)
	must(d.t, d.game.ReceiveSeal(s.Bytes))
	d.last = s
	d.game.Advance(d.now)
	must(d.t, d.game.Broken())
}

// next is the link of the notary's n-th seal from now: what only the notary knows.
func (d *den) next(n uint64) wire.Link { return link(d.t, d.links, d.last.Number+n) }

func link(t *testing.T, c *entropy.Chain, n uint64) wire.Link {
	l, err := c.Link(n)
	must(t, err)
	return l
}

// nextOf is the link of a device's next action: what only the device knows.
func (d *den) nextOf(device int) wire.Link {
	seq, _, _ := d.game.Replica().Feed(d.pens[device].Device().Key())
	return link(d.t, d.chains[device], seq+1)
}

// shows is what a throw shows with some links.
func (d *den) shows(e ledger.Entry, seal wire.Link, wanted uint64, witnesses ...wire.Link) uint64 {
	seed := dice.WitnessedSeed([32]byte(d.id), [32]byte(e.Action.ID()), e.Action.Action().Link, seal, wanted, witnesses)
	return dice.NewStream(seed).Roll(6)
}

// grind returns a throw that shows a six by some reckoning: its words are tried until it does.
func (d *den) grind(shows func(e ledger.Entry) uint64) ledger.Entry {
	for i := 0; ; i++ {
		if e := d.throw(fmt.Sprint("words ", i)); shows(e) == 6 {
			return e
		}
	}
}

// find returns what came of an action, which must be decided.
func (d *den) find(e ledger.Entry) Entry {
	d.t.Helper()
	all := d.game.Entries()
	for i := len(all) - 1; i >= 0; i-- {
		if all[i].Action == e.Action.ID() {
			if all[i].Tentative || all[i].Void != nil || len(all[i].Outcome.Rolls) != 1 {
				d.t.Fatalf("the roll is not decided: %+v", all[i])
			}
			return all[i]
		}
	}
	d.t.Fatal("the roll is not there")
	return Entry{}
}

func came(e Entry) int {
	n := 0
	for _, w := range e.Witnesses {
		if w.Came {
			n++
		}
	}
	return n
}

// late cuts the seal that ends the witnesses' time.
func (d *den) late() {
	d.now += dice.WitnessTime
	d.seal()
}

// A cheat plays one roll and returns the entry of it that counts.
type cheat struct {
	line      string // of the threat table
	witnesses int
	want      float64 // how often it gets its six
	shown     float64 // how many of the witnesses come, on average; what is missing is shown
	play      func(d *den) Entry
}

// honest throws, and lets those who are asked come.
func honest(witnesses ...int) func(d *den) Entry {
	return func(d *den) Entry {
		e := d.throw("")
		d.seal(e)
		var parts []ledger.Entry
		for _, w := range witnesses {
			parts = append(parts, d.part(w, e))
		}
		d.seal(parts...)
		return d.find(e)
	}
}

func cheats() []cheat {
	among := func(n int) float64 { return 1 - math.Pow(5.0/6, float64(n)) }
	return []cheat{
		{line: "nobody cheats", want: fair, play: honest()},
		{line: "the roller withholds what the action depends on", want: fair, play: func(d *den) Entry {
			before := d.act(3, "Say", nil)
			body, err := EncodeAct("Throw", map[string]any{"words": ""})
			must(d.t, err)
			e := d.sign(0, ledger.KindAct, body, before.Action.ID())
			h := wire.HashEnvelope(e.Envelope())
			_, err = d.game.Receive(e.Envelope())
			must(d.t, err)
			d.name(h)
			if d.shows(e, d.last.Link, 0) != 6 { // wait for a better one
				d.seal()
			}
			d.seal(before)
			return d.find(e)
		}},
		{line: "the roller signs two actions with one number", want: fair, play: func(d *den) Entry {
			e, other := d.throw("one"), d.throw("other")
			d.seal(e)
			if d.find(e).Outcome.Rolls[0].Value != 6 {
				d.seal(other)
				if len(d.game.Replica().Forks()) == 0 {
					d.t.Fatal("a fork is not shown")
				}
			}
			return d.find(e)
		}},
		{line: "the notary delays what it cannot read", want: fair, play: func(d *den) Entry {
			// It knows its own links and the envelope, and takes the seal for which they look best.
			e := d.throw("")
			h := wire.HashEnvelope(e.Envelope())
			best, most := uint64(1), uint64(0)
			for n := uint64(1); n <= 4; n++ {
				l := d.next(n)
				if v := dice.NewStream(wire.Digest("guess", h[:], l[:])).Roll(1000); v > most {
					best, most = n, v
				}
			}
			for range best - 1 {
				d.seal()
			}
			d.seal(e)
			return d.find(e)
		}},
		{line: "roller and notary together", want: 1, play: func(d *den) Entry {
			e := d.grind(func(e ledger.Entry) uint64 { return d.shows(e, d.next(1), 0) })
			d.seal(e)
			return d.find(e)
		}},
		{line: "a third player acts before the roll is sealed", want: fair, play: func(d *den) Entry {
			// They read the action, but not the notary's link: they reckon with the last one.
			e := d.throw("")
			if d.shows(e, d.last.Link, 0) != 6 {
				d.seal(d.act(1, "Say", nil))
			}
			d.seal(e)
			return d.find(e)
		}},
		{line: "a third player and the notary together", want: among(4), play: func(d *den) Entry {
			e := d.throw("")
			for n := 1; n < 4 && d.shows(e, d.next(1), 0) != 6; n++ {
				d.seal()
			}
			d.seal(e)
			return d.find(e)
		}},

		{line: "somebody with a stolen device secret", want: fair, play: func(d *den) Entry {
			// They know the device's link and may choose the action, but reckon with the notary's last link.
			e := d.grind(func(e ledger.Entry) uint64 { return d.shows(e, d.last.Link, 0) })
			d.seal(e)
			return d.find(e)
		}},

		{line: "nobody cheats", witnesses: 2, want: fair, shown: 2, play: func(d *den) Entry {
			return honest(1, 2)(d)
		}},
		{line: "roller and notary together, an honest witness", witnesses: 1, want: fair, shown: 1, play: func(d *den) Entry {
			e := d.grind(func(e ledger.Entry) uint64 { return d.shows(e, d.next(1), 1, d.last.Link) }) // any link but the witness's
			d.seal(e)
			d.seal(d.part(d.asked(0), e))
			return d.find(e)
		}},
		{line: "roller and notary together leave the witness's part out", witnesses: 1, want: 1, shown: 0, play: func(d *den) Entry {
			e := d.grind(func(e ledger.Entry) uint64 { return d.shows(e, d.next(1), 1) })
			d.seal(e)
			part := d.part(d.asked(0), e) // its link was fixed before, whenever it comes
			d.late()
			d.seal(part)
			return d.find(e)
		}},
		{line: "roller and notary together hold the witness's own action back, to know its link", witnesses: 1, want: fair, shown: 0, play: func(d *den) Entry {
			d.seal(d.act(1, "Say", nil)) // so that this one is asked
			said := d.act(1, "Say", nil)
			known := said.Action.Action().Link
			e := d.grind(func(e ledger.Entry) uint64 { return d.shows(e, d.next(1), 1, known) })
			d.seal(e)
			if d.asked(0) != 1 {
				d.t.Fatal("another witness is asked")
			}
			d.seal(said)
			return d.find(e)
		}},
		{line: "roller, notary and the only witness together", witnesses: 1, want: 1, shown: 1, play: func(d *den) Entry {
			d.seal(d.act(1, "Say", nil)) // so that this one is asked
			e := d.grind(func(e ledger.Entry) uint64 { return d.shows(e, d.next(1), 1, d.nextOf(1)) })
			d.seal(e)
			d.seal(d.part(d.asked(0), e))
			return d.find(e)
		}},
		{line: "roller, notary and one of two witnesses together", witnesses: 2, want: fair, shown: 2, play: func(d *den) Entry {
			d.seal(d.act(1, "Say", nil))
			e := d.grind(func(e ledger.Entry) uint64 { return d.shows(e, d.next(1), 2, d.nextOf(1), d.last.Link) })
			d.seal(e)
			d.seal(d.part(1, e), d.part(2, e))
			return d.find(e)
		}},
		{line: "a witness who comes, alone, and late if the result does not please", witnesses: 1, want: fair, shown: 1, play: func(d *den) Entry {
			e := d.throw("")
			d.seal(e)
			part := d.part(d.asked(0), e) // its link was fixed before, whenever it comes
			if d.shows(e, d.last.Link, 0) != 6 {
				d.seal()
			}
			d.seal(part)
			return d.find(e)
		}},
		{line: "a witness who withholds", witnesses: 1, want: among(2), shown: 1 - fair*5/6, play: func(d *den) Entry {
			e := d.throw("")
			d.seal(e)
			w := d.asked(0)
			if d.shows(e, d.last.Link, 1) == 6 && d.shows(e, d.last.Link, 1, d.nextOf(w)) != 6 {
				d.late()
			} else {
				d.seal(d.part(w, e))
			}
			return d.find(e)
		}},
		{line: "two witnesses together who withhold", witnesses: 2, want: among(4), shown: -1, play: func(d *den) Entry {
			e := d.throw("")
			d.seal(e)
			a, b := d.asked(0), d.asked(1)
			la, lb := d.nextOf(a), d.nextOf(b)
			switch uint64(6) {
			case d.shows(e, d.last.Link, 2, la):
				d.seal(d.part(a, e))
				d.late()
			case d.shows(e, d.last.Link, 2, lb):
				d.seal(d.part(b, e))
				d.late()
			case d.shows(e, d.last.Link, 2):
				d.late()
			default:
				d.seal(d.part(a, e), d.part(b, e))
			}
			return d.find(e)
		}},
		{line: "a witness who tries later links instead of the own", witnesses: 1, want: among(2), shown: -1, play: func(d *den) Entry {
			e := d.throw("")
			d.seal(e)
			w := d.asked(0)
			if d.shows(e, d.last.Link, 1, d.nextOf(w)) == 6 {
				d.seal(d.part(w, e))
				return d.find(e)
			}
			placed := d.last
			d.seal(d.act(w, "Say", nil)) // uses the own link up
			b, err := dice.WitnessBody{Action: e.Action.ID(), Seal: placed.Hash}.Encode()
			must(d.t, err)
			d.seal(d.sign(w, ledger.KindWitness, b)) // with the next, and whatever it shows
			return d.find(e)
		}},
	}
}

// asked returns the number of the device that is asked as the i-th.
func (d *den) asked(i int) int {
	d.t.Helper()
	w := d.game.Waiting()
	if w == nil || i >= len(w.Witnesses) {
		d.t.Fatalf("nobody is asked: %+v", w)
	}
	for n, p := range d.pens {
		if p.Device().Key() == w.Witnesses[i].Device {
			return n
		}
	}
	d.t.Fatal("somebody unknown is asked")
	return 0
}

// TestCheats measures every line of the threat table.
func TestCheats(t *testing.T) {
	for _, c := range cheats() {
		t.Run(fmt.Sprintf("witnessed(%d), %s", c.witnesses, c.line), func(t *testing.T) {
			d := newDen(t, c.witnesses)
			sixes, shown := 0, 0
			for range trials {
				d.now += 1000
				e := c.play(d)
				if e.Outcome.Rolls[0].Value == 6 {
					sixes++
				}
				shown += came(e)
				if e.Wanted != c.witnesses {
					t.Fatalf("the roll says %d witnesses", e.Wanted)
				}
			}
			rate := float64(sixes) / trials
			t.Logf("sixes: %.1f %%, expected %.1f; witnesses that came: %.2f of %d", 100*rate, 100*c.want, float64(shown)/trials, c.witnesses)
			if allowed := 5 * math.Sqrt(c.want*(1-c.want)/trials); math.Abs(rate-c.want) > allowed {
				t.Errorf("the cheat got its six in %.1f %% of its rolls, and the table says %.1f", 100*rate, 100*c.want)
			}
			if c.shown >= 0 && math.Abs(float64(shown)/trials-c.shown) > 0.12 {
				t.Errorf("%.2f witnesses came on average, want %.2f", float64(shown)/trials, c.shown)
			}
		})
	}
}

// The line of the timer's dice: whoever knows the notary's links sees them before, and chooses among
// as many as there is time to skip by an empty seal.
func TestCheatWithTimers(t *testing.T) {
	d := newDen(t, 0)
	sixes := 0
	for i := range trials {
		d.now += 1000
		d.seal(d.act(0, "Wind", nil))
		shows := func() uint64 {
			seed := dice.TimerSeed([32]byte(d.id), timerName(int64(i+1)), d.next(1))
			return dice.NewStream(seed).Roll(6)
		}
		for n := 1; n < 4 && shows() != 6; n++ {
			d.seal() // before the timer is due
		}
		want := shows()
		d.now += 1000
		d.seal()
		v, _ := d.game.World().GameCell("bell")
		if v != int64(want) {
			t.Fatalf("the timer rolled %v, foreseen was %d", v, want)
		}
		if v == int64(6) {
			sixes++
		}
	}
	want, rate := 1-math.Pow(5.0/6, 4), float64(sixes)/trials
	t.Logf("sixes: %.1f %%, expected %.1f", 100*rate, 100*want)
	if math.Abs(rate-want) > 5*math.Sqrt(want*(1-want)/trials) {
		t.Errorf("the cheat got its six in %.1f %% of the timers, and the table says %.1f", 100*rate, 100*want)
	}
}
