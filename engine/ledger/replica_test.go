package ledger

import (
	"bytes"
	"fmt"
	"reflect"
	"slices"
	"testing"

	"peernomic/engine/wire"
)

func TestReplicaPlacesWhatIsSealed(t *testing.T) {
	tab := newTable(3)
	a := tab.act(1, "a")
	tab.publish(a)
	b := tab.act(2, "b")
	tab.publish(b)
	r := tab.people[0].replica
	if got, want := order(r.Tentative()), []string{"0 a", "0 b"}; !reflect.DeepEqual(got, want) {
		t.Errorf("tentative %v, want %v", got, want)
	}
	if got, want := r.Heads(), []ActionID{b.Action.ID()}; !reflect.DeepEqual(got, want) {
		t.Errorf("heads %v, want the only action that nobody has named, %v", got, want)
	}
	if got, want := r.Unsealed(), []wire.EnvelopeHash{wire.HashEnvelope(a.Envelope()), wire.HashEnvelope(b.Envelope())}; !reflect.DeepEqual(got, want) {
		t.Errorf("unsealed %v, want %v", got, want)
	}
	tab.seal(a.Envelope())
	tab.seal(b.Envelope())
	want := []string{"1 genesis", "2 enrol", "3 enrol", "4 a", "5 b"}
	if got := order(r.Placed()); !reflect.DeepEqual(got, want) {
		t.Errorf("placed %v, want %v", got, want)
	}
	if got := r.Tentative(); len(got) != 0 {
		t.Errorf("tentative %v, want none", order(got))
	}
	for i, p := range r.Placed() {
		s, _ := r.Seal(p.Seal)
		if p.Index != i || p.Time != s.Time || p.SealLink != s.Link || p.SealHash != s.Hash || p.Named != p.Seal {
			t.Errorf("placement %d does not carry its seal", i)
		}
	}
	if n, hash, time := r.LastSeal(); n != 5 || hash != tab.seals[4].Hash || time != tab.now || r.OrderedSeals() != 5 {
		t.Errorf("the last seal is %d", n)
	}
	if e, ok := r.Enrolment(tab.people[2].pen.Device().Key()); !ok || e.Name != "P2" || e.Identity != tab.people[2].id.Key() {
		t.Errorf("enrolment %+v, %v", e, ok)
	}
}

// A second device of a person is enrolled like the first.
func TestSecondDevice(t *testing.T) {
	tab := newTable(2)
	second := pen(tab.keys, "second device")
	e := must(second.Enrol(tab.people[1].id, "P1", tab.game, tab.people[1].replica.Heads(), tab.now))
	tab.publish(e)
	tab.seal(e.Envelope())
	r := tab.people[0].replica
	got, ok := r.Enrolment(second.Device().Key())
	if !ok || got.Identity != tab.people[1].id.Key() {
		t.Errorf("the second device belongs to %v, %v", got.Identity, ok)
	}
}

// Clause 5.2: the room may hold other geneses, even ones that name the same notary and are
// sealed first. Only the game's counts.
func TestOtherGenesisInTheRoom(t *testing.T) {
	tab := newTable(1)
	rival := must(pen(tab.keys, "rival").Found(must(NewIdentity(source("rival"))), "Rival", tab.genesis(), tab.now))
	act := must(pen(tab.keys, "rival").Write(Position{Game: GameID(rival.Action.ID()), Seq: 1, Prev: rival.Action.ID()}, KindAct, []byte("x"), tab.now))
	n := tab.another(7)
	one := must(n.Seal(tab.now, []wire.EnvelopeHash{wire.HashEnvelope(rival.Envelope()), wire.HashEnvelope(act.Envelope())}))
	two := must(n.Seal(tab.now, []wire.EnvelopeHash{wire.HashEnvelope(tab.all[0])}))
	messages := []func(r *Replica){
		func(r *Replica) { must(r.AddEnvelope(tab.all[0])) },
		func(r *Replica) { _, err := r.AddEnvelope(rival.Envelope()); wantCode(t, err, CodeGame) },
		func(r *Replica) { _, err := r.AddEnvelope(act.Envelope()); wantCode(t, err, CodeGame) },
		func(r *Replica) { r.AddSeal(one.Bytes) },
		func(r *Replica) { r.AddSeal(two.Bytes) },
	}
	permute(len(messages), func(order []int) {
		r := NewReplica(tab.keys, tab.game)
		for _, i := range order {
			messages[i](r)
		}
		if _, ok := r.Genesis(); !ok || len(r.Placed()) != 1 || r.OrderedSeals() != 2 || len(r.Tentative()) != 0 {
			t.Errorf("in order %v, %d placed by %d seals, %d tentative", order, len(r.Placed()), r.OrderedSeals(), len(r.Tentative()))
		}
	})
}

// Clause 6.5: seals by other keys that come before the genesis are dropped when it comes, and
// those of the notary are linked then.
func TestSealsBeforeTheGenesis(t *testing.T) {
	tab := newTable(1)
	stranger := must(tab.another(9).Seal(tab.now, nil))
	r := NewReplica(tab.keys, tab.game)
	for _, s := range []wire.SignedSeal{stranger, tab.seals[0], tab.seals[0]} {
		if err := r.AddSeal(s.Bytes); err != nil || !r.HoldsSeal(s) {
			t.Fatalf("before the genesis: %v", err)
		}
	}
	if r.Seals() != 0 || len(r.early) != 2 || len(r.MissingEnvelopes()) != 1 || !r.HoldsSealsTo(1) || r.HoldsSealsTo(2) {
		t.Errorf("%d seals linked, %d waiting, %d envelopes missing", r.Seals(), len(r.early), len(r.MissingEnvelopes()))
	}
	must(r.AddEnvelope(tab.all[0]))
	if r.Seals() != 1 || len(r.Placed()) != 1 || r.HoldsSeal(stranger) || !r.HoldsSeal(tab.seals[0]) || !r.HoldsSealsTo(1) || r.HoldsSealsTo(2) {
		t.Errorf("%d seals linked, %d actions placed", r.Seals(), len(r.Placed()))
	}
	wantCode(t, r.AddSeal(stranger.Bytes), CodeNotary)
}

// Clause 5.3: a genesis of the right id whose content is wrong refuses the whole game, for good.
func TestNothingDependsOnARefusedGenesis(t *testing.T) {
	tab := newTable(1)
	f := newForge()
	bad := f.genesisWith(tab.people[0].pen, tab.people[0].id, func(g *Genesis, a *Action) { g.Kernel = 0 })
	id := must(Parse(must(tab.keys.Open(bad)).Data)).ID()
	act := must(tab.people[0].pen.Write(Position{Game: GameID(id), Seq: 1, Prev: id}, KindAct, []byte("x"), tab.now))
	for _, first := range []bool{true, false} {
		r := NewReplica(tab.keys, GameID(id))
		if first {
			_, err := r.AddEnvelope(bad)
			wantCode(t, err, CodeGenesis)
		}
		_, err := r.AddEnvelope(act.Envelope())
		if !first {
			if err != nil {
				t.Errorf("refused before the genesis came: %v", err)
			}
			_, err = r.AddEnvelope(bad)
			wantCode(t, err, CodeGenesis)
			_, err = r.AddEnvelope(act.Envelope())
		}
		wantCode(t, err, CodeDepends)
	}
}

// Clause 6.6: both seals are kept as the proof, also if neither is linked yet, and the chain that was
// linked first goes on.
func TestNotaryFork(t *testing.T) {
	tab := newTable(2)
	honest := *tab.notary
	tab.seal()
	other := must(honest.Seal(tab.now+5000, nil))
	r := tab.people[0].replica
	wantCode(t, r.AddSeal(other.Bytes), CodeNotaryFork)
	proofs := r.NotaryForks()
	if len(proofs) != 1 || proofs[0].Check() != nil || proofs[0].Number != 3 {
		t.Fatalf("proofs %v", proofs)
	}
	tab.seal()
	if r.Seals() != 4 {
		t.Errorf("%d seals, want 4", r.Seals())
	}

	late := NewReplica(tab.keys, tab.game)
	for _, b := range [][]byte{tab.all[0], tab.all[1]} {
		must(late.AddEnvelope(b))
	}
	for _, s := range []wire.SignedSeal{tab.seals[0], other, tab.seals[2], tab.seals[1]} {
		late.AddSeal(s.Bytes)
	}
	if got := late.NotaryForks(); len(got) != 1 || got[0].Check() != nil {
		t.Errorf("proofs of a fork that was not linked yet: %v", got)
	}
	if late.Seals() != 3 {
		t.Errorf("%d seals, want 3", late.Seals())
	}
}

// Clause 9.2: junk that nobody sealed is forgotten, and what a seal names is kept.
func TestJunkIsBounded(t *testing.T) {
	tab := newTable(1)
	r := tab.people[0].replica
	junk := func(i int) []byte {
		return must(tab.keys.sealContent(Content(9), []byte(fmt.Sprint("junk", i))))
	}
	kept := junk(-1)
	_, err := r.AddEnvelope(kept)
	wantCode(t, err, CodeContent)
	tab.seal(kept)
	for i := range 3 * MaxJunk {
		r.AddEnvelope(junk(i))
	}
	if got := len(r.envelopes); got > MaxJunk+3 {
		t.Errorf("%d envelopes are held", got)
	}
	if _, ok := r.Envelope(wire.HashEnvelope(kept)); !ok {
		t.Error("junk that a seal names was forgotten")
	}
	// Junk that was forgotten and is sealed later is asked for again.
	first := junk(0)
	tab.seal(first)
	if got := r.MissingEnvelopes(); !slices.Equal(got, []wire.EnvelopeHash{wire.HashEnvelope(first)}) {
		t.Errorf("missing %v", got)
	}
	r.AddEnvelope(first)
	if r.OrderedSeals() != r.Seals() {
		t.Error("junk blocks the order")
	}
}

// Clause 9.2: seals that do not follow are bounded.
func TestHeldSealsAreBounded(t *testing.T) {
	c := newSealChain(wire.NotaryKey{}, wire.Link{})
	c.count = MaxHeldSeals
	err := c.add(wire.SignedSeal{Seal: wire.Seal{Number: 5}})
	wantCode(t, err, CodeFull)
}

// Clause 9.2: envelopes that no seal names are bounded; what a seal names always comes in.
func TestHeldEnvelopesAreBounded(t *testing.T) {
	tab := newTable(1)
	r := tab.people[0].replica
	a, b := tab.act(0, "a"), tab.act(0, "b")
	tab.seal(b.Envelope())
	r.unnamed = MaxHeldEnvelopes
	_, err := r.AddEnvelope(a.Envelope())
	wantCode(t, err, CodeFull)
	if _, err := r.AddEnvelope(b.Envelope()); err != nil {
		t.Errorf("an envelope that a seal names is refused: %v", err)
	}
	r.unnamed = 0
	if _, err := r.AddEnvelope(a.Envelope()); err != nil {
		t.Errorf("refused again, later: %v", err)
	}
}

// What was accepted and stored before comes back without judging signatures, and the same.
func TestRestore(t *testing.T) {
	tab := newTable(3)
	for i := range 10 {
		e := tab.act(i%3, fmt.Sprint("act ", i))
		tab.publish(e)
		tab.seal(e.Envelope())
	}
	r := NewReplica(tab.keys, tab.game)
	for _, env := range tab.all {
		must(r.RestoreEnvelope(env))
	}
	for _, s := range tab.seals {
		if err := r.RestoreSeal(s.Bytes); err != nil {
			t.Fatal(err)
		}
	}
	if !reflect.DeepEqual(r.Placed(), tab.people[0].replica.Placed()) {
		t.Error("the restored order is another")
	}
}

// In a forked feed the next action follows the branch that stands, so the fork heals.
func TestPositionInAForkedFeed(t *testing.T) {
	tab := newTable(2)
	at := tab.people[1].replica.Position(tab.people[1].pen.Device().Key())
	write := func(at Position, body string) Entry {
		return must(tab.people[1].pen.Write(at, KindAct, []byte(body), tab.now))
	}
	a, b := write(at, "a"), write(at, "b")
	b2 := write(Position{Game: at.Game, Seq: at.Seq + 1, Prev: b.Action.ID()}, "b2")
	for _, e := range []Entry{b, b2, a} {
		tab.publish(e)
	}
	for _, p := range tab.people {
		// Unsealed, the branch that would stand is the one that the order has first.
		want := at.Seq
		var end ActionID
		for _, q := range p.replica.Tentative() {
			if q.Void == nil {
				want, end = want+1, q.Action.ID()
			}
		}
		if seq, id, _ := p.replica.Feed(tab.people[1].pen.Device().Key()); seq != want || id != end {
			t.Errorf("the feed ends with %d %v, want %d %v", seq, id, want, end)
		}
	}
	tab.seal(a.Envelope())
	tab.seal(b.Envelope(), b2.Envelope())
	r := tab.people[0].replica
	seq, id, _ := r.Feed(tab.people[1].pen.Device().Key())
	if seq != at.Seq+1 || id != a.Action.ID() {
		t.Errorf("the feed ends with %d %v, want a", seq, id)
	}
	tab.publish(tab.act(1, "c"))
	if got, want := order(r.Tentative()), []string{"0 c"}; !reflect.DeepEqual(got, want) {
		t.Errorf("tentative %v, want %v", got, want)
	}
	forks := r.Forks()
	if len(forks) != 2 { // c and b2 have one number as well
		t.Errorf("%d forks, want 2", len(forks))
	}
	for _, f := range forks {
		if err := f.Check(); err != nil {
			t.Errorf("proof: %v", err)
		}
	}
}

// Clauses 7.6 and 7.9: among tentative actions, too, all that follows the loser of a fork is void.
func TestTentativeForkWithALongerLoser(t *testing.T) {
	tab := newTable(2)
	p := tab.people[1]
	at := p.replica.Position(p.pen.Device().Key())
	write := func(at Position, body string) Entry {
		return must(p.pen.Write(at, KindAct, []byte(body), tab.now))
	}
	a, b := write(at, "a"), write(at, "b")
	if x, y := a.Action.ID(), b.Action.ID(); bytes.Compare(x[:], y[:]) > 0 {
		a, b = b, a // the smaller id comes first
	}
	b2 := write(Position{Game: at.Game, Seq: at.Seq + 1, Prev: b.Action.ID()}, "b2")
	b3 := write(Position{Game: at.Game, Seq: at.Seq + 2, Prev: b2.Action.ID()}, "b3")
	for _, e := range []Entry{b, b2, b3, a} {
		tab.publish(e)
	}
	want := []string{"0 " + string(a.Body), "0 " + string(b.Body) + " void:fork", "0 b2 void:fork", "0 b3 void:fork"}
	if got := order(tab.people[0].replica.Tentative()); !reflect.DeepEqual(got, want) {
		t.Errorf("tentative %v, want %v", got, want)
	}
}

// One payload signed twice is one action in two envelopes. Whichever a seal names counts,
// everywhere alike.
func TestOneActionInTwoEnvelopes(t *testing.T) {
	tab := newTable(2)
	e := tab.act(1, "a")
	twin := resign(e.Action, tab.people[1].pen.dev)
	env := must(tab.keys.SealAction(twin))
	if twin.ID() != e.Action.ID() || slices.Equal(env, e.Envelope()) {
		t.Fatal("the twin is not what the test needs")
	}
	tab.seal(env)
	tab.seal(e.Envelope())
	envelopes := [][]byte{e.Envelope(), env}
	permute(2, func(order []int) {
		r := NewReplica(tab.keys, tab.game)
		for _, b := range tab.all {
			must(r.AddEnvelope(b))
		}
		for _, s := range tab.seals {
			if err := r.AddSeal(s.Bytes); err != nil {
				t.Fatal(err)
			}
		}
		for _, i := range order {
			must(r.AddEnvelope(envelopes[i]))
		}
		placed := r.Placed()
		last := placed[len(placed)-1]
		if len(placed) != 3 || last.Seal != 3 || last.Envelope != wire.HashEnvelope(env) || !slices.Equal(last.Action.Bytes(), twin.Bytes()) {
			t.Errorf("in order %v the action is placed at seal %d", order, last.Seal)
		}
		if len(r.Forks()) != 0 {
			t.Error("one action is shown as a fork")
		}
	})
}

func TestEnvelopesAfterGivesWholeActions(t *testing.T) {
	tab := newTable(1)
	long := make([]byte, 3*MaxPart)
	must(source("long").Read(long))
	tab.publish(tab.act(0, string(long)))
	r := tab.people[0].replica
	batch := r.EnvelopesAfter([]wire.FeedPosition{{Device: tab.people[0].pen.Device().Key(), Seq: 1}}, 1)
	if len(batch) != 5 {
		t.Fatalf("%d envelopes, want the four parts and their action", len(batch))
	}
	if o := must(tab.keys.Open(batch[4])); o.Content != ContentAction {
		t.Error("the action is not the last")
	}
	if got := r.EnvelopesAfter(r.Feeds(), 10); len(got) != 0 {
		t.Errorf("%d envelopes after everything", len(got))
	}
}

// Clause 4.15: what compresses too far is filled up to the ratio that is allowed, up to the largest body.
func TestLongBodies(t *testing.T) {
	tab := newTable(1)
	p := tab.people[0]
	for _, n := range []int{0, 1, MaxInline, MaxInline + 1, MaxPart, 1 << 20, MaxBody} {
		e := tab.act(0, string(make([]byte, n))) // zeroes compress a thousandfold
		tab.publish(e)
		tab.seal(e.Envelopes...)
		if parts := len(e.Action.Action().Parts); (n <= MaxInline) != (parts == 0) || parts > 1+n/MaxExpansion/(MaxPart-100) {
			t.Errorf("a body of %d bytes has %d parts", n, parts)
		}
		placed := p.replica.Placed()
		if last := placed[len(placed)-1]; last.Void != nil || len(last.Body()) != n {
			t.Errorf("a body of %d bytes came back with %d, void: %v", n, len(last.Body()), last.Void)
		}
	}
	_, err := p.pen.Write(p.replica.Position(p.pen.Device().Key()), KindAct, make([]byte, MaxBody+1), tab.now)
	wantCode(t, err, CodeBody)
}

// A pen refuses to write what replicas would refuse.
func TestPenRefuses(t *testing.T) {
	tab := newTable(1)
	p := tab.people[0]
	at := p.replica.Position(p.pen.Device().Key())
	for name, c := range map[string]struct {
		want  Code
		write func() error
	}{
		"a negative time": {CodeClaimed, func() error { _, err := p.pen.Write(at, KindAct, nil, -1); return err }},
		"an unknown kind": {CodeKind, func() error { _, err := p.pen.Write(at, Kind(9), nil, 0); return err }},
		"a second enrolment": {CodeFirst, func() error {
			_, err := p.pen.Write(at, KindEnrol, nil, 0)
			return err
		}},
		"no game": {CodeNoGame, func() error { _, err := p.pen.Write(Position{Seq: 1, Prev: at.Prev}, KindAct, nil, 0); return err }},
		"the end of its chain": {CodeSeq, func() error {
			_, err := p.pen.Write(Position{Game: at.Game, Seq: 65536, Prev: at.Prev}, KindAct, nil, 0)
			return err
		}},
		"a name too long": {CodeEnrol, func() error {
			_, err := p.pen.Enrol(p.id, string(make([]byte, 65)), at.Game, nil, 0)
			return err
		}},
		"a genesis without title": {CodeGenesis, func() error {
			g := tab.genesis()
			g.Title = ""
			_, err := p.pen.Found(p.id, "P0", g, 0)
			return err
		}},
		"two documents of one path": {CodeGenesis, func() error {
			g := tab.genesis()
			g.Ruleset = append(g.Ruleset, g.Ruleset[0])
			_, err := p.pen.Found(p.id, "P0", g, 0)
			return err
		}},
	} {
		t.Run(name, func(t *testing.T) { wantCode(t, c.write(), c.want) })
	}
}

// A ruleset that does not fit inline travels in parts, and comes back.
func TestGenesisWithALargeRuleset(t *testing.T) {
	tab := newTable(1)
	g := tab.genesis()
	text := make([]byte, 300_000)
	for i := range text {
		text[i] = 'a' + byte(i*i%26)
	}
	g.Ruleset = []Document{{Path: "b.md", Text: string(text)}, {Path: "a.md", Text: "# A"}}
	e := must(pen(tab.keys, "stranger").Found(tab.people[0].id, "P0", g, tab.now))
	r := NewReplica(tab.keys, GameID(e.Action.ID()))
	for _, env := range slices.Backward(e.Envelopes) {
		if _, ok := r.Genesis(); ok {
			t.Fatal("there is a game before all parts are there")
		}
		must(r.AddEnvelope(env))
	}
	got, ok := r.Genesis()
	if !ok || len(got.Ruleset) != 2 || got.Ruleset[0].Path != "a.md" || got.Ruleset[1].Text != string(text) {
		t.Errorf("the genesis came back as %v documents, %v", len(got.Ruleset), ok)
	}
}

// A notary goes on after a restart, and only with its own seals.
func TestNotaryResumes(t *testing.T) {
	tab := newTable(1)
	again := tab.another(7)
	if err := again.Resume(tab.notary.Last()); err != nil {
		t.Fatal(err)
	}
	s := must(again.Seal(0, nil))
	if err := tab.people[0].replica.AddSeal(s.Bytes); err != nil {
		t.Errorf("the seal after a restart is refused: %v", err)
	}
	if s.Time != tab.now {
		t.Errorf("with a clock that went back the time is %d, want %d", s.Time, tab.now)
	}
	wantCode(t, tab.another(8).Resume(tab.notary.Last()), CodeNotary)
	if a, b := must(tab.people[0].pen.Device().PracticeNotary(tab.keys.ID)), must(tab.people[0].pen.Device().PracticeNotary(tab.keys.ID)); a.Key() != b.Key() || a.Anchor() != b.Anchor() {
		t.Error("a device is another notary each time")
	}
}

// permute calls f with every order of 0 to n-1.
func permute(n int, f func([]int)) {
	var rec func(head, rest []int)
	rec = func(head, rest []int) {
		if len(rest) == 0 {
			f(head)
		}
		for i, x := range rest {
			rec(append(slices.Clone(head), x), slices.Delete(slices.Clone(rest), i, i+1))
		}
	}
	rec(nil, indexes(n))
}
