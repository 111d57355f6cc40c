package ledger

import (
	"crypto/ed25519"
	"encoding/binary"
	"slices"
	"strings"
	"testing"

	"peernomic/engine/wire"
)

// junkSeal is a seal by a key that nothing speaks for, as if its signature were good.
func junkSeal(room wire.RoomID, game GameID, n int, key wire.NotaryKey, prev wire.SealHash) wire.SignedSeal {
	s := wire.SignedSeal{Seal: wire.Seal{Room: room, Game: game, Number: uint64(n%60_000 + 2), Prev: prev}, Notary: key}
	binary.BigEndian.PutUint64(s.Hash[:], uint64(n)+1)
	return s
}

func junkKey(n int) (key wire.NotaryKey) {
	binary.BigEndian.PutUint64(key[:], uint64(n)+1)
	return key
}

// Clause 6.5: however many seals by unknown keys a replica was given, by one key or by many, it takes in a successor's.
func TestJunkSealsDoNotKeepASuccessorOut(t *testing.T) {
	for name, keyOf := range map[string]func(int) wire.NotaryKey{"one key": func(int) wire.NotaryKey { return junkKey(0) }, "many keys": junkKey} {
		t.Run(name, func(t *testing.T) {
			o := newOrphaned(t, 3)
			r := o.people[0].replica
			for n := range MaxHeldSeals + 10 {
				if err := r.addSeal(junkSeal(o.keys.ID, o.game, n, keyOf(n), o.base.Hash)); err != nil {
					t.Fatalf("junk seal %d: %v", n, err)
				}
			}
			if len(r.guests) != MaxGuests || len(r.strange) != 0 {
				t.Errorf("%d seals by unknown keys are remembered, and those by %d keys kept", len(r.guests), len(r.strange))
			}
			m := o.motion(9, o.base, 1)
			assents := o.assents(m)
			o.goOn(9, assents...)
			if len(r.Successions()) != 1 {
				t.Error("the successor is not followed")
			}
		})
	}
}

// A key has a right to be kept once enough have signed for it, and not before: one player's signature does not open
// the door for any number of seals.
func TestOnlyEnoughSpeakForAKey(t *testing.T) {
	o := newOrphaned(t, 3)
	r := o.people[0].replica
	m := o.motion(9, o.base, 1)
	assents := []Entry{o.assent(0, m), o.assent(1, m), o.assent(2, m)}
	first := must(o.heirs[9].Seal(o.now+1, hashesOf(assents)))
	want := func(what string, wantHeld, wantForGood bool) {
		t.Helper()
		if held, forGood := r.HoldsSeal(first); held != wantHeld || forGood != wantForGood {
			t.Errorf("%s: held %v, for good %v", what, held, forGood)
		}
	}
	o.publish(assents[0])
	o.publish(assents[1])
	if err := r.AddSeal(first.Bytes); err != nil {
		t.Fatal(err)
	}
	want("two of three have signed", true, false)
	for n := range MaxGuests {
		if err := r.addSeal(junkSeal(o.keys.ID, o.game, n, junkKey(n), o.base.Hash)); err != nil {
			t.Fatal(err)
		}
	}
	want("others came since", false, false)
	o.publish(assents[2])
	if err := r.AddSeal(first.Bytes); err != nil {
		t.Fatal(err)
	}
	want("all have signed, and it came again", true, true)
	if len(r.Successions()) != 1 {
		t.Error("the successor is not followed")
	}
}

// A seal that came before those who speak for it counts as soon as they do.
func TestAGuestIsHeardLater(t *testing.T) {
	o := newOrphaned(t, 1)
	r := o.people[0].replica
	m := o.motion(9, o.base, 1)
	assent := o.assent(0, m)
	first := must(o.heirs[9].Seal(o.now+1, hashesOf([]Entry{assent})))
	if err := r.AddSeal(first.Bytes); err != nil {
		t.Fatal(err)
	}
	o.publish(assent)
	if _, forGood := r.HoldsSeal(first); !forGood || len(r.Successions()) != 1 {
		t.Error("the seal that came first is not followed")
	}
}

// Clause 12.9: the hash of a seal does not tell who signed it. Whoever signs what a successor sealed again, with another key,
// neither keeps the successor out nor takes its place, whatever comes first.
func TestFirstSealSignedAgainByAnother(t *testing.T) {
	for _, order := range []string{"assent first copy", "assent copy first", "first copy assent", "copy first assent"} {
		o := newOrphaned(t, 1)
		r := o.people[0].replica
		m := o.motion(9, o.base, 1)
		assent := o.assent(0, m)
		first := must(o.heirs[9].Seal(o.now+1, hashesOf([]Entry{assent})))
		_, key, _ := ed25519.GenerateKey(source("a thief"))
		seals := map[string]wire.SignedSeal{"first": first, "copy": must(wire.SignSeal(key, first.Seal))}
		for _, what := range strings.Fields(order) {
			if what == "assent" {
				o.publish(assent)
			} else if err := r.AddSeal(seals[what].Bytes); err != nil {
				t.Fatal(err)
			}
		}
		o.publish(o.act(0, "later")) // has everything looked at again
		if got, _ := r.Notary(); got != first.Notary || len(r.Successions()) != 1 {
			t.Errorf("%s: the notary is %v after %d changes, want %v", order, got, len(r.Successions()), first.Notary)
		}
	}
}

// Clause 7.1: seals that came before the genesis need not come again.
func TestGuestsBeforeTheGenesis(t *testing.T) {
	tab := newTable(2)
	r := NewReplica(tab.keys)
	for _, s := range tab.seals {
		if err := r.AddSeal(s.Bytes); err != nil {
			t.Fatal(err)
		}
	}
	for _, e := range tab.all {
		must(r.AddEnvelope(e))
	}
	if got, want := len(r.Placed()), len(tab.people[0].replica.Placed()); got != want {
		t.Errorf("%d actions are in place, want %d", got, want)
	}
}

// Clause 7.1: however many seals by unknown keys came before the genesis, a newcomer finds the game, and the seals of
// its notary that were pushed out by them count when they come again.
func TestJunkSealsDoNotKeepANewcomerOut(t *testing.T) {
	tab := newTable(2)
	for name, keyOf := range map[string]func(int) wire.NotaryKey{"one key": func(int) wire.NotaryKey { return junkKey(0) }, "many keys": junkKey} {
		r := NewReplica(tab.keys)
		if err := r.AddSeal(tab.seals[1].Bytes); err != nil {
			t.Fatal(err)
		}
		for n := range MaxHeldSeals + 10 {
			if err := r.addSeal(junkSeal(tab.keys.ID, tab.game, n, keyOf(n), wire.SealHash{})); err != nil {
				t.Fatalf("%s: junk seal %d: %v", name, n, err)
			}
		}
		for _, e := range tab.all {
			must(r.AddEnvelope(e))
		}
		for _, s := range tab.seals {
			if err := r.AddSeal(s.Bytes); err != nil {
				t.Fatalf("%s: seal %d: %v", name, s.Number, err)
			}
		}
		if got, want := len(r.Placed()), len(tab.people[0].replica.Placed()); got != want {
			t.Errorf("%s: the newcomer has %d actions in place, want %d", name, got, want)
		}
	}
}

// What a candidate's notary signed is kept when another candidate turns out to be the game, but as a guest's.
func TestSealsOfARivalsNotaryBecomeGuests(t *testing.T) {
	tab := newTable(1)
	r := NewReplica(tab.keys)
	r.SetElectorate(everybody(r))
	rival := notary(tab.keys, 9)
	g := tab.genesis()
	g.Notary, g.Anchor = rival.Key(), rival.Anchor()
	e := must(pen(tab.keys, "stranger").Found(tab.people[0].id, "P0", g, tab.now))
	must(r.AddEnvelope(e.Envelopes[0]))
	var seals []wire.SignedSeal
	for range 2 {
		seals = append(seals, must(rival.Seal(tab.now, nil)))
	}
	if err := r.AddSeal(seals[1].Bytes); err != nil {
		t.Fatal(err)
	}
	if _, forGood := r.HoldsSeal(seals[1]); !forGood {
		t.Error("a candidate's notary's seal is not kept by right")
	}
	for _, env := range tab.all {
		must(r.AddEnvelope(env))
	}
	for _, s := range tab.seals {
		if err := r.AddSeal(s.Bytes); err != nil {
			t.Fatal(err)
		}
	}
	if held, forGood := r.HoldsSeal(seals[1]); !held || forGood {
		t.Errorf("once the game is settled it is held %v, for good %v", held, forGood)
	}
}

// A replica without a game says which numbers of seals it holds.
func TestHoldsSealsTo(t *testing.T) {
	tab := newTable(1)
	r := NewReplica(tab.keys)
	for n := range 3 {
		if err := r.addSeal(junkSeal(tab.keys.ID, tab.game, n, junkKey(n), wire.SealHash{})); err != nil {
			t.Fatal(err)
		}
	}
	if r.HoldsSealsTo(4) {
		t.Error("it claims to hold seals 1 to 4 without the first")
	}
	if err := r.AddSeal(tab.seals[0].Bytes); err != nil {
		t.Fatal(err)
	}
	if !r.HoldsSealsTo(3) || !r.HoldsSealsTo(4) || r.HoldsSealsTo(5) {
		t.Error("it holds seals 1 to 4 and says otherwise")
	}
}

func hashesOf(entries []Entry) (hashes []wire.EnvelopeHash) {
	for _, e := range entries {
		for _, env := range e.Envelopes {
			hashes = append(hashes, wire.HashEnvelope(env))
		}
	}
	return hashes
}

// Those who signed something else for a key do not speak for it together with those who signed this, and do not keep it out either,
// though they signed first.
func TestOnlyOneAndTheSameSpeaksForAKey(t *testing.T) {
	for name, change := range map[string]func(o *orphaned, m *Motion){
		"another kind":   func(_ *orphaned, m *Motion) { m.Kind = MotionRepair },
		"another hash":   func(_ *orphaned, m *Motion) { m.BaseHash[0] ^= 1 },
		"another number": func(_ *orphaned, m *Motion) { m.Base-- },
		"another base": func(o *orphaned, m *Motion) {
			before := o.seals[len(o.seals)-2]
			m.Base, m.BaseHash = before.Number, before.Hash
		},
		"another anchor": func(o *orphaned, m *Motion) {
			n := must(m.notary())
			n.Anchor[0] ^= 1
			m.Content = must(MotionFor(o.game, o.base, 1, "", n)).Content
		},
	} {
		o := newOrphaned(t, 3)
		r := o.people[0].replica
		m := o.motion(9, o.base, 2)
		other := m
		other.Round = 1 // who signed two of one round would not count (12.11)
		change(o, &other)
		key := o.heirs[9].Key()
		assents := []Entry{o.assent(2, other), o.assent(0, m), o.assent(1, m)}
		for _, e := range assents {
			o.publish(e)
		}
		if r.spokenFor(key) {
			t.Errorf("%s: two of three and one for something else speak for the key", name)
		}
		assents = append(assents, o.assent(2, m))
		o.publish(assents[3])
		if !r.spokenFor(key) {
			t.Errorf("%s: all three have signed, and nothing speaks for the key", name)
		}
		o.goOn(9, assents...)
		if len(r.Successions()) != 1 {
			t.Errorf("%s: the successor is not followed", name)
		}
	}
}

// The notary before stays held to what it signed: its seals may come again, and another with the number of one of them is a fork.
func TestTheNotaryBeforeIsHeldToItsSeals(t *testing.T) {
	o := newOrphaned(t, 3)
	r := o.people[0].replica
	o.goOn(9, o.assents(o.motion(9, o.base, 1))...)
	for _, s := range o.seals {
		if err := r.AddSeal(s.Bytes); err != nil {
			t.Fatalf("seal %d again: %v", s.Number, err)
		}
	}
	if len(r.Successions()) != 1 || len(r.NotaryForks()) != 0 {
		t.Fatalf("%d changes of notary and %d forks of a notary", len(r.Successions()), len(r.NotaryForks()))
	}
	again := notary(o.keys, 7)
	if err := again.Resume(o.seals[0]); err != nil {
		t.Fatal(err)
	}
	wantCode(t, r.AddSeal(must(again.Seal(o.now+1, nil)).Bytes), CodeNotaryFork)
	if len(r.NotaryForks()) != 1 {
		t.Errorf("%d forks of a notary, want 1", len(r.NotaryForks()))
	}
}

// Clauses 6.5 and 6.7: what nobody's key can sign, how much of a key is kept that enough have signed for, and that the same again is
// nothing new: it neither pushes others out nor is refused.
func TestBoundsOfStrangeSeals(t *testing.T) {
	o := newOrphaned(t, 1)
	r := o.people[0].replica
	last := uint64(len(o.seals))
	junk := func(n int, number uint64, key wire.NotaryKey) wire.SignedSeal {
		s := junkSeal(o.keys.ID, o.game, n, key, wire.SealHash{})
		s.Number = number
		return s
	}
	wantCode(t, r.addSeal(junk(1, 1, junkKey(1))), CodeNotary)
	wantCode(t, r.addSeal(junk(1, last+MaxSealsAhead+1, junkKey(1))), CodeSealAhead)
	first, again := junk(1, last+MaxSealsAhead, junkKey(1)), junk(2, last+2, junkKey(2))
	for _, s := range append([]wire.SignedSeal{first}, slices.Repeat([]wire.SignedSeal{again}, MaxGuests)...) {
		if err := r.addSeal(s); err != nil {
			t.Fatal(err)
		}
	}
	if held, _ := r.HoldsSeal(first); !held || len(r.guests) != 2 {
		t.Errorf("of two guests one came again and again: %d are held, the other one %v", len(r.guests), held)
	}

	o.assents(o.motion(9, o.base, 1))
	key := o.heirs[9].Key()
	if !r.spokenFor(key) {
		t.Fatal("nothing speaks for the key")
	}
	r.strange[key] = map[wire.SealHash]wire.SignedSeal{}
	for n := range MaxHeldSeals {
		r.keepStrange(junk(n, last+2, key))
	}
	wantCode(t, r.addSeal(junk(MaxHeldSeals, last+2, key)), CodeFull)
	if held, forGood := r.HoldsSeal(junk(0, last+2, key)); !held || !forGood {
		t.Errorf("what a key that is spoken for has signed is held %v, for good %v", held, forGood)
	}
	if err := r.addSeal(junk(0, last+2, key)); err != nil {
		t.Errorf("one that is held comes again: %v", err)
	}
}

// BenchmarkSealsOfAKeySignedFor takes in seals of which none is a successor's first, by a key that enough have signed for: it
// can send any number.
func BenchmarkSealsOfAKeySignedFor(b *testing.B) {
	const seals = 10_000
	for b.Loop() {
		b.StopTimer()
		o := newOrphaned(b, 3)
		o.assents(o.motion(9, o.base, 1))
		b.StartTimer()
		for n := range seals {
			if err := o.people[0].replica.addSeal(junkSeal(o.keys.ID, o.game, n, o.heirs[9].Key(), o.base.Hash)); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.ReportMetric(b.Elapsed().Seconds()*1e6/float64(b.N*seals), "µs/seal")
}
