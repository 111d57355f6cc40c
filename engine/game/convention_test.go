package game

import (
	"math/rand/v2"
	"reflect"
	"testing"

	"peernomic/engine/ledger"
	"peernomic/engine/wire"
)

// In this game players can lock everything up: then every act is refused, and so would be any
// change of the rules that asked them.
const lockScript = "# Lock\n\n```starlark\n" + `
variable("locked", flag(), default=False)
column("gold", integer())
gate(lambda me, action: "locked" if game.locked else None)
def stubborn(row, old, new):
    if not new:
        refuse("never")
on_change("game.locked", stubborn)
def join(me):
    me.standing = "player"
action("Join", run=join, who="anyone")
def lock(me):
    game.locked = True
action("Lock", run=lock)
def banish(me):
    for p in everyone():
        if p != me:
            p.standing = "left"
action("Banish", run=banish)
` + "```\n"

const testDay = 24 * 3600 * 1000

// newLockTable is a game among some players, each with one device, all of them seated.
func newLockTable(t testing.TB, players int) *table {
	t.Helper()
	tb := newTableOf(t, players, []ledger.Document{{Path: "ruleset.md", Text: "# Test\n\nA test."}, {Path: "1-core/01-lock.md", Text: lockScript}})
	for i := range players {
		tb.act(i, "Join")
	}
	tb.seal()
	return tb
}

// unlock is what repairs a locked game: the value, which no rule may refuse to write.
var unlock = []any{map[string]any{"op": "set", "table": "game", "row": int64(1), "column": "locked", "value": false}}

// motion returns a motion of its own each time.
func (tb *table) motion(amendments []any) ledger.Motion {
	tb.t.Helper()
	tb.motions++
	m, _, err := ledger.NewMotion(tb.game, [16]byte{tb.motions}, "why", amendments)
	must(tb.t, err)
	return m
}

// seat is what gives a seat to another key.
func seat(from, to ledger.IdentityKey) []any {
	return []any{map[string]any{"op": "seat", "from": from.String(), "to": to.String()}}
}

// ballot makes a device sign a ballot; it is sent, not sealed. It returns the entry's place in
// [Game.Entries] after the next seal, if nothing else is sent before.
func (tb *table) ballot(device int, b ledger.Ballot) ledger.Entry {
	tb.t.Helper()
	body, err := ledger.EncodeBallot(b)
	must(tb.t, err)
	pen := tb.pens[device]
	e, err := pen.Write(tb.full.Replica().Position(pen.Device().Key()), ledger.KindConvention, body, tb.now)
	must(tb.t, err)
	tb.send(e)
	return e
}

func (tb *table) assent(m ledger.Motion, devices ...int) {
	tb.t.Helper()
	for _, d := range devices {
		tb.ballot(d, ledger.Ballot{Verb: ledger.VerbAssent, Motion: &m})
	}
	tb.seal()
}

// only returns the one motion of the game.
func (tb *table) only() Motion {
	tb.t.Helper()
	motions := tb.full.Motions()
	if len(motions) != 1 {
		tb.t.Fatalf("%d motions, want 1", len(motions))
	}
	return motions[0]
}

func (tb *table) locked() bool {
	v, _ := tb.full.World().GameCell("locked")
	return v == true
}

// refusal returns why the newest entry was refused.
func (tb *table) refusal() string {
	entries := tb.full.Entries()
	if o := entries[len(entries)-1].Outcome; o != nil && o.Refused != nil {
		return o.Refused.Reason
	}
	return ""
}

// Clause 12.5: a repair is carried out where the count passes two thirds; an equal count is not
// more. No rule is asked: neither the gate nor what listens to the change.
func TestRepairPassesTwoThirds(t *testing.T) {
	for players, needed := range map[int]int{1: 1, 2: 2, 3: 3, 4: 3, 6: 5} {
		tb := newLockTable(t, players)
		tb.act(0, "Lock")
		tb.seal()
		if !tb.locked() {
			t.Fatal("the game did not lock")
		}
		tb.act(players-1, "Join")
		tb.seal()
		if tb.refusal() != "locked" {
			t.Fatalf("an act in the locked game: %q", tb.refusal())
		}
		m := tb.motion(unlock)
		for i := range needed {
			if got := tb.full.Motions(); i > 0 && (len(got[0].Assents) != i || got[0].Status != MotionOpen || got[0].Needed() != needed) {
				t.Fatalf("%d players, %d assents: %+v", players, i, got[0])
			}
			if !tb.locked() {
				t.Fatalf("%d of %d players repaired the game", i, players)
			}
			tb.assent(m, i)
		}
		if tb.locked() || tb.only().Status != MotionDone {
			t.Fatalf("%d of %d players did not repair the game: %+v", needed, players, tb.only())
		}
		tb.assent(m, 0)
		if tb.refusal() != "this convention is over" {
			t.Errorf("an assent afterwards: %q", tb.refusal())
		}
	}
}

// Clause 12.4: who counts are people, whatever their devices and however often they assent.
func TestAssentsCountPeople(t *testing.T) {
	tb := newLockTable(t, 3)
	random := rand.NewChaCha8([32]byte{9})
	dev, err := ledger.NewDevice(random)
	must(t, err)
	pen, err := ledger.NewPen(tb.keys, dev)
	must(t, err)
	e, err := pen.Enrol(tb.ids[0], "Ana", tb.game, nil, tb.now)
	must(t, err)
	tb.send(e)
	tb.pens = append(tb.pens, pen)
	tb.seal()
	tb.act(0, "Lock")
	tb.seal()
	m := tb.motion(unlock)
	tb.assent(m, 0, 3, 1, 0, 3)
	if got := tb.only().Assents; !reflect.DeepEqual(got, []int64{1, 2}) || !tb.locked() {
		t.Fatalf("assents by %v, want persons 1 and 2, and no repair", got)
	}
	tb.assent(m, 2)
	if tb.locked() {
		t.Error("all three did not repair the game")
	}
}

// Clause 12.4: whoever did not act for 30 days does not count, and neither does what they signed
// before; who is refused acts all the same; and no rule can take anybody's say away.
func TestActivePlayers(t *testing.T) {
	tb := newLockTable(t, 4)
	m := tb.motion(unlock)
	tb.assent(m, 3) // and then never again
	tb.act(0, "Banish")
	tb.act(0, "Lock")
	tb.seal()
	tb.now += 29 * testDay
	tb.act(1, "Join") // refused: locked
	tb.act(2, "Join")
	tb.seal()
	if got := tb.only(); !reflect.DeepEqual(got.Active, []int64{1, 2, 3, 4}) || !reflect.DeepEqual(got.Assents, []int64{4}) {
		t.Fatalf("after 29 days %v assent among %v", got.Assents, got.Active)
	}
	tb.now += testDay
	tb.assent(m, 1)
	if got := tb.only(); !reflect.DeepEqual(got.Active, []int64{1, 2, 3, 4}) {
		t.Fatalf("after exactly 30 days %v are active", got.Active)
	}
	tb.now++
	pen := tb.pens[0]
	for _, kind := range []ledger.Kind{ledger.KindTick, ledger.KindWitness} { // what a program does by itself
		e, err := pen.Write(tb.full.Replica().Position(pen.Device().Key()), kind, nil, tb.now)
		must(t, err)
		tb.send(e)
	}
	tb.assent(m, 2)
	if got := tb.only(); !reflect.DeepEqual(got.Active, []int64{2, 3}) || tb.locked() {
		t.Fatalf("30 days after their last acts %v are active, locked %v", got.Active, tb.locked())
	}
}

// Clauses 12.2 to 12.4, ballots that do not count.
func TestBallotsThatDoNotCount(t *testing.T) {
	tb := newLockTable(t, 3)
	stranger := newTableOf(t, 5, []ledger.Document{{Path: "ruleset.md", Text: "# Test\n\nA test."}}) // for its keys
	e, err := stranger.pens[4].Enrol(stranger.ids[4], "Sam", tb.game, nil, tb.now)
	must(t, err)
	tb.send(e)
	tb.pens = append(tb.pens, stranger.pens[4])
	tb.act(0, "Lock")
	tb.seal()
	m := tb.motion(unlock)
	_, id, err := m.Encode()
	must(t, err)

	tb.assent(m, 3)
	if tb.refusal() != "only players sign a convention" || len(tb.full.Motions()) != 0 {
		t.Errorf("a stranger's assent: %q, %d motions", tb.refusal(), len(tb.full.Motions()))
	}
	tb.ballot(0, ledger.Ballot{Verb: ledger.VerbAssent, ID: id})
	tb.seal()
	if tb.refusal() != "nobody has called this convention" {
		t.Errorf("an assent to what nobody called: %q", tb.refusal())
	}
	pen := tb.pens[0]
	e, err = pen.Write(tb.full.Replica().Position(pen.Device().Key()), ledger.KindConvention, []byte("aye"), tb.now)
	must(t, err)
	tb.send(e)
	tb.seal()
	if tb.refusal() == "" {
		t.Error("a ballot that nobody can read was taken")
	}
	tb.assent(m, 0, 1)
	tb.ballot(1, ledger.Ballot{Verb: ledger.VerbWithdraw, ID: id})
	tb.seal()
	tb.assent(m, 2)
	if got := tb.only(); !reflect.DeepEqual(got.Assents, []int64{1, 3}) || !tb.locked() {
		t.Fatalf("after a withdrawal %v assent, locked %v", got.Assents, tb.locked())
	}
	tb.ballot(1, ledger.Ballot{Verb: ledger.VerbAssent, ID: id}) // named is enough
	tb.seal()
	if tb.locked() {
		t.Error("an assent after a withdrawal did not count")
	}
}

// Clause 12.3: what a device signs after it lost a fork does not count.
func TestAssentOfAVoidFeed(t *testing.T) {
	tb := newLockTable(t, 3)
	pen := tb.pens[2]
	at := tb.full.Replica().Position(pen.Device().Key())
	tb.act(2, "Join")
	tb.seal()
	tb.act(0, "Lock")
	tb.seal()
	m := tb.motion(unlock)
	body, err := ledger.EncodeBallot(ledger.Ballot{Verb: ledger.VerbAssent, Motion: &m})
	must(t, err)
	forked, err := pen.Write(at, ledger.KindConvention, body, tb.now)
	must(t, err)
	tb.send(forked)
	tb.assent(m, 0, 1)
	if got := tb.only(); !reflect.DeepEqual(got.Assents, []int64{1, 2}) || !tb.locked() {
		t.Fatalf("with a void assent %v assent, locked %v", got.Assents, tb.locked())
	}
}

// A repair that cannot be carried out changes nothing, and is over.
func TestRepairThatFails(t *testing.T) {
	tb := newLockTable(t, 1)
	tb.act(0, "Lock")
	tb.seal()
	both := append(unlock[:1:1], map[string]any{"op": "repeal", "rule": "Nothing"})
	tb.assent(tb.motion(both), 0)
	if got := tb.only(); got.Status != MotionFailed || got.Refused == nil || !tb.locked() {
		t.Fatalf("status %s (%v), locked %v", got.Status, got.Refused, tb.locked())
	}
}

// Clause 12.6: a player who lost every key gets the seat back under a new one; the lost key is
// the stranger that the new one was.
func TestSeatUnderANewKey(t *testing.T) {
	tb := newLockTable(t, 4)
	other := newTableOf(t, 6, []ledger.Document{{Path: "ruleset.md", Text: "# Test\n\nA test."}}) // for its keys
	e, err := other.pens[5].Enrol(other.ids[5], "Dee", tb.game, nil, tb.now)
	must(t, err)
	tb.send(e)
	tb.pens = append(tb.pens, other.pens[5])
	tb.seal()
	lost, found := tb.ids[3].Key(), other.ids[5].Key()
	newcomer := tb.full.PersonOf(found)
	if newcomer != 5 {
		t.Fatalf("the newcomer is person %d", newcomer)
	}
	m := tb.motion(seat(lost, found))
	tb.assent(m, 0, 1)
	if tb.full.PersonOf(lost) != 4 {
		t.Fatal("two of four gave a seat away")
	}
	tb.assent(m, 2)
	if tb.full.PersonOf(found) != 4 || tb.full.PersonOf(lost) != 5 {
		t.Fatalf("the new key is person %d, the lost one %d", tb.full.PersonOf(found), tb.full.PersonOf(lost))
	}
	m = tb.motion(seat(lost, tb.ids[0].Key()))
	tb.assent(m, 0, 1, 4)
	if got := tb.full.Motions()[1]; got.Status != MotionFailed {
		t.Errorf("a stranger's seat was given to a player: %s", got.Status)
	}
}

// Clause 12.5: everybody who holds the same sees the same conventions, however it arrived.
func TestConventionsInAnyArrival(t *testing.T) {
	tb := newLockTable(t, 4)
	tb.act(0, "Lock")
	m := tb.motion(unlock)
	for i := range 3 {
		tb.assent(m, i)
		tb.act(3, "Join")
		tb.seal()
	}
	want, wantDigest := tb.full.Motions(), digestOf(tb.full)
	for seed := range uint64(8) {
		random := rand.New(rand.NewPCG(seed, 0))
		g := New(tb.keys, tb.game)
		bag := append([][]byte{}, tb.envelopes...)
		bag = append(bag, tb.seals...)
		random.Shuffle(len(bag), func(i, j int) { bag[i], bag[j] = bag[j], bag[i] })
		for _, b := range bag {
			if _, err := wire.ParseSeal(b); err == nil {
				must(t, g.ReceiveSeal(b))
			} else if _, err := g.Receive(b); err != nil {
				t.Fatal(err)
			}
			if random.IntN(3) == 0 {
				g.Advance(tb.now)
			}
		}
		g.Advance(tb.now)
		if got := g.Motions(); !reflect.DeepEqual(got, want) || digestOf(g) != wantDigest {
			t.Fatalf("seed %d: motions\n%+v, want\n%+v", seed, got, want)
		}
	}
}

func digestOf(g *Game) [32]byte {
	_, d := g.Confirmed()
	return d
}

// A convention that has its majority only among tentative assents is shown so, and decided when
// they are sealed.
func TestTentativeConvention(t *testing.T) {
	tb := newLockTable(t, 1)
	tb.act(0, "Lock")
	tb.seal()
	m := tb.motion(unlock)
	before := digestOf(tb.full)
	tb.ballot(0, ledger.Ballot{Verb: ledger.VerbAssent, Motion: &m})
	tb.full.Advance(tb.now)
	if tb.locked() || tb.only().Status != MotionDone {
		t.Errorf("a tentative repair is not shown: locked %v, %s", tb.locked(), tb.only().Status)
	}
	if digestOf(tb.full) != before {
		t.Error("a tentative repair changed the confirmed state")
	}
	tb.seal()
	if tb.locked() || tb.only().Status != MotionDone || tb.refusal() != "" {
		t.Errorf("the sealed repair: locked %v, %s, %q", tb.locked(), tb.only().Status, tb.refusal())
	}
}
