package game

import (
	"encoding/hex"
	"errors"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"peernomic/engine/dice"
	"peernomic/engine/ledger"
)

// goOn founds a game in another room that goes on from the table's after a seal, and returns the
// table of that room. The founder is the person of device number by. Nobody else is there yet.
func (tb *table) goOn(seal uint64, by int, change func(*ledger.Genesis)) *table {
	tb.t.Helper()
	next := tb.found(seal, by, change)
	next.seal()
	return next
}

// found is goOn before the new notary has sealed anything.
func (tb *table) found(seal uint64, by int, change func(*ledger.Genesis)) *table {
	tb.t.Helper()
	g, err := tb.full.Continue(seal)
	must(tb.t, err)
	keys := ledger.RoomSecret{byte(tb.motions), 9}.Keys()
	notary, err := ledger.NewNotary(keys.ID, [32]byte{5}, 1000)
	must(tb.t, err)
	g.Notary, g.Anchor, g.Dice = notary.Key(), notary.Anchor(), ledger.DiceBeacon
	if change != nil {
		change(&g)
	}
	next := &table{t: tb.t, keys: keys, notary: notary, ids: tb.ids, now: tb.now}
	for _, p := range tb.pens {
		pen, err := ledger.NewPen(keys, p.Device())
		must(tb.t, err)
		next.pens = append(next.pens, pen)
	}
	e, err := next.pens[by].Found(tb.ids[by], "Somebody", g, tb.now)
	must(tb.t, err)
	next.game = ledger.GameID(e.Action.ID())
	notary.Found(next.game)
	next.full = New(keys, next.game)
	next.send(e)
	return next
}

// comeAlong enrols a device in the room of a table.
func (tb *table) comeAlong(device int) {
	tb.t.Helper()
	e, err := tb.pens[device].Enrol(tb.ids[device], "Somebody", tb.game, nil, tb.now)
	must(tb.t, err)
	tb.send(e)
	tb.seal()
}

func (tb *table) genesis() ledger.Genesis {
	tb.t.Helper()
	g, ok := tb.full.Replica().Genesis()
	if !ok {
		tb.t.Fatal("there is no genesis")
	}
	return g
}

// digTable is a game of three in which each seal orders a few acts.
func digTable(t *testing.T) *table {
	tb := newTable(t, 3)
	for range 3 {
		tb.now += 60_000
		tb.act(0, "Dig")
		tb.act(1, "Dig")
		tb.act(0, "Wind")
		tb.seal()
	}
	return tb
}

// Clause 13.1: a game that goes on from any seal begins exactly as the other was there: rules,
// gamestate and people, as the digests say. The log stays behind, and its numbers go on.
func TestContinueBeginsWhereTheOtherWas(t *testing.T) {
	tb := digTable(t)
	last := tb.full.Replica().Seals()
	for seal := uint64(1); seal <= last; seal++ {
		next := tb.goOn(seal, 0, nil)
		must(t, next.full.Broken())
		must(t, tb.full.CheckSeam(next.genesis()))
		past := tb.full.whole(seal).World()
		if next.full.World().Digest() != past.Digest() || next.genesis().Continues.State != past.Digest() {
			t.Errorf("seal %d: the new game begins with another state", seal)
		}
		if got := next.full.PersonOf(tb.ids[0].Key()); got != 1 {
			t.Errorf("seal %d: the founder is person %d", seal, got)
		}
		if got := len(next.full.World().Log()); got != 0 {
			t.Errorf("seal %d: %d entries of the log came along", seal, got)
		}
		before := len(past.Log())
		next.act(0, "Dig")
		next.seal()
		if e := next.last(); e.Outcome == nil || e.Outcome.Number != int64(before+1) {
			t.Errorf("seal %d: the log goes on with entry %v, want %d", seal, e.Outcome, before+1)
		}
		for n := uint64(1); n <= last; n++ { // whoever holds less, or more, finds the same
			few := New(tb.keys, tb.game)
			for _, e := range tb.envelopes {
				_, err := few.Receive(e)
				must(t, err)
			}
			for _, s := range tb.seals[:n] {
				must(t, few.ReceiveSeal(s))
			}
			want := error(nil)
			if n < seal {
				want = ErrSeal
			}
			if err := few.CheckSeam(next.genesis()); !errors.Is(err, want) {
				t.Errorf("seal %d, checked with %d seals: %v, want %v", seal, n, err, want)
			}
		}
	}
	for _, seal := range []uint64{0, last + 1} {
		if _, err := tb.full.Continue(seal); !errors.Is(err, ErrSeal) {
			t.Errorf("seal %d: %v", seal, err)
		}
	}
}

// A founder who was not there at that seal comes in as a stranger; the world before is the same.
func TestContinueByAStranger(t *testing.T) {
	tb := digTable(t)
	next := tb.goOn(1, 2, nil) // before the enrolments
	must(t, next.full.Broken())
	must(t, tb.full.CheckSeam(next.genesis()))
	if person := next.full.PersonOf(tb.ids[2].Key()); person == 0 || next.full.World().Plays(person) {
		t.Errorf("the founder is person %d", person)
	}
}

// Clause 13.3: whatever is changed in the beginning of the new game, who holds the old one finds
// it out.
func TestSeamsThatDoNotHold(t *testing.T) {
	tb := digTable(t)
	other := digTable(t)
	other.act(2, "Dig")
	other.seal()
	seal := tb.full.Replica().Seals() - 1
	richer := func(g *ledger.Genesis) { // the world of another seal, with its digest
		later, err := tb.full.Continue(seal + 1)
		must(t, err)
		g.Ruleset, g.Continues.State = later.Ruleset, later.Continues.State
	}
	differs := &SeamError{} // of whatever kind
	for name, c := range map[string]struct {
		change func(*ledger.Genesis)
		want   error
	}{
		"another world": {richer, differs},
		"another snapshot": {func(g *ledger.Genesis) { // whose digest says nothing of it, such as of the founder's choices
			later, err := tb.full.Continue(seal + 1)
			must(t, err)
			g.Ruleset = later.Ruleset
		}, differs},
		"another order":      {func(g *ledger.Genesis) { g.Continues.Order[0] ^= 1 }, differs},
		"another seal":       {func(g *ledger.Genesis) { g.Continues.SealHash[0] ^= 1 }, ErrOtherChain},
		"a seal to come":     {func(g *ledger.Genesis) { g.Continues.Seal += 2 }, ErrSeal},
		"another game":       {func(g *ledger.Genesis) { g.Continues.Game[0] ^= 1 }, ErrOtherGame},
		"another room":       {func(g *ledger.Genesis) { g.Ruleset[0].Text = ledger.RoomSecret{4}.String() }, differs},
		"no game":            {func(g *ledger.Genesis) { *g = other.genesis() }, ErrOtherGame},
		"nothing is changed": {func(*ledger.Genesis) {}, nil},
	} {
		g, err := tb.full.Continue(seal)
		must(t, err)
		c.change(&g)
		err = tb.full.CheckSeam(g)
		var seam *SeamError
		if c.want == error(differs) && !errors.As(err, &seam) || c.want != error(differs) && !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
	// A world that is not the one of the digest breaks the new game for everybody, newcomers included.
	next := tb.found(seal, 0, func(g *ledger.Genesis) { g.Continues.State[0] ^= 1 })
	s, err := next.notary.Seal(next.now, next.pending)
	must(t, err)
	must(t, next.full.ReceiveSeal(s.Bytes))
	next.full.Advance(next.now)
	if next.full.Broken() == nil {
		t.Error("a game goes on with another world than it says")
	}
}

// Clause 13.2: time does not run back when the new notary's clock is behind.
func TestTimeDoesNotRunBackAcrossASeam(t *testing.T) {
	tb := digTable(t)
	end := tb.full.whole(tb.full.Replica().Seals()).World().Now()
	tb.now -= 5 * testDay
	next := tb.goOn(tb.full.Replica().Seals(), 0, nil)
	next.act(0, "Dig")
	next.seal()
	for _, e := range next.full.Entries() {
		if e.Time < end {
			t.Errorf("%v at %d, before the world's %d", e.Kind, e.Time, end)
		}
	}
	next.now += 6 * testDay
	next.act(0, "Dig")
	next.seal()
	if e := next.last(); e.Time != next.now {
		t.Errorf("later, an act at %d, want %d", e.Time, next.now)
	}
	if taken := resumesEverywhere(t, next.full, 1); taken < 3 {
		t.Errorf("%d snapshots", taken)
	}
}

// Clause 13.2: nobody is active in the new room before they sign something there.
func TestElectorateAfterAMove(t *testing.T) {
	tb := newLockTable(t, 4)
	tb.act(0, "Lock")
	tb.seal()
	tb.assent(tb.motion(unlock), 0)
	next := tb.goOn(tb.full.Replica().Seals(), 1, nil)
	if len(next.full.Motions()) != 0 {
		t.Error("an open motion came along")
	}
	check := func(what string, want ...int64) {
		t.Helper()
		next.full.Advance(next.now)
		if got := next.full.seen.active(next.now); !slices.Equal(got, want) {
			t.Errorf("%s: %v are active, want %v", what, got, want)
		}
		came, seats := next.full.Arrived()
		if !slices.Equal(came, want) || !slices.Equal(seats, []int64{1, 2, 3, 4}) {
			t.Errorf("%s: %v of %v have come", what, came, seats)
		}
	}
	check("the founder", 2)
	next.comeAlong(0)
	next.comeAlong(3)
	check("two have come", 1, 2, 4)
	m := next.motion(unlock)
	next.assent(m, 1, 0)
	if !next.locked() {
		t.Error("two of three unlocked the game")
	}
	next.assent(m, 3)
	if next.locked() {
		t.Error("three of three did not unlock the game")
	}
}

// A roll that waits for its witnesses has no world after it yet.
func TestContinueWhileARollWaits(t *testing.T) {
	tb := newWitnessTable(t, 3, 1)
	tb.act(1, "Settle")
	tb.act(0, "Dig")
	tb.seal()
	if tb.full.Waiting() == nil {
		t.Fatal("no roll waits")
	}
	if _, err := tb.full.Continue(tb.full.Replica().Seals()); !errors.Is(err, ErrRollWaits) {
		t.Errorf("%v", err)
	}
	if _, err := tb.full.Continue(tb.full.Replica().Seals() - 1); err != nil {
		t.Error(err)
	}
	// Nothing that comes later changes that.
	seal := tb.full.Replica().Seals()
	tb.now += dice.WitnessTime
	tb.seal()
	if tb.full.Waiting() != nil {
		t.Fatal("the roll still waits")
	}
	if _, err := tb.full.Continue(seal); !errors.Is(err, ErrRollWaits) {
		t.Errorf("%v", err)
	}
}

// Clause 13.3: the chapters of a game whose worlds do not fit are no game, though their logs do.
func TestVerifySeams(t *testing.T) {
	tb := digTable(t)
	seal := tb.full.Replica().Seals() - 1
	second := tb.goOn(seal, 1, nil)
	second.act(1, "Dig")
	second.seal()
	third := second.goOn(second.full.Replica().Seals(), 1, nil)
	file, err := ledger.WriteArchive(tb.full.Replica(), second.full.Replica(), third.full.Replica())
	must(t, err)
	chapters, err := ledger.ReadArchive(file)
	must(t, err)
	must(t, VerifySeams(chapters))
	cheat := tb.goOn(seal, 1, func(g *ledger.Genesis) {
		later, err := tb.full.Continue(seal + 1)
		must(t, err)
		g.Ruleset, g.Continues.State = later.Ruleset, later.Continues.State
	})
	file, err = ledger.WriteArchive(tb.full.Replica(), cheat.full.Replica())
	must(t, err)
	chapters, err = ledger.ReadArchive(file) // what needs no rules is right
	must(t, err)
	var differs *SeamError
	if err := VerifySeams(chapters); !errors.As(err, &differs) {
		t.Errorf("a chapter with another world: %v", err)
	}
}

// A game of a whole ruleset goes on to the digest.
func TestGoldenGameGoesOn(t *testing.T) {
	file, err := os.ReadFile("testdata/golden/dragons-1.game")
	must(t, err)
	chapters, err := ledger.ReadArchive(file)
	must(t, err)
	g := FromReplica(chapters[0])
	for _, seal := range []uint64{7, chapters[0].Seals()} {
		founding, err := g.Continue(seal)
		must(t, err)
		t.Logf("after seal %d the snapshot has %d bytes", seal, len(founding.Ruleset[1].Text))
		must(t, g.CheckSeam(founding))
	}
}

// However long its log, a game can go on: only its world has to fit into the genesis.
func TestContinueALongGame(t *testing.T) {
	tb := newTableOf(t, 1, []ledger.Document{{Path: "ruleset.md", Text: "# Test\n\nA test."}, {Path: "1-core/01-all.md",
		Text: "# All\n\n```starlark\ndef say(me, what):\n    pass\naction(\"Say\", run=say, params=[param(\"what\", data())])\n```\n"}})
	random := rand.NewChaCha8([32]byte{1})
	for range 120 {
		b := make([]byte, 20<<10)
		random.Read(b)
		tb.actWith(0, "Say", map[string]any{"what": hex.EncodeToString(b)})
		tb.now += 1000
		tb.seal()
		if refused := tb.last().Outcome.Refused; refused != nil {
			t.Fatal(refused)
		}
	}
	next := tb.goOn(tb.full.Replica().Seals(), 0, nil)
	if next.full.World().Digest() != digestOfWorld(tb) {
		t.Error("the new game begins with another state")
	}
}

func digestOfWorld(tb *table) [32]byte {
	return tb.full.whole(tb.full.Replica().Seals()).World().Digest()
}
