//go:build !js

package game

import (
	"cmp"
	"crypto/ed25519"
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"sync"
	"testing"

	"peernomic/engine/dice"
	"peernomic/engine/entropy"
	"peernomic/engine/ledger"
	"peernomic/engine/wire"
)

// This file checks the threat table of engine/dice/SPEC.md, section 7, line by line: each cheat is
// played for real, with its actions, seals and parts, and what the game makes of it is counted. The
// cheat wants sixes. All seeds are fixed, so each measurement always comes out the same; it has to be
// where 99 of 100 such measurements are if the table is right. That keeps 18.5 % from passing for
// fair, and fair from passing for any cheat that gains: TestMeasurementsAreSharp.

const (
	fair = 1.0 / 6

	fairTrials = 3000 // of what the table says gains nothing
	gainTrials = 600
	denTrials  = 150 // in one den: a long log makes a game slow
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

// den is a game in which everybody's secrets are at hand, for those who are in league. Devices 0 and
// 3 are the roller's, each other is another player's.
type den struct {
	t      *testing.T
	game   *Game
	keys   ledger.RoomKeys
	id     ledger.GameID
	ids    []*ledger.Identity // of the devices
	pens   []*ledger.Pen
	chains []*entropy.Chain
	notary ed25519.PrivateKey
	links  *entropy.Chain // the notary's
	last   wire.SignedSeal
	now    int64
}

// cast is who plays in all dens: chains take long to grow, and nothing of it changes.
var cast = sync.OnceValue(func() *den {
	random := rand.NewChaCha8([32]byte{9})
	secret := need(ledger.NewRoomSecret(random))
	d := &den{keys: secret.Keys(), links: need(entropy.NewChain([32]byte{8}, 1<<16))}
	for n := range 12 {
		if n == second {
			d.ids = append(d.ids, d.ids[0])
		} else {
			d.ids = append(d.ids, need(ledger.NewIdentity(random)))
		}
		dev := need(ledger.NewDevice(random))
		d.pens = append(d.pens, need(ledger.NewPen(d.keys, dev)))
		d.chains = append(d.chains, need(dev.Chain(d.keys.ID)))
	}
	return d
})

const second = 3 // the roller's second device

func need[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// newDen opens a den with some devices. Dens with other numbers roll other dice.
func newDen(t *testing.T, number, devices, witnesses int) *den {
	t.Helper()
	d := *cast()
	d.t, d.now = t, testTime+int64(number)
	d.notary = ed25519.NewKeyFromSeed(make([]byte, 32))
	entry, err := d.pens[0].Found(d.ids[0], "Ana", ledger.Genesis{
		Kernel: Kernel, Title: "Den", Notary: wire.NotaryKey(d.notary.Public().(ed25519.PublicKey)), Anchor: d.links.Anchor(), Dice: ledger.DiceBeacon,
		Ruleset: []ledger.Document{{Path: "ruleset.md", Text: "# Test\n\nA test."}, {Path: "1-core/01-all.md", Text: cheatScript}},
	}, d.now)
	must(t, err)
	d.id = ledger.GameID(entry.Action.ID())
	d.game = New(d.keys, d.id)
	d.seal(entry)
	for n := devices - 1; n > 0; n-- { // so 1 and 2 are the last to act
		entry, err := d.pens[n].Enrol(d.ids[n], "Bo", d.id, nil, d.now)
		must(t, err)
		d.seal(entry)
	}
	d.seal(d.act(0, "Settle", map[string]any{"witnesses": int64(witnesses)}))
	return &d
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
		Room: d.game.Replica().Keys().ID, Game: d.id, Number: d.last.Number + 1, Prev: d.last.Hash, Time: d.now,
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

// came counts the witnesses that came.
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

// choose returns those of some witnesses, at least so many, with whose links a roll shows a six: as
// many as possible, or all if no choice does.
func (d *den) choose(e ledger.Entry, asked []int, least int) (chosen, left []int) {
	pick := func(set int) (in, out []int) {
		for i, w := range asked {
			if set>>i&1 == 1 {
				in = append(in, w)
			} else {
				out = append(out, w)
			}
		}
		return in, out
	}
	for size := len(asked); size >= least; size-- {
		for set := range 1 << len(asked) {
			if bits.OnesCount(uint(set)) != size {
				continue
			}
			in, out := pick(set)
			var links []wire.Link
			for _, w := range in {
				links = append(links, d.nextOf(w))
			}
			if d.shows(e, d.last.Link, uint64(len(asked)), links...) == 6 {
				return in, out
			}
		}
	}
	return asked, nil
}

// allAsked returns the devices that are asked, in that order.
func (d *den) allAsked() []int {
	var all []int
	for i := range d.game.Waiting().Witnesses {
		all = append(all, d.asked(i))
	}
	return all
}

func (d *den) parts(e ledger.Entry, witnesses []int) []ledger.Entry {
	var parts []ledger.Entry
	for _, w := range witnesses {
		parts = append(parts, d.part(w, e))
	}
	return parts
}

// withhold lets the witnesses choose who of them comes.
func withhold(d *den, e ledger.Entry) Entry {
	d.seal(e)
	chosen, left := d.choose(e, d.allAsked(), 0)
	d.seal(d.parts(e, chosen)...)
	if len(left) > 0 {
		d.late()
	}
	return d.find(e)
}

// leaveOut lets the notary choose which of the parts that have arrived it seals in time.
func leaveOut(d *den, e ledger.Entry, least int) Entry {
	d.seal(e)
	chosen, left := d.choose(e, d.allAsked(), least)
	in, out := d.parts(e, chosen), d.parts(e, left)
	d.seal(in...)
	if len(left) > 0 {
		d.late()
		d.seal(out...)
	}
	return d.find(e)
}

// gather lets those who are in league act just before the roll, after everybody else: so they are
// asked.
func (d *den) gather(friends ...int) {
	d.seal(d.act(4, "Say", nil))
	for _, f := range friends {
		d.seal(d.act(f, "Say", nil))
	}
}

// A cheat plays one roll and returns the entry of it that counts.
type cheat struct {
	line      string // of the threat table
	witnesses int
	devices   int       // in the room; 0 is 5
	want      float64   // how often it gets its six
	came      []float64 // how often 0, 1, 2... of the witnesses come: what is missing is shown; nil is not measured
	play      func(d *den) Entry
}

// among is how often the best of n throws is a six.
func among(n int) float64 { return 1 - math.Pow(5.0/6, float64(n)) }

// honest throws, and lets those who are asked come.
func honest(witnesses ...int) func(d *den) Entry {
	return func(d *den) Entry {
		e := d.throw("")
		d.seal(e)
		d.seal(d.parts(e, witnesses)...)
		return d.find(e)
	}
}

func cheats() []cheat {
	none, one, both := []float64{1, 0}, []float64{0, 1}, []float64{0, 0, 1}
	// Of two who are chosen from: both if that gives a six, else one, else none, else both.
	chosen := []float64{125.0 / 1296, 330.0 / 1296, 841.0 / 1296}
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

		{line: "nobody cheats", witnesses: 2, want: fair, came: both, play: honest(1, 2)},
		{line: "roller and notary together, an honest witness", witnesses: 1, want: fair, came: one, play: func(d *den) Entry {
			e := d.grind(func(e ledger.Entry) uint64 { return d.shows(e, d.next(1), 1, d.last.Link) }) // any link but the witness's
			d.seal(e)
			d.seal(d.part(d.asked(0), e))
			return d.find(e)
		}},
		{line: "roller and notary together leave the witness's part out", witnesses: 1, want: 1, came: none, play: func(d *den) Entry {
			e := d.grind(func(e ledger.Entry) uint64 { return d.shows(e, d.next(1), 1) })
			d.seal(e)
			part := d.part(d.asked(0), e) // its link was fixed before, whenever it comes
			d.late()
			d.seal(part)
			return d.find(e)
		}},
		{line: "roller and notary together hold the witness's own action back, to know its link", witnesses: 1, want: fair, came: none, play: func(d *den) Entry {
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
		{line: "roller, notary and the only witness together", witnesses: 1, want: 1, came: one, play: func(d *den) Entry {
			d.seal(d.act(1, "Say", nil)) // so that this one is asked
			e := d.grind(func(e ledger.Entry) uint64 { return d.shows(e, d.next(1), 1, d.nextOf(1)) })
			d.seal(e)
			d.seal(d.part(d.asked(0), e))
			return d.find(e)
		}},
		{line: "roller, notary and one of two witnesses together", witnesses: 2, want: fair, came: both, play: func(d *den) Entry {
			d.seal(d.act(1, "Say", nil))
			e := d.grind(func(e ledger.Entry) uint64 { return d.shows(e, d.next(1), 2, d.nextOf(1), d.last.Link) })
			d.seal(e)
			d.seal(d.part(1, e), d.part(2, e))
			return d.find(e)
		}},
		{line: "a witness who comes, alone, and late if the result does not please", witnesses: 1, want: fair, came: one, play: func(d *den) Entry {
			e := d.throw("")
			d.seal(e)
			part := d.part(d.asked(0), e) // its link was fixed before, whenever it comes
			if d.shows(e, d.last.Link, 0) != 6 {
				d.seal()
			}
			d.seal(part)
			return d.find(e)
		}},
		{line: "a witness who withholds", witnesses: 1, want: among(2), came: []float64{5.0 / 36, 31.0 / 36}, play: func(d *den) Entry {
			return withhold(d, d.throw(""))
		}},
		{line: "the roller's two friends act just before, and withhold", witnesses: 2, want: among(4), came: chosen, play: func(d *den) Entry {
			d.gather(1, 2)
			return withhold(d, d.throw(""))
		}},
		{line: "the roller's eight friends act just before, and withhold", witnesses: 8, devices: 12, want: 1, play: func(d *den) Entry {
			d.gather(1, 2, 5, 6, 7, 8, 9, 10)
			return withhold(d, d.throw(""))
		}},
		{line: "roller, notary and any two players, who act just before", witnesses: 2, want: 1, came: both, play: func(d *den) Entry {
			d.gather(2, 1) // so 1 is asked first
			e := d.grind(func(e ledger.Entry) uint64 { return d.shows(e, d.next(1), 2, d.nextOf(1), d.nextOf(2)) })
			d.seal(e)
			d.seal(d.parts(e, d.allAsked())...)
			return d.find(e)
		}},
		{line: "a third player and the notary leave out some of two honest witnesses", witnesses: 2, want: among(4), came: chosen, play: func(d *den) Entry {
			return leaveOut(d, d.throw(""), 0)
		}},
		{line: "the notary leaves out one of two honest witnesses, never both", witnesses: 2, want: among(3), came: []float64{0, 55.0 / 216, 161.0 / 216}, play: func(d *den) Entry {
			return leaveOut(d, d.throw(""), 1)
		}},
		{line: "a witness who tries later links instead of the own", witnesses: 1, want: among(2), came: []float64{1 - fair, fair}, play: func(d *den) Entry {
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

// limits returns between which counts, both included, all but 1 in 100 outcomes of n tries are that
// succeed with the chance p each: at most 1 in 200 is below, and as many above.
func limits(n int, p float64) (low, high int) {
	if p == 0 || p == 1 {
		return int(p) * n, int(p) * n
	}
	lg := func(k int) float64 { v, _ := math.Lgamma(float64(k + 1)); return v }
	sum, low := 0.0, -1
	for k := range n + 1 {
		sum += math.Exp(lg(n) - lg(k) - lg(n-k) + float64(k)*math.Log(p) + float64(n-k)*math.Log(1-p))
		if low < 0 && sum > 0.005 {
			low = k
		}
		if sum >= 0.995 {
			return low, k
		}
	}
	return low, n
}

// measure holds a count to what is expected of it.
func measure(t *testing.T, what string, count, n int, want float64) {
	t.Helper()
	low, high := limits(n, want)
	percent := func(k int) float64 { return 100 * float64(k) / float64(n) }
	t.Logf("%s: %.1f %%, expected %.1f", what, percent(count), 100*want)
	if count < low || count > high {
		t.Errorf("%s: %.1f %% of %d rolls, and the table says %.1f: from %.1f to %.1f", what, percent(count), n, 100*want, percent(low), percent(high))
	}
}

// trials is how many rolls measure a cheat. Short tests play one den of each.
func trials(want float64) int {
	switch {
	case testing.Short() || want == 1: // those who get all they want have to get it every time
		return denTrials
	case want == fair:
		return fairTrials
	default:
		return gainTrials
	}
}

// TestCheats measures every line of the threat table.
func TestCheats(t *testing.T) {
	for i, c := range cheats() {
		t.Run(fmt.Sprintf("witnessed(%d), %s", c.witnesses, c.line), func(t *testing.T) {
			t.Parallel()
			n := trials(c.want)
			var d *den
			sixes, attended := 0, make([]int, c.witnesses+1)
			for roll := range n {
				if roll%denTrials == 0 {
					d = newDen(t, i*fairTrials+roll, cmp.Or(c.devices, 5), c.witnesses)
				}
				d.now += 1000
				e := c.play(d)
				if e.Outcome.Rolls[0].Value == 6 {
					sixes++
				}
				attended[came(e)]++
				if e.Wanted != c.witnesses {
					t.Fatalf("the roll says %d witnesses", e.Wanted)
				}
			}
			measure(t, "sixes", sixes, n, c.want)
			for k, want := range c.came {
				measure(t, fmt.Sprintf("%d of %d witnesses came", k, c.witnesses), attended[k], n, want)
			}
		})
	}
}

// A fair cheat does not pass with 18.5 % of sixes, nor one that gains with as few as are fair.
func TestMeasurementsAreSharp(t *testing.T) {
	if testing.Short() {
		t.Skip("too few rolls")
	}
	for _, c := range cheats() {
		n := trials(c.want)
		low, high := limits(n, c.want)
		_, ordinary := limits(n, fair)
		if c.want == fair && float64(high) >= 0.185*float64(n) || c.want > fair && low <= ordinary {
			t.Errorf("%s: %d to %d sixes in %d rolls would pass", c.line, low, high, n)
		}
	}
}

// The line of the timer's dice: whoever knows the notary's links sees them before, and chooses among
// as many as there is time to skip by an empty seal.
func TestCheatWithTimers(t *testing.T) {
	d := newDen(t, 0, 2, 0)
	sixes := 0
	for i := range gainTrials {
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
	measure(t, "sixes", sixes, gainTrials, among(4))
}
