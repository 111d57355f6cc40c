package ledger

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"peernomic/engine/wire"
)

// everybody is an electorate for tests: who is enrolled by a seal.
func everybody(r *Replica) Electorate {
	return func(seal uint64) []IdentityKey {
		var out []IdentityKey
		for _, p := range r.Placed() {
			if p.Seal > seal || p.Action.Action().Seq > 1 {
				continue
			}
			if e, ok := r.Enrolment(p.Action.Action().Device); ok && !slices.Contains(out, e.Identity) {
				out = append(out, e.Identity)
			}
		}
		slices.SortFunc(out, func(a, b IdentityKey) int { return bytes.Compare(a[:], b[:]) })
		return out
	}
}

// orphaned is a game among some people whose notary seals no more after an act by each.
type orphaned struct {
	*table
	t     testing.TB
	base  wire.SignedSeal
	heirs map[byte]*Notary
}

func newOrphaned(t testing.TB, people int) *orphaned {
	o := &orphaned{table: newTable(people), t: t, heirs: map[byte]*Notary{}}
	for _, p := range o.people {
		p.replica.SetElectorate(everybody(p.replica))
	}
	for i := range o.people {
		e := o.act(i, fmt.Sprint("act of ", i))
		o.publish(e)
		o.table.seal(e.Envelopes...)
	}
	o.base = o.seals[len(o.seals)-1]
	return o
}

// heir returns a notary who would go on from a seal.
func (o *orphaned) heir(seed byte, base wire.SignedSeal) *Notary {
	if o.heirs[seed] == nil {
		o.heirs[seed] = notary(o.keys, seed)
		o.heirs[seed].Continue(base)
	}
	return o.heirs[seed]
}

func (o *orphaned) motion(seed byte, base wire.SignedSeal, round uint64) Motion {
	n := o.heir(seed, base)
	return must(MotionFor(o.game, base, round, "", NotaryChange{Notary: n.Key(), Anchor: n.Anchor(), Relay: fmt.Sprint("wss://relay", seed)}))
}

// ballot makes a person sign a ballot after a position, by default their newest. Nobody holds it
// yet.
func (o *orphaned) ballot(p int, b Ballot, after ...Position) Entry {
	who := o.people[p]
	at := who.replica.Position(who.pen.Device().Key())
	if len(after) > 0 {
		at = after[0]
	}
	return must(who.pen.Write(at, KindConvention, must(EncodeBallot(b)), o.now))
}

func (o *orphaned) assent(p int, m Motion) Entry {
	return o.ballot(p, Ballot{Verb: VerbAssent, Motion: &m})
}

// assents makes everybody sign a motion.
func (o *orphaned) assents(m Motion) (all []Entry) {
	for i := range o.people {
		e := o.assent(i, m)
		o.publish(e)
		all = append(all, e)
	}
	return all
}

// goOn makes an heir cut a seal over entries and gives it to everybody.
func (o *orphaned) goOn(seed byte, entries ...Entry) wire.SignedSeal {
	o.now += 1000
	var hashes []wire.EnvelopeHash
	for _, e := range entries {
		for _, env := range e.Envelopes {
			hashes = append(hashes, wire.HashEnvelope(env))
		}
	}
	s := must(o.heirs[seed].Seal(o.now, hashes))
	o.seals = append(o.seals, s)
	for _, p := range o.people {
		if err := p.replica.AddSeal(s.Bytes); err != nil {
			o.t.Helper()
			o.t.Fatalf("a successor's seal: %v", err)
		}
	}
	return s
}

// fresh returns a replica that got everything ever published, envelopes first.
func (o *orphaned) fresh() *Replica {
	r := NewReplica(o.keys)
	r.SetElectorate(everybody(r))
	for _, env := range o.all {
		r.AddEnvelope(env)
	}
	for _, s := range o.seals {
		r.AddSeal(s.Bytes)
	}
	return r
}

// Clauses 12.8 to 12.10: another notary goes on from the last seal, with a proof; an equal count is
// not more.
func TestSuccession(t *testing.T) {
	for people, needed := range map[int]int{1: 1, 2: 2, 3: 3, 4: 3} {
		o := newOrphaned(t, people)
		before := order(o.people[0].replica.Placed())
		m := o.motion(9, o.base, 1)
		var assents []Entry
		for i := range needed {
			e := o.assent(i, m)
			o.publish(e)
			assents = append(assents, e)
			p, ok := o.people[0].replica.ProofOf(m)
			if !ok || len(p.Assents) != i+1 || p.Active != people || p.Complete() != (i+1 == needed) {
				t.Fatalf("%d of %d: %d assents among %d, complete %v", i+1, people, len(p.Assents), p.Active, p.Complete())
			}
		}
		o.goOn(9, assents...)
		later := o.act(0, "later")
		o.publish(later)
		o.goOn(9, later)
		for i, p := range o.people {
			if got := p.replica.Seals(); got != o.base.Number+2 {
				t.Fatalf("person %d of %d holds %d seals, want %d", i, people, got, o.base.Number+2)
			}
			got := order(p.replica.Placed())
			if want := fmt.Sprintf("%d later", o.base.Number+2); !slices.Equal(got[:len(before)], before) || got[len(got)-1] != want || len(got) != len(before)+needed+1 {
				t.Fatalf("the order is %q, want it to go on from %q to %q", got, before, want)
			}
			if key, _ := p.replica.Notary(); key != o.heirs[9].Key() || p.replica.Generation() != 0 {
				t.Errorf("the notary is %v, generation %d", key, p.replica.Generation())
			}
		}
		if s := o.people[0].replica.Successions(); len(s) != 1 || s[0].Change.Relay != "wss://relay9" || len(s[0].Assents) != needed {
			t.Errorf("successions %+v", s)
		}
	}
}

// What somebody else signs of a successor's first seal proves nothing, and takes nothing from it.
func TestCopyOfAFirstSeal(t *testing.T) {
	o := newOrphaned(t, 1)
	m := o.motion(9, o.base, 1)
	a := o.assent(0, m)
	o.publish(a)
	first := must(o.heirs[9].Seal(o.now+1000, []wire.EnvelopeHash{wire.HashEnvelope(a.Envelope())}))
	copied := must(wire.SignSeal(o.heir(10, o.base).key, first.Seal))
	r := o.people[0].replica
	if _, ok := r.judgeSuccession(o.base.Number, copied); ok || copied.Hash != first.Hash {
		t.Error("a copy by another key is taken for the successor's")
	}
	if _, ok := r.judgeSuccession(o.base.Number, first); !ok {
		t.Error("the first seal proves nothing once somebody has copied it")
	}
	if _, ok := r.judgeSuccession(o.base.Number, copied); ok {
		t.Error("a copy by another key is taken for the successor's afterwards")
	}
}

// Clauses 6.5 and 12.12: one payload, signed by two keys for which everybody has signed with the same anchor, proves both motions. The
// later round stands, whichever came first, and who agreed to the one has not agreed to the other.
func TestOnePayloadProvesTwoMotions(t *testing.T) {
	for _, keys := range [][]byte{{9, 10}, {10, 9}} {
		o := newOrphaned(t, 1)
		r := o.people[0].replica
		mine := o.motion(9, o.base, 1)
		change := must(mine.Notary())
		change.Notary = o.heir(10, o.base).Key() // with the anchor of the other
		theirs := must(MotionFor(o.game, o.base, 2, "", change))
		entries := append(o.assents(mine), o.assents(theirs)...)
		first := must(o.heirs[9].Seal(o.now+1000, hashesOf(entries)))
		seals := map[byte]wire.SignedSeal{9: first, 10: must(wire.SignSeal(o.heirs[10].key, first.Seal))}
		for _, key := range keys {
			if err := r.AddSeal(seals[key].Bytes); err != nil {
				t.Fatal(err)
			}
			o.seals = append(o.seals, seals[key])
		}
		for _, r := range []*Replica{r, o.fresh()} {
			if s := r.Successions(); len(s) != 1 || s[0].Motion.Round != 2 || !r.Begun(s[0].ID) {
				t.Errorf("%v: %+v stands", keys, s)
			}
			if got, ok := r.Seal(first.Number); !ok || got.Notary != o.heirs[10].Key() {
				t.Errorf("%v: the seal is by %v", keys, got.Notary)
			}
		}
	}
}

// Who follows one of two keys that signed the same is asked before the other takes anything back.
func TestAgreeingToOneKeyIsNotAgreeingToAnother(t *testing.T) {
	o := newOrphaned(t, 1)
	r := o.people[0].replica
	r.AskFirst()
	mine := o.motion(9, o.base, 1)
	change := must(mine.Notary())
	change.Notary = o.heir(10, o.base).Key()
	theirs := must(MotionFor(o.game, o.base, 2, "", change))
	entries := append(o.assents(mine), o.assents(theirs)...)
	first := o.goOn(9, entries...)
	r.Decide(first.Hash, true)
	later := o.act(0, "later")
	o.publish(later)
	o.goOn(9, later)
	want := order(r.Placed())
	if err := r.AddSeal(must(wire.SignSeal(o.heirs[10].key, first.Seal)).Bytes); err != nil {
		t.Fatal(err)
	}
	if p := r.Pending(); len(p) != 1 || p[0].Motion.Round != 2 || !slices.Equal(order(r.Placed()), want) {
		t.Errorf("pending are %+v; placed are %v, want %v", p, order(r.Placed()), want)
	}
}

// wantBase checks that no successor has gone on.
func (o *orphaned) wantBase(what string) {
	o.t.Helper()
	for _, r := range []*Replica{o.people[0].replica, o.fresh()} {
		if n := r.Successions(); len(n) != 0 {
			o.t.Errorf("%s: a successor goes on with %d assents of %d", what, len(n[0].Assents), n[0].Active)
		}
	}
}

// Clauses 12.9 to 12.11, what a first seal does not prove.
func TestSuccessionWithoutProof(t *testing.T) {
	t.Run("too few", func(t *testing.T) {
		o := newOrphaned(t, 3)
		m := o.motion(9, o.base, 1)
		a, b, c := o.assent(0, m), o.assent(1, m), o.assent(2, m)
		for _, e := range []Entry{a, b, c} {
			o.publish(e)
		}
		o.goOn(9, a, b) // the third is held by everybody, but the seal does not name it
		o.wantBase("two of three")
	})
	t.Run("another link", func(t *testing.T) {
		o := newOrphaned(t, 1)
		m := o.motion(9, o.base, 1)
		c := must(m.Notary())
		c.Anchor[0] ^= 1
		m = must(MotionFor(o.game, o.base, 1, "", c))
		a := o.assent(0, m)
		o.publish(a)
		o.goOn(9, a)
		o.wantBase("an anchor that is not the seal's")
	})
	t.Run("another base", func(t *testing.T) {
		o := newOrphaned(t, 1)
		o.heir(9, o.base)
		m := o.motion(9, o.seals[0], 1)
		a := o.assent(0, m)
		o.publish(a)
		o.goOn(9, a)
		o.wantBase("an assent for another base")
	})
	t.Run("what it depends on is missing", func(t *testing.T) {
		o := newOrphaned(t, 1)
		m := o.motion(9, o.base, 1)
		first := o.act(0, "not sealed")
		o.publish(first)
		a := o.assent(0, m)
		o.publish(a)
		o.goOn(9, a)
		o.wantBase("an assent that is not carried")
	})
	t.Run("withdrawn", func(t *testing.T) {
		o := newOrphaned(t, 1)
		m := o.motion(9, o.base, 1)
		a := o.assent(0, m)
		o.publish(a)
		_, id, err := m.Encode()
		w := o.ballot(0, Ballot{Verb: VerbWithdraw, ID: id})
		o.publish(w)
		if p, _ := o.people[0].replica.ProofOf(m); err != nil || p.Complete() {
			t.Error("a withdrawn assent counts")
		}
		o.goOn(9, a, w)
		o.wantBase("a withdrawn assent")
	})
	t.Run("withdrawn and renewed", func(t *testing.T) {
		o := newOrphaned(t, 1)
		m := o.motion(9, o.base, 1)
		_, id, _ := m.Encode()
		var all []Entry
		for _, b := range []Ballot{{Verb: VerbAssent, Motion: &m}, {Verb: VerbWithdraw, ID: id}, {Verb: VerbAssent, Motion: &m}} {
			e := o.ballot(0, b)
			o.publish(e)
			all = append(all, e)
		}
		o.goOn(9, all...)
		if len(o.fresh().Successions()) != 1 {
			t.Error("an assent after a withdrawal does not count")
		}
	})
	t.Run("a rival before", func(t *testing.T) {
		o := newOrphaned(t, 1)
		first, second := o.motion(9, o.base, 1), o.motion(10, o.base, 1)
		a := o.assent(0, first)
		o.publish(a)
		b := o.assent(0, second)
		o.publish(b)
		o.goOn(10, a, b)
		o.wantBase("an assent after one to a rival of the same round")
	})
	t.Run("a later round", func(t *testing.T) {
		o := newOrphaned(t, 1)
		first, second := o.motion(9, o.base, 1), o.motion(10, o.base, 2)
		a := o.assent(0, first)
		o.publish(a)
		b := o.assent(0, second)
		o.publish(b)
		o.goOn(10, a, b)
		if len(o.fresh().Successions()) != 1 {
			t.Error("an assent to a later round does not count")
		}
		o.goOn(9, a)
		if s := o.fresh().Successions(); s[0].Motion.Round != 2 {
			t.Error("an earlier round wins over a later one")
		}
	})
	t.Run("two branches in one seal", func(t *testing.T) {
		o := newOrphaned(t, 1)
		m := o.motion(9, o.base, 1)
		at := o.people[0].replica.Position(o.people[0].pen.Device().Key())
		a, b := o.assent(0, m), must(o.people[0].pen.Write(at, KindAct, []byte("fork"), o.now))
		o.publish(a)
		o.publish(b)
		o.goOn(9, a, b)
		o.wantBase("an assent of a device that forked beside it")
	})
	t.Run("a branch that lost", func(t *testing.T) {
		o := newOrphaned(t, 1)
		at := o.people[0].replica.Position(o.people[0].pen.Device().Key())
		stands := o.act(0, "stands")
		o.publish(stands)
		o.base = o.table.seal(stands.Envelopes...)
		m := o.motion(9, o.base, 1)
		a := o.ballot(0, Ballot{Verb: VerbAssent, Motion: &m}, at)
		o.publish(a)
		o.goOn(9, a)
		o.wantBase("an assent in a feed that lost a fork")
	})
	t.Run("two devices of one person", func(t *testing.T) {
		o := newOrphaned(t, 2)
		m := o.motion(9, o.base, 1)
		second := pen(o.keys, "second")
		e := must(second.Enrol(o.people[0].id, "P0", o.game, nil, o.now))
		o.publish(e)
		at := o.people[0].replica.Position(second.Device().Key())
		b := must(second.Write(at, KindConvention, must(EncodeBallot(Ballot{Verb: VerbAssent, Motion: &m})), o.now))
		o.publish(b)
		a := o.assent(0, m)
		o.publish(a)
		o.goOn(9, e, b, a)
		o.wantBase("two devices of one of two people")
	})
	t.Run("who came after the base", func(t *testing.T) {
		o := newOrphaned(t, 1)
		m := o.motion(9, o.base, 1)
		late := pen(o.keys, "late")
		e := must(late.Enrol(must(NewIdentity(source("late"))), "Late", o.game, nil, o.now))
		o.publish(e)
		b := must(late.Write(o.people[0].replica.Position(late.Device().Key()), KindConvention, must(EncodeBallot(Ballot{Verb: VerbAssent, Motion: &m})), o.now))
		o.publish(b)
		o.goOn(9, e, b)
		o.wantBase("an assent by somebody who was not active at the base")
	})
}

// Clauses 12.12 and 12.13: the old notary comes back and seals on. What it orders after the base is
// overruled, also where it had its place already, and nothing before the base changes.
func TestOldNotaryComesBack(t *testing.T) {
	o := newOrphaned(t, 3)
	before := order(o.people[0].replica.Placed())
	m := o.motion(9, o.base, 1)
	assents := o.assents(m)
	late := o.act(1, "sealed by the old notary")
	o.publish(late)
	for _, e := range append(assents, late) {
		o.table.seal(e.Envelopes...)
	}
	followed := o.people[0].replica
	if followed.Seals() != o.base.Number+4 || followed.Generation() != 0 {
		t.Fatalf("the old notary's seals are not linked before the proof: %d", followed.Seals())
	}
	o.goOn(9, assents...)
	o.goOn(9, late)
	if followed.Generation() != 1 {
		t.Errorf("generation %d, want 1", followed.Generation())
	}
	want := append(before, fmt.Sprintf("%d convention", o.base.Number+1), fmt.Sprintf("%d convention", o.base.Number+1),
		fmt.Sprintf("%d convention", o.base.Number+1), fmt.Sprintf("%d sealed by the old notary", o.base.Number+2))
	stale := o.table.seal() // and once more
	for i, r := range []*Replica{followed, o.fresh()} {
		if got := order(r.Placed()); !slices.Equal(got, want) {
			t.Errorf("replica %d: order\n%q, want\n%q", i, got, want)
		}
		if got := r.Overruled(); len(got) != 5 || got[4].Hash != stale.Hash {
			t.Errorf("replica %d: %d seals are overruled, want 5", i, len(got))
		}
	}
	// A replica that judges no change of notary says which clause fails.
	bare := NewReplica(o.keys)
	for _, env := range o.all {
		bare.AddEnvelope(env)
	}
	for _, s := range o.seals[:len(o.seals)-3] {
		if err := bare.AddSeal(s.Bytes); s.Notary == o.base.Notary && err != nil {
			t.Fatal(err)
		} else if s.Notary != o.base.Notary {
			wantCode(t, err, CodeNotary)
		}
	}
}

// A second successor goes on from the first one's seals.
func TestSuccessorOfASuccessor(t *testing.T) {
	o := newOrphaned(t, 2)
	base := o.base
	for _, seed := range []byte{9, 10} {
		m := o.motion(seed, base, 1)
		a, b := o.assent(0, m), o.assent(1, m)
		o.publish(a)
		o.publish(b)
		o.goOn(seed, a, b)
		base = o.goOn(seed)
	}
	r := o.fresh()
	if got := r.Successions(); len(got) != 2 || r.Seals() != base.Number {
		t.Fatalf("%d successions, %d seals, want 2 and %d", len(got), r.Seals(), base.Number)
	}
	read, err := ReadArchiveAs(must(WriteArchive(r)), everybody)
	if err != nil || !reflect.DeepEqual(read.Placed(), r.Placed()) {
		t.Fatalf("the archive does not hold the same order: %v", err)
	}
	_, err = ReadArchive(must(WriteArchive(r)))
	if wrong, ok := err.(*ArchiveError); !ok || wrong.Clause != "6.5" {
		t.Errorf("an archive read without an electorate fails %v, want clause 6.5", err)
	}
	nobody := func(*Replica) Electorate { return func(uint64) []IdentityKey { return nil } }
	_, err = ReadArchiveAs(must(WriteArchive(r)), nobody)
	if wrong, ok := err.(*ArchiveError); !ok || wrong.Clause != "12.9" {
		t.Errorf("an archive without its proof fails %v, want clause 12.9", err)
	}
}

// Clause 12.12: whatever arrives in whatever order gives one chain: rivals, withdrawals, forks and
// an old notary that seals on included.
func TestSuccessionInAnyArrival(t *testing.T) {
	outcomes := map[string]int{}
	for seed := range uint64(80) {
		random := rand.New(rand.NewPCG(seed, 1))
		chance := func(n int) bool { return random.IntN(n) == 0 }
		people := 1 + random.IntN(3)
		o := newOrphaned(t, people)
		first := o.motion(9, o.base, 1)
		rivalBase, rivalRound := o.base, uint64(1)
		if chance(3) {
			rivalBase = o.seals[len(o.seals)-2]
		}
		if chance(2) {
			rivalRound = 2
		}
		rival := o.motion(10, rivalBase, rivalRound)
		by := map[byte][]Entry{}
		var loose []Entry
		for range people + random.IntN(4*people) {
			p := random.IntN(people)
			at := o.people[p].replica.Position(o.people[p].pen.Device().Key())
			heir := byte(9)
			m := first
			if chance(4) {
				heir, m = 10, rival
			}
			_, id, _ := m.Encode()
			var e Entry
			switch random.IntN(12) {
			case 0:
				e = o.ballot(p, Ballot{Verb: VerbWithdraw, ID: id})
			case 1:
				e = o.act(p, "meanwhile")
			case 2:
				if o.people[p].replica.Position(o.people[p].pen.Device().Key()).Seq > 2 {
					fork := Position{Game: o.game, Seq: 2, Prev: prevOf(o.people[p], 2)}
					e = o.ballot(p, Ballot{Verb: VerbAssent, Motion: &m}, fork)
					break
				}
				fallthrough
			default:
				e = o.ballot(p, Ballot{Verb: VerbAssent, Motion: &m}, Position{Game: at.Game, Seq: at.Seq, Prev: at.Prev})
			}
			o.publish(e)
			by[heir] = append(by[heir], e)
			loose = append(loose, e)
		}
		if chance(2) {
			for _, e := range loose {
				o.table.seal(e.Envelopes...)
			}
		}
		for _, heir := range []byte{9, 10} {
			if !chance(4) {
				o.goOn(heir, append(by[heir], by[19-heir]...)...)
				o.goOn(heir, loose...)
			}
		}
		a, b := o.deliver(random), o.deliver(random)
		if !reflect.DeepEqual(a.Placed(), b.Placed()) {
			t.Fatalf("seed %d: placed\n%q and\n%q", seed, order(a.Placed()), order(b.Placed()))
		}
		if x, y := a.Successions(), b.Successions(); !reflect.DeepEqual(x, y) {
			t.Fatalf("seed %d: successions %+v and %+v", seed, x, y)
		}
		if x, y := len(a.Overruled()), len(b.Overruled()); x != y {
			t.Fatalf("seed %d: %d and %d seals overruled", seed, x, y)
		}
		outcome := fmt.Sprintf("%d successions", len(a.Successions()))
		if a.Generation() > 0 || b.Generation() > 0 {
			outcome += ", places taken back"
		}
		outcomes[outcome]++
		read, err := ReadArchiveAs(must(WriteArchive(a)), everybody)
		if err != nil {
			t.Fatalf("seed %d: archive: %v", seed, err)
		}
		if !reflect.DeepEqual(read.Placed(), a.Placed()) {
			t.Fatal("the archive does not hold the same order")
		}
	}
	t.Log(outcomes)
	for _, want := range []string{"0 successions", "1 successions", "1 successions, places taken back"} {
		if outcomes[want] == 0 {
			t.Errorf("no world came out with %s: %v", want, outcomes)
		}
	}
}

func prevOf(p *person, seq uint64) ActionID {
	return p.replica.devices[p.pen.Device().Key()].feed[seq-1].id
}

// deliver gives a fresh replica everything in a random order.
func (o *orphaned) deliver(random *rand.Rand) *Replica {
	r := NewReplica(o.keys)
	r.SetElectorate(everybody(r))
	n := len(o.all)
	for _, i := range random.Perm(n + len(o.seals)) {
		if i < n {
			r.AddEnvelope(o.all[i])
		} else if err := r.AddSeal(o.seals[i-n].Bytes); err != nil {
			o.t.Fatalf("seal %d: %v", o.seals[i-n].Number, err)
		}
	}
	return r
}

// What a seal up to the base names before what it depends on has no place there: the proof names it again (12.10).
func TestProofNamesWhatHadToWait(t *testing.T) {
	o := newOrphaned(t, 2)
	cause := o.act(0, "not sent to the notary")
	o.publish(cause)
	effect := o.act(1, "sealed before it")
	o.publish(effect)
	o.table.seal(effect.Envelopes...)
	base := o.seals[len(o.seals)-1]
	m := o.motion(9, base, 1)
	for i := range 2 {
		o.publish(o.assent(i, m))
	}
	p, ok := o.people[0].replica.ProofOf(m)
	if !ok || !p.Complete() || !slices.Contains(p.Envelopes, wire.HashEnvelope(effect.Envelope())) {
		t.Fatalf("the proof: %v %+v", ok, p)
	}
	o.seals = append(o.seals, must(o.heirs[9].Seal(o.now, p.Envelopes)))
	r := o.fresh()
	if got := order(r.Placed()); len(r.Successions()) != 1 || !slices.Contains(got, fmt.Sprint(base.Number+1, " sealed before it")) || len(r.Unsealed()) != 0 {
		t.Errorf("%d changes of notary; the order is %q", len(r.Successions()), got)
	}
	file := must(WriteArchive(r))
	if _, err := ReadArchiveAs(file, everybody); err != nil {
		t.Errorf("the game does not come back from a file: %v", err)
	}
}
