package ledger

import (
	"fmt"
	"slices"
	"testing"

	"peernomic/engine/wire"
)

// past is a game of one person, who was alone at its base and has played on since, with what lets another
// notary go on from that base all the same.
func past(t *testing.T) (o *orphaned, at Position) {
	o = newOrphaned(t, 1)
	at = o.people[0].replica.Position(o.people[0].pen.Device().Key())
	return o, at
}

func (o *orphaned) playOn(seal func(Entry)) {
	for i := range 3 {
		e := o.act(0, fmt.Sprint("played on ", i))
		o.publish(e)
		seal(e)
	}
}

// Clause 12.13: whoever was alone once, or has more than two thirds of those who were active at some seal, can
// prove another notary from there. It takes back nothing that a device holds, before its person agrees.
func TestNothingIsTakenBackUnasked(t *testing.T) {
	// Each lets heir 10 go on from the base, in the way of a cheat, after it was played on.
	cheats := map[string]func(o *orphaned, at Position, m Motion) []Entry{
		"with a branch of a feed": func(o *orphaned, at Position, m Motion) []Entry {
			return []Entry{o.ballot(0, Ballot{Verb: VerbAssent, Motion: &m}, at)}
		},
		"with a new device": func(o *orphaned, _ Position, m Motion) []Entry {
			second := pen(o.keys, "second")
			enrolment := must(second.Enrol(o.people[0].id, "P0", o.game, nil, o.now))
			o.publish(enrolment)
			at := o.people[0].replica.Position(second.Device().Key())
			at.Heads = nil
			return []Entry{enrolment, must(second.Write(at, KindConvention, must(EncodeBallot(Ballot{Verb: VerbAssent, Motion: &m})), o.now))}
		},
		"and brings all along": func(o *orphaned, _ Position, m Motion) []Entry {
			var all []Entry
			for _, s := range o.seals[o.base.Number:] {
				for _, h := range s.Envelopes {
					b, _ := o.people[0].replica.Envelope(h)
					all = append(all, Entry{Envelopes: [][]byte{b}})
				}
			}
			return append(all, o.assent(0, m))
		},
	}
	lines := map[string]func(o *orphaned) (round uint64){
		"the notary's order": func(o *orphaned) uint64 {
			o.playOn(func(e Entry) { o.table.seal(e.Envelopes...) })
			return 1
		},
		"a successor's order": func(o *orphaned) uint64 {
			first := o.motion(9, o.base, 1)
			a := o.assent(0, first)
			o.publish(a)
			o.goOn(9, a)
			o.playOn(func(e Entry) { o.goOn(9, e) })
			return 2
		},
	}
	for line, play := range lines {
		for cheat, assent := range cheats {
			t.Run(line+" "+cheat, func(t *testing.T) {
				o, at := past(t)
				round := play(o)
				m := o.motion(10, o.base, round)
				held := o.people[0].replica
				held.AskFirst()
				before, want, seals := o.base.Number, order(held.Placed()), len(o.seals)
				entries := assent(o, at, m)
				for _, e := range entries {
					o.publish(e)
				}
				first := o.goOn(10, entries...)
				later := o.goOn(10)
				if got := order(held.Placed()); !slices.Equal(got, want) {
					t.Fatalf("unasked the order becomes %q", got)
				}
				p := held.Pending()
				if len(p) != 1 || p[0].First != first.Hash || p[0].Motion.Round != round || p[0].Loses != len(want)-len(order(placedUpTo(held, before))) {
					t.Fatalf("what waits for the person is %+v", p)
				}

				// Whoever holds nothing after the base has nothing to lose, and follows; hearing of the rest, they may go back.
				late := o.fresh()
				other := NewReplica(o.keys)
				other.SetElectorate(everybody(other))
				other.AskFirst()
				for _, env := range o.all {
					other.AddEnvelope(env)
				}
				for _, s := range append(slices.Clone(o.seals[:before]), o.seals[seals:]...) {
					other.AddSeal(s.Bytes)
				}
				if s := other.Successions(); len(s) != 1 || s[0].Motion.Round != round || !slices.Equal(order(other.Placed()), order(late.Placed())) {
					t.Fatal("who holds nothing after the base does not follow")
				}
				for _, s := range o.seals {
					other.AddSeal(s.Bytes)
				}
				other.Decide(first.Hash, false)
				if got := order(other.Placed()); !slices.Equal(got, want) || other.Generation() != 1 {
					t.Errorf("gone back, the order is %q", got)
				}

				held.Decide(first.Hash, true)
				if got := order(held.Placed()); !slices.Equal(got, order(late.Placed())) || len(held.Pending()) != 0 || held.Seals() != later.Number {
					t.Errorf("agreed to, the order is %q, want %q", got, order(late.Placed()))
				}

				// Whether a decision comes first does not matter, as at a start.
				for _, agreed := range []bool{true, false} {
					again := NewReplica(o.keys)
					again.SetElectorate(everybody(again))
					again.AskFirst()
					again.Decide(first.Hash, agreed)
					for _, s := range o.seals {
						again.AddSeal(s.Bytes)
					}
					for _, env := range o.all {
						again.AddEnvelope(env)
					}
					line := order(late.Placed())
					if !agreed {
						line = want
					}
					if got := order(again.Placed()); !slices.Equal(got, line) {
						t.Errorf("agreed before, %v: the order is %q, want %q", agreed, got, line)
					}
				}
			})
		}
	}
}

func placedUpTo(r *Replica, seal uint64) []Placement {
	all := r.Placed()
	n := slices.IndexFunc(all, func(p Placement) bool { return p.Seal > seal })
	return all[:n]
}

// A decision is on one seal: what comes after it, and other changes of notary, are asked for anew.
func TestDecisionIsOnOneSeal(t *testing.T) {
	o, at := past(t)
	o.playOn(func(e Entry) { o.table.seal(e.Envelopes...) })
	held := o.people[0].replica
	held.AskFirst()
	want := order(held.Placed())
	var firsts []wire.SealHash
	for i, seed := range []byte{9, 10} {
		m := o.motion(seed, o.base, uint64(i+1))
		e := o.ballot(0, Ballot{Verb: VerbAssent, Motion: &m}, at)
		o.publish(e)
		firsts = append(firsts, o.goOn(seed, e).Hash)
		held.Decide(firsts[i], false)
		if len(held.Pending()) != 0 || !slices.Equal(order(held.Placed()), want) {
			t.Fatalf("refused, the change is still there: %+v", held.Pending())
		}
		if p := held.Refused(); len(p) != i+1 || p[i].Motion.Round != uint64(i+1) && p[0].Motion.Round != uint64(i+1) || p[i].Loses != 3 {
			t.Errorf("refused are %+v", p)
		}
		if agreed, ok := held.decided[firsts[i]]; agreed || !ok {
			t.Error("what was decided is forgotten")
		}
	}
	held.Decide(firsts[0], true)
	if s := held.Successions(); len(s) != 1 || s[0].Motion.Round != 1 {
		t.Errorf("agreed to, the change is not followed: %+v", s)
	}
	held.Decide(firsts[1], true)
	if s := held.Successions(); len(s) != 1 || s[0].Motion.Round != 2 {
		t.Errorf("the later round is not followed: %+v", s)
	}
}

// Where the notary before has sealed nothing more, one can go back to it all the same.
func TestBackToNothing(t *testing.T) {
	o, _ := past(t)
	held := o.people[0].replica
	held.AskFirst()
	want := order(held.Placed())
	m := o.motion(9, o.base, 1)
	e := o.assent(0, m)
	o.publish(e)
	first := o.goOn(9, e)
	if len(held.Successions()) != 1 {
		t.Fatal("asked, though nothing would be lost")
	}
	moved := order(held.Placed())
	for _, follows := range []bool{false, true, false} {
		held.Decide(first.Hash, follows)
		line := want
		if follows {
			line = moved
		}
		if got := order(held.Placed()); !slices.Equal(got, line) {
			t.Errorf("follows, %v: the order is %q, want %q", follows, got, line)
		}
	}
}
