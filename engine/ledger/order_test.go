package ledger

import (
	"flag"
	"fmt"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"peernomic/engine/wire"
)

// The worlds of these tests are costly, so a normal run tries fewer than rapid's 100;
// -rapid.checks asks for more. A failure prints its seed; no file is left behind.
func init() {
	for name, value := range map[string]string{"rapid.checks": "20", "rapid.nofailfile": "true"} {
		if err := flag.Set(name, value); err != nil {
			panic(err)
		}
	}
}

// world is a random game: people act, fork, split bodies and lose messages; a notary seals
// what it gets in any order, junk included.
type world struct {
	*table
	t       *rapid.T
	pending [][]byte           // not sealed yet
	past    map[int][]Position // positions that a person has written after
	spoiled map[ActionID]bool  // actions with a wrong link
	count   int
}

func randomWorld(t *rapid.T) *world {
	w := &world{table: newTable(rapid.IntRange(2, 4).Draw(t, "people")), t: t, past: map[int][]Position{}, spoiled: map[ActionID]bool{}}
	for range rapid.IntRange(1, 25).Draw(t, "steps") {
		switch rapid.IntRange(0, 9).Draw(t, "step") {
		case 0, 1, 2, 3:
			w.write(rapid.IntRange(0, len(w.people)-1).Draw(t, "who"), false)
		case 4:
			w.write(rapid.IntRange(0, len(w.people)-1).Draw(t, "who"), true)
		case 5:
			w.spoil(rapid.IntRange(0, len(w.people)-1).Draw(t, "who"))
		case 6:
			junk := must(w.keys.sealContent(Content(9), []byte(fmt.Sprint("junk ", w.count))))
			w.count++
			w.all = append(w.all, junk)
			w.pending = append(w.pending, junk)
		case 7, 8:
			w.sealSome()
		case 9:
			w.share()
		}
	}
	if rapid.Bool().Draw(t, "seal the rest") {
		for len(w.pending) > 0 {
			w.sealSome()
		}
	}
	return w
}

// write makes a person act after their newest position or, to fork, after an earlier one.
func (w *world) write(p int, fork bool) {
	who := w.people[p]
	at := who.replica.Position(who.pen.Device().Key())
	if fork && len(w.past[p]) > 0 {
		at = w.past[p][rapid.IntRange(0, len(w.past[p])-1).Draw(w.t, "fork at")]
	}
	body := fmt.Sprint("act ", w.count, " of ", p)
	w.count++
	if rapid.IntRange(0, 4).Draw(w.t, "long") == 0 {
		long := make([]byte, MaxInline+rapid.SampledFrom([]int{1, MaxPart}).Draw(w.t, "length"))
		must(source(body).Read(long))
		body = string(long)
	}
	w.keep(p, at, must(who.pen.Write(at, KindAct, []byte(body), w.now)))
}

func (w *world) keep(p int, at Position, e Entry) {
	w.past[p] = append(w.past[p], at)
	w.all = append(w.all, e.Envelopes...)
	w.pending = append(w.pending, e.Envelopes...)
	for _, env := range e.Envelopes {
		w.people[p].replica.AddEnvelope(env)
	}
}

// spoil makes a device sign an action whose link is not the next one.
func (w *world) spoil(p int) {
	who := w.people[p]
	at := who.replica.Position(who.pen.Device().Key())
	v := must(sign(who.pen.dev, Action{
		Game: at.Game, Seq: at.Seq + 1, Prev: at.Prev, Heads: at.Heads, Claimed: w.now, Kind: KindAct,
		Link: wire.Link{byte(w.count)}, Body: []byte("spoiled"),
	}))
	w.count++
	w.spoiled[v.id] = true
	env := must(w.keys.SealAction(v))
	w.all = append(w.all, env)
	w.pending = append(w.pending, env)
}

// sealSome makes the notary seal some pending envelopes in a random order.
func (w *world) sealSome() {
	old := w.pending
	w.pending = make([][]byte, len(old))
	if len(old) > 0 {
		for i, from := range rapid.Permutation(indexes(len(old))).Draw(w.t, "pending") {
			w.pending[i] = old[from]
		}
	}
	n := rapid.IntRange(0, len(w.pending)).Draw(w.t, "sealed")
	if n == 0 {
		n = len(w.pending)
	}
	w.table.seal(w.pending[:n]...)
	w.pending = slices.Clone(w.pending[n:])
}

// share gives one person an envelope that exists somewhere.
func (w *world) share() {
	p := w.people[rapid.IntRange(0, len(w.people)-1).Draw(w.t, "to")]
	p.replica.AddEnvelope(w.all[rapid.IntRange(0, len(w.all)-1).Draw(w.t, "envelope")])
}

// deliver gives a fresh replica everything in a random order with duplicates.
func (w *world) deliver(label string) *Replica {
	type message struct {
		seal  bool
		bytes []byte
	}
	var bag []message
	for _, e := range w.all {
		bag = append(bag, message{false, e})
	}
	for _, s := range w.seals {
		bag = append(bag, message{true, s.Bytes})
	}
	bag = append(bag, bag[:rapid.IntRange(0, len(bag)).Draw(w.t, "duplicates")]...)
	r := NewReplica(w.keys, w.game)
	seen := 0
	for _, i := range rapid.Permutation(indexes(len(bag))).Draw(w.t, label) {
		m := bag[i]
		if m.seal {
			if err := r.AddSeal(m.bytes); err != nil {
				w.t.Fatalf("a seal of the game was refused: %v", err)
			}
		} else {
			r.AddEnvelope(m.bytes)
		}
		if placed := r.Placed(); len(placed) < seen {
			w.t.Fatal("the order shrank")
		} else {
			seen = len(placed)
		}
	}
	return r
}

// indexes returns 0 to n-1: drawing numbers instead of messages keeps failures readable.
func indexes(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

// slowOrder is the order as SPEC.md, section 7 states it, computed the obvious way.
func (w *world) slowOrder() []string {
	type item struct {
		v   Verified
		pos int
	}
	byHash := map[wire.EnvelopeHash][]byte{}
	for _, env := range w.all {
		byHash[wire.HashEnvelope(env)] = env
	}
	ids := map[ActionID]bool{}
	for _, env := range w.all {
		if o, err := w.keys.Open(env); err == nil && o.Content == ContentAction {
			ids[must(Parse(o.Data)).id] = true
		}
	}
	var arrived []item
	parts := map[PartID][]byte{}
	placed := map[ActionID]bool{}
	dead := map[ActionID]bool{}
	stands := map[feedPlace]bool{}
	var out []string
	pos := 0
	for _, s := range w.seals {
		for _, h := range s.Envelopes {
			pos++
			o, err := w.keys.Open(byHash[h])
			if err != nil {
				continue
			}
			if o.Content == ContentPart {
				parts[HashPart(o.Data)] = o.Data
			} else if v := must(must(Parse(o.Data)).Verify()); !w.spoiled[v.id] {
				arrived = append(arrived, item{v, pos})
			}
			for again := true; again; {
				again = false
				for i, it := range arrived { // in the order of their positions
					a := it.v.action
					ok := a.Seq == 1 || placed[a.Prev]
					for _, h := range a.Heads {
						ok = ok && placed[h]
					}
					var content [][]byte
					for _, id := range a.Parts {
						ok = ok && parts[id] != nil
						content = append(content, parts[id])
					}
					if a.Kind != KindGenesis {
						ok = ok && placed[ActionID(w.game)]
					}
					if !ok {
						continue
					}
					arrived = slices.Delete(slices.Clone(arrived), i, i+1)
					placed[it.v.id] = true
					p := Placement{Action: it.v, Seal: s.Number}
					at := feedPlace{a.Device, a.Seq}
					if dead[a.Prev] || stands[at] {
						dead[it.v.id] = true
						p.Void = &Void{Code: CodeFork}
					} else {
						p.parts = content
					}
					stands[at] = stands[at] || p.Void == nil
					out = append(out, order([]Placement{p})...)
					again = true
					break
				}
			}
		}
	}
	return out
}

// Clauses 7.1 to 7.6: whatever arrives in whatever order, with duplicates, gives one order, and
// it is the one that the obvious procedure gives.
func TestAnyArrivalGivesOneOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := randomWorld(t)
		want := w.slowOrder()
		first := w.deliver("first")
		if got := order(first.Placed()); !reflect.DeepEqual(got, want) {
			t.Fatalf("placed\n%q, want\n%q", got, want)
		}
		second := w.deliver("second")
		if !reflect.DeepEqual(first.Placed(), second.Placed()) {
			t.Fatalf("placed\n%v and\n%v", order(first.Placed()), order(second.Placed()))
		}
		if a, b := first.Tentative(), second.Tentative(); !reflect.DeepEqual(a, b) {
			t.Fatalf("tentative\n%v and\n%v", order(a), order(b))
		}
		if a, b := first.Forks(), second.Forks(); !reflect.DeepEqual(a, b) {
			t.Fatalf("%d forks and %d forks", len(a), len(b))
		}
		for _, f := range first.Forks() {
			if err := f.Check(); err != nil {
				t.Fatalf("fork proof: %v", err)
			}
		}
		if missing := first.MissingEnvelopes(); len(missing) > 0 {
			t.Fatalf("%d envelopes missing", len(missing))
		}
		if a, b := first.Feeds(), second.Feeds(); !reflect.DeepEqual(a, b) {
			t.Fatalf("feeds %v and %v", a, b)
		}
		read, err := readOne(must(WriteArchive(first)))
		if err != nil {
			t.Fatalf("archive: %v", err)
		}
		if !reflect.DeepEqual(read.Placed(), first.Placed()) || !reflect.DeepEqual(read.Tentative(), first.Tentative()) {
			t.Fatal("the archive does not hold the same order")
		}
	})
}

// What a replica hands to another by the sync queries makes both the same.
func TestSyncByQueries(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := randomWorld(t)
		full := w.deliver("full")
		r := NewReplica(w.keys, w.game)
		for range 1000 {
			batch := full.EnvelopesAfter(r.Feeds(), rapid.IntRange(1, 7).Draw(t, "batch"))
			if len(batch) == 0 {
				break
			}
			for _, env := range batch {
				if _, err := r.AddEnvelope(env); err != nil {
					t.Fatal(err)
				}
			}
		}
		for r.Seals() < full.Seals() {
			for _, s := range full.SealsFrom(r.Seals()+1, 3) {
				if err := r.AddSeal(s.Bytes); err != nil {
					t.Fatal(err)
				}
			}
		}
		for _, h := range r.MissingEnvelopes() {
			env, ok := full.Envelope(h)
			if !ok {
				t.Fatal("an envelope is missing everywhere")
			}
			r.AddEnvelope(env)
		}
		if !reflect.DeepEqual(r.Placed(), full.Placed()) {
			t.Fatalf("placed\n%v, want\n%v", order(r.Placed()), order(full.Placed()))
		}
	})
}
