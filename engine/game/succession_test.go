package game

import (
	"fmt"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"testing"

	"peernomic/engine/ledger"
	"peernomic/engine/wire"
)

// heir makes another notary, who would go on from the newest seal, and the motion for it.
func (tb *table) heir(seed byte) (*ledger.Notary, ledger.Motion) {
	tb.t.Helper()
	n, err := ledger.NewNotary(tb.keys.ID, [32]byte{seed}, 1<<14)
	must(tb.t, err)
	base, _ := tb.full.Replica().Seal(tb.full.Replica().Seals())
	n.Continue(base)
	return n, tb.motion(ledger.NotaryChange{Notary: n.Key(), Anchor: n.Anchor(), Relay: "wss://other.example/relay"})
}

// Clauses 12.5, 12.8 and 12.10: the active players at the base decide on a new notary, strangers do
// not; the game goes on from the last seal and the old notary's later seals are overruled,
// their effects taken back.
func TestGameGoesOnWithAnotherNotary(t *testing.T) {
	tb := newLockTable(t, 3)
	_, game, _ := tb.full.Replica().Genesis()
	keys := newTableOf(t, 5, []ledger.Document{{Path: "ruleset.md", Text: "# Test\n\nA test."}})
	e, err := keys.pens[4].Enrol(keys.ids[4], "Sam", game, nil, tb.now)
	must(t, err)
	tb.send(e) // a stranger: Sam never joins
	tb.pens = append(tb.pens, keys.pens[4])
	tb.seal()
	heir, m := tb.heir(2)
	_, before := tb.full.Confirmed()

	var proof []wire.EnvelopeHash
	for _, device := range []int{3, 0, 1, 2} {
		if _, ok := tb.full.Successor(); ok {
			t.Fatalf("a successor before device %d assents", device)
		}
		tb.ballot(device, ledger.Ballot{Verb: ledger.VerbAssent, Motion: &m})
		tb.full.Advance(tb.now)
	}
	motion := tb.full.Motions()[0]
	if !reflect.DeepEqual(motion.Assents, []int64{1, 2, 3}) || !reflect.DeepEqual(motion.Active, []int64{1, 2, 3}) || motion.Status != MotionOpen {
		t.Fatalf("assents by %v of %v, %s", motion.Assents, motion.Active, motion.Status)
	}
	p, ok := tb.full.Successor()
	if !ok || p.Change.Relay != "wss://other.example/relay" {
		t.Fatalf("no successor: %v %+v", ok, p)
	}
	proof = p.Envelopes

	// The old notary is back, and locks the game.
	tb.act(0, "Lock")
	lock := tb.pending[len(tb.pending)-1]
	tb.seal()
	if !tb.locked() {
		t.Fatal("the old notary's seal was not carried out")
	}
	first, err := heir.Seal(tb.now, proof)
	must(t, err)
	must(t, tb.full.ReceiveSeal(first.Bytes))
	tb.full.Advance(tb.now)
	if tb.full.Replica().Seals() != first.Number || len(tb.full.Replica().Overruled()) != 1 {
		t.Fatalf("%d seals, %d overruled", tb.full.Replica().Seals(), len(tb.full.Replica().Overruled()))
	}
	if got := digestOf(tb.full); got != before {
		t.Error("what the old notary sealed after the base is still in the confirmed state")
	}
	if got := tb.full.Motions()[0]; got.Status != MotionDone {
		t.Errorf("the motion is %s", got.Status)
	}
	second, err := heir.Seal(tb.now, []wire.EnvelopeHash{lock})
	must(t, err)
	must(t, tb.full.ReceiveSeal(second.Bytes))
	tb.full.Advance(tb.now)
	if !tb.locked() {
		t.Error("the act that the successor sealed was not carried out")
	}
	entries := tb.full.Entries()
	if _, err := tb.full.Transcript(entries[len(entries)-1].Action); err != ErrLaterNotary {
		t.Errorf("a transcript of what the successor sealed: %v", err)
	}

	// Who hears of it all at once sees the same, and so does who reads the archive.
	g := New(tb.keys)
	for _, s := range append(append([][]byte{second.Bytes}, tb.seals...), first.Bytes) {
		must(t, g.ReceiveSeal(s))
	}
	for _, env := range tb.envelopes {
		_, err := g.Receive(env)
		must(t, err)
	}
	g.Advance(tb.now)
	if digestOf(g) != digestOf(tb.full) {
		t.Error("another arrival gives another digest")
	}
	file, err := ledger.WriteArchive(tb.full.Replica())
	must(t, err)
	r, err := ReadArchive(file)
	must(t, err)
	g = FromReplica(r)
	g.Advance(tb.now)
	if digestOf(g) != digestOf(tb.full) {
		t.Error("the archive gives another digest")
	}
}

// Clause 12.5: who acts behind a roll that waits for its witnesses is active, as is who rolls.
func TestActiveBehindARoll(t *testing.T) {
	tb := newWitnessTable(t, 4, 1)
	tb.now += ledger.ActiveTime + 1
	tb.act(2, "Dig")
	tb.act(1, "Settle")
	tb.seal()
	if tb.full.Waiting() == nil {
		t.Fatal("the roll does not wait")
	}
	r := tb.full.Replica()
	want := []ledger.IdentityKey{tb.ids[1].Key(), tb.ids[2].Key()}
	if got := electorate(r)(r.Seals()); !slices.Equal(got, want) {
		t.Errorf("active are %v, want %v", got, want)
	}
}

// SPEC.md, 12.13: whoever was alone when the game began, or has their backup, enrols a new device, signs for a
// notary of their own as if nothing had been played since, and gives it to the others. They play on as before.
func TestNobodyTakesOverAlone(t *testing.T) {
	tb := newLockTable(t, 4)
	for range 3 {
		tb.now += testDay
		for d := range 4 {
			tb.act(d, "Join")
		}
		tb.seal()
	}
	dev, err := ledger.NewDevice(rand.NewChaCha8([32]byte{42}))
	must(t, err)
	pen, err := ledger.NewPen(tb.keys, dev)
	must(t, err)
	_, id, _ := tb.full.Replica().Genesis()
	base, _ := tb.full.Replica().Seal(1)
	heir, err := ledger.NewNotary(tb.keys.ID, [32]byte{99}, 1000)
	must(t, err)
	heir.Continue(base)
	m, err := ledger.MotionFor(id, base, 1, "", ledger.NotaryChange{Notary: heir.Key(), Anchor: heir.Anchor(), Relay: "wss://elsewhere.example"})
	must(t, err)
	alone := New(tb.keys)
	var hashes []wire.EnvelopeHash
	give := func(g *Game, envelopes ...[]byte) {
		for _, b := range envelopes {
			h, err := g.Receive(b)
			must(t, err)
			hashes = append(hashes, h)
		}
	}
	give(alone, tb.envelopes[0])
	must(t, alone.ReceiveSeal(tb.seals[0]))
	hashes = nil
	enrolment, err := pen.Enrol(tb.ids[0], "Ana", id, nil, tb.now)
	must(t, err)
	give(alone, enrolment.Envelopes...)
	body, err := ledger.EncodeBallot(ledger.Ballot{Verb: ledger.VerbAssent, Motion: &m})
	must(t, err)
	at := alone.Replica().Position(dev.Key())
	at.Heads = nil
	assent, err := pen.Write(at, ledger.KindConvention, body, tb.now)
	must(t, err)
	give(alone, assent.Envelopes...)
	first, err := heir.Seal(tb.now, hashes)
	must(t, err)
	must(t, alone.ReceiveSeal(first.Bytes))
	if len(alone.Replica().Successions()) != 1 {
		t.Fatal("the attack is no attack: it does not hold for whoever knows the beginning only")
	}

	before := len(tb.full.Replica().Placed())
	tb.full.Replica().AskFirst()
	give(tb.full, append(enrolment.Envelopes, assent.Envelopes...)...)
	must(t, tb.full.ReceiveSeal(first.Bytes))
	tb.full.Advance(tb.now)
	if n := len(tb.full.Replica().Placed()); n != before || len(tb.full.Replica().Successions()) > 0 {
		t.Errorf("%d of %d actions have their place after one signature, %d changes of notary", n, before, len(tb.full.Replica().Successions()))
	}
	if p := tb.full.Replica().Pending(); len(p) != 1 || p[0].Loses != before-1 {
		t.Errorf("what is asked is %+v", p)
	}
	// Whoever heard of that first can go back.
	for _, b := range tb.envelopes {
		_, err := alone.Receive(b)
		must(t, err)
	}
	for _, b := range tb.seals {
		must(t, alone.ReceiveSeal(b))
	}
	alone.Decide(first.Hash, false)
	if n := len(alone.Replica().Placed()); n != before {
		t.Errorf("who was deceived first has %d of %d actions in place", n, before)
	}
}

// BenchmarkReceive10000 takes in one more action, and the seal that orders it, of a game of 10,000 actions among four players, and
// looks for a successor, as a session does after all that it receives. In the middle of the game players signed for
// another notary; or they sign late, with a base in the middle, which nobody can be kept from. All may have signed
// though no notary goes on. An heir may have cut seals that prove nothing, or have gone on in the middle.
func BenchmarkReceive10000(b *testing.B) {
	for _, m := range []struct {
		name     string
		signed   int
		late     bool
		unproved int
		followed bool
	}{
		{name: "none signed"},
		{name: "one signed", signed: 1},
		{name: "one signed late", signed: 1, late: true},
		{name: "all signed", signed: 4},
		{name: "all signed late", signed: 4, late: true},
		{name: "unproved", signed: 1, unproved: 100},
		{name: "followed", signed: 4, followed: true},
	} {
		b.Run(m.name, func(b *testing.B) {
			tb := newLockTable(b, 4)
			play := func() {
				for range 4992 / 32 {
					tb.now += 60_000
					for i := range 32 {
						tb.act(i%4, "Join")
					}
					tb.seal()
				}
			}
			play()
			heir, motion := tb.heir(2)
			sign := func() {
				for device := range m.signed {
					tb.ballot(device, ledger.Ballot{Verb: ledger.VerbAssent, Motion: &motion})
				}
			}
			if !m.late {
				sign()
			}
			for i := range m.unproved {
				again := *heir
				s, err := again.Seal(tb.now+int64(i), tb.pending)
				must(b, err)
				must(b, tb.full.ReceiveSeal(s.Bytes))
			}
			if m.followed {
				s, err := tb.notary.Seal(tb.now, nil)
				must(b, err)
				must(b, tb.full.ReceiveSeal(s.Bytes)) // to be overruled
				tb.notary = heir
			}
			play()
			if m.late {
				sign()
			}
			if got := len(tb.full.Replica().Successions()); (got == 1) != m.followed {
				b.Fatalf("%d changes of notary", got)
			}
			body, err := EncodeAct("Join", nil)
			must(b, err)
			tb.full.Successor() // who is active at the base is found out once
			for b.Loop() {
				b.StopTimer()
				pen := tb.pens[1]
				e, err := pen.Write(tb.full.Replica().Position(pen.Device().Key()), ledger.KindAct, body, tb.now)
				must(b, err)
				b.StartTimer()
				tb.send(e)
				tb.seal()
				tb.full.Successor()
			}
			b.ReportMetric(b.Elapsed().Seconds()*1000/float64(b.N), "ms/action")
		})
	}
}

// Who is active at a seal is the same however the others are asked for, and the game is played once for all of them.
func TestElectorateOfEverySeal(t *testing.T) {
	for _, name := range []string{"infected-dynasty", "convention-1"} {
		file, err := os.ReadFile("testdata/golden/" + name + ".game")
		must(t, err)
		r, err := ReadArchive(file)
		must(t, err)
		e := &electors{replica: r, known: map[wire.SealHash][]ledger.IdentityKey{}}
		sizes := map[int]bool{}
		last := int(r.Seals()) - 1
		order := rand.New(rand.NewPCG(1, 2)).Perm(last + 1)[:min(20, last+1)]
		for _, i := range append(order, last, 0) { // at the first seal not everybody has come yet
			number := uint64(i + 1)
			seal, _ := r.Seal(number)
			m := machine{replica: r, until: number}
			placed := m.placed()
			m.catchUp(len(placed))
			want := m.active(seal.Time, placed[len(m.entries):])
			if got := e.at(number); !slices.Equal(got, want) {
				t.Errorf("%s: at seal %d %d are active, want %d", name, number, len(got), len(want))
			}
			sizes[len(want)] = true
		}
		if len(e.known) != int(r.Seals()) || e.machine.until != r.Seals() || len(sizes) < 2 {
			t.Errorf("%s: %d of %d seals are known, with %v active", name, len(e.known), r.Seals(), sizes)
		}
	}
}

// relays makes a table at which one player has moved many times that another relay goes on.
func relays(t testing.TB, motions int) *table {
	tb := newLockTable(t, 3)
	for i := range motions {
		_, m := tb.heir(byte(i))
		m.Round, m.Why = uint64(i+1), fmt.Sprint("the why of ", i)
		tb.ballot(0, ledger.Ballot{Verb: ledger.VerbAssent, Motion: &m})
	}
	tb.seal()
	return tb
}

// What many motions for another relay cost is in proportion to how many they are, and nothing when they are looked at again.
func TestManyMotionsCostWhatTheyAre(t *testing.T) {
	cost := func(tb *table) (first, again float64) {
		first = testing.AllocsPerRun(1, func() {
			must(t, tb.full.ReceiveSeal(tb.seals[0])) // nothing new, but who knows
			tb.full.Successor()
		})
		return first, testing.AllocsPerRun(1, func() { tb.full.Motions() })
	}
	few, fewAgain := cost(relays(t, 10))
	many, manyAgain := cost(relays(t, 40))
	if many > few*5 {
		t.Errorf("%v allocations for 40 motions, %v for 10", many, few)
	}
	if manyAgain > fewAgain*5 || manyAgain > many/2 {
		t.Errorf("again %v allocations for 40 motions after %v, %v for 10", manyAgain, many, fewAgain)
	}
}

// BenchmarkManyMotions looks at the motions of a player who has moved 200 times that another relay goes on:
// after something was received, and again.
func BenchmarkManyMotions(b *testing.B) {
	tb := relays(b, 200)
	b.Run("received", func(b *testing.B) {
		for b.Loop() {
			must(b, tb.full.ReceiveSeal(tb.seals[0]))
			tb.full.Motions()
		}
	})
	b.Run("again", func(b *testing.B) {
		for b.Loop() {
			tb.full.Motions()
		}
	})
}
