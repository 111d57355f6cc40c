package game

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"peernomic/engine/ledger"
	"peernomic/engine/rules"
	"peernomic/engine/wire"
)

// shown is all that pages show of a game.
type shown struct {
	Seal    uint64
	Digest  [32]byte
	Now     int64
	Entries []Entry
	Motions []Motion
	Waiting *Waiting
	Proofs  map[string][]byte
	World   map[string]any
}

func showOf(t *testing.T, g *Game) shown {
	t.Helper()
	w := g.World()
	s := shown{Now: w.Now(), Entries: g.Entries(), Motions: g.Motions(), Waiting: g.Waiting(), Proofs: map[string][]byte{}, World: lookAt(t, w)}
	s.Seal, s.Digest = g.Confirmed()
	for _, e := range s.Entries {
		if e.Outcome == nil || len(e.Outcome.Rolls) == 0 || e.Tentative {
			continue
		}
		proof, err := g.Transcript(e.Action)
		if err != nil {
			proof = []byte(err.Error())
		}
		s.Proofs[e.Action.String()] = proof
	}
	return s
}

func lookAt(t *testing.T, w *rules.World) map[string]any {
	t.Helper()
	v := map[string]any{
		"digest": w.Digest(), "name": w.Name(), "summary": w.Summary(), "log": w.Log(), "players": w.Players(), "seated": w.Seated(), "decisions": w.Decisions(),
		"tables": w.Tables(), "options": w.Options(), "boards": w.Boards(), "galleries": w.Galleries(), "pages": w.Pages(),
		"categories": w.Categories(), "rules": w.Rules(), "documents": w.Documents(), "timers": w.DueTimers(), "witnesses": w.Witnesses(),
	}
	posts := w.Posts()
	v["posts"] = posts
	for _, p := range posts {
		m, err := w.Matter(p.ID)
		v[fmt.Sprint("matter ", p.ID)] = []any{m, fmt.Sprint(err)}
	}
	for _, p := range w.Players() {
		v[fmt.Sprint("actions ", p.ID)], v[fmt.Sprint("measures ", p.ID)] = w.Actions(p.ID), w.Measures(p.ID)
	}
	return v
}

// same compares values as they are encoded: nothing that is shown tells an empty list from none.
func same(t *testing.T, a, b any) bool {
	t.Helper()
	x, err := wire.Encode(a)
	must(t, err)
	y, err := wire.Encode(b)
	must(t, err)
	return bytes.Equal(x, y)
}

func sameShown(t *testing.T, what string, got, want shown) {
	t.Helper()
	for _, part := range []struct {
		name      string
		got, want any
	}{
		{"seal", got.Seal, want.Seal}, {"digest", got.Digest, want.Digest}, {"time", got.Now, want.Now}, {"motions", got.Motions, want.Motions},
		{"waiting roll", got.Waiting, want.Waiting}, {"proofs", got.Proofs, want.Proofs},
	} {
		if !same(t, part.got, part.want) {
			t.Errorf("%s: the %s is %+v, want %+v", what, part.name, part.got, part.want)
		}
	}
	if len(got.Entries) != len(want.Entries) {
		t.Fatalf("%s: %d entries, want %d", what, len(got.Entries), len(want.Entries))
	}
	for i, e := range got.Entries {
		if !same(t, e, want.Entries[i]) {
			t.Errorf("%s: entry %d is\n%+v %+v, want\n%+v %+v", what, i, e, e.Outcome, want.Entries[i], want.Entries[i].Outcome)
		}
	}
	for name, v := range want.World {
		if !same(t, got.World[name], v) {
			t.Errorf("%s: the %s are\n%+v, want\n%+v", what, name, got.World[name], v)
		}
	}
}

// logOf is what a replica holds, as it came: of every seal the envelopes, then the seal; and what
// no seal names.
func logOf(r *ledger.Replica) (seals [][][]byte, rest [][]byte) {
	envelope := func(h wire.EnvelopeHash) []byte { b, _ := r.Envelope(h); return b }
	for _, s := range r.SealsFrom(1, int(r.Seals())) {
		var items [][]byte
		for _, h := range s.Envelopes {
			items = append(items, envelope(h))
		}
		seals = append(seals, append(items, s.Bytes))
	}
	for _, h := range r.Unsealed() {
		rest = append(rest, envelope(h))
	}
	return seals, rest
}

// restored is a game of the log so far, not carried out yet.
func restored(t testing.TB, r *ledger.Replica, seals [][][]byte, rest [][]byte) *Game {
	t.Helper()
	g := New(r.Keys(), r.Game())
	for _, items := range seals {
		for _, b := range items[:len(items)-1] {
			_, _ = g.Restore(b) // junk stays junk
		}
		must(t, g.RestoreSeal(items[len(items)-1]))
	}
	for _, b := range rest {
		_, err := g.Restore(b)
		must(t, err)
	}
	return g
}

// resumesEverywhere takes a snapshot of a game after every few of its seals, and goes on from each. It
// returns how many there were.
func resumesEverywhere(t *testing.T, full *Game, every int) (taken int) {
	t.Helper()
	seals, rest := logOf(full.Replica())
	now := full.now
	want := showOf(t, full)
	for n := 1; n <= len(seals); n += every {
		before := restored(t, full.Replica(), seals[:n], nil)
		if _, err := before.Snapshot(); err == nil {
			t.Fatal("a snapshot of a game that has not been carried out")
		}
		before.Advance(0)
		state := showOf(t, before)
		b, err := before.Snapshot()
		if err != nil {
			continue // a roll waits, or part of a seal is missing
		}
		taken++
		sameShown(t, fmt.Sprintf("having made the snapshot after seal %d", n), showOf(t, before), state)
		g := restored(t, full.Replica(), seals, rest)
		if err := g.Resume(b); err != nil {
			t.Fatalf("after seal %d: %v", n, err)
		}
		g.Advance(now)
		sameShown(t, fmt.Sprintf("going on after seal %d", n), showOf(t, g), want)
		if at := len(want.Entries) / 2; at > 0 && !same(t, lookAt(t, g.At(at)), lookAt(t, full.At(at))) {
			t.Errorf("after seal %d: another past", n)
		}
	}
	return taken
}

func TestGoldenGamesGoOnFromSnapshots(t *testing.T) {
	files, err := filepath.Glob("testdata/golden/*.game")
	must(t, err)
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			g := readGolden(t, file)
			seals := int(g.Replica().Seals())
			if taken := resumesEverywhere(t, g, max(1, seals/6)); taken < min(seals, 4) {
				t.Errorf("%d snapshots of %d seals", taken, seals)
			}
		})
	}
}

// Random games: rolls, timers that roll, refusals, what no seal orders, forks, and what witnesses
// wait for.
func TestRandomGamesGoOnFromSnapshots(t *testing.T) {
	for seed := range uint64(4) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			r := rand.New(rand.NewPCG(seed, 1))
			tb := newTable(t, 3)
			acts := []string{"Dig", "Wind", "No such thing"}
			if seed%2 == 1 {
				tb = newWitnessTable(t, 4, 2)
				acts = []string{"Dig", "Settle", "No such thing"}
			}
			for range 25 {
				tb.now += r.Int64N(2 * 3600_000)
				switch w := tb.full.Waiting(); {
				case w != nil && len(w.Witnesses) > 0 && r.IntN(3) > 0:
					for device := range tb.pens {
						if tb.pens[device].Device().Key() == w.Witnesses[r.IntN(len(w.Witnesses))].Device {
							tb.witness(device)
						}
					}
				default:
					for range 1 + r.IntN(2) {
						tb.act(r.IntN(len(tb.pens)), acts[r.IntN(len(acts))])
					}
				}
				if r.IntN(3) > 0 {
					tb.seal()
				}
			}
			tb.act(0, "Dig")
			tb.full.Advance(tb.now)
			if taken := resumesEverywhere(t, tb.full, 2); taken < 3 {
				t.Errorf("%d snapshots", taken)
			}
		})
	}
}

// Conventions, open and decided, are part of what goes on.
func TestConventionsGoOnFromSnapshots(t *testing.T) {
	tb := newLockTable(t, 4)
	tb.act(0, "Lock")
	tb.seal()
	m := tb.motion(unlock)
	for device := range 3 {
		tb.assent(m, device)
	}
	tb.assent(tb.motion([]any{map[string]any{"op": "nonsense"}}), 0, 1, 2)
	tb.assent(tb.motion(seat(tb.ids[0].Key(), tb.ids[1].Key())), 1)
	if len(tb.full.Motions()) != 3 {
		t.Fatalf("%d motions", len(tb.full.Motions()))
	}
	if taken := resumesEverywhere(t, tb.full, 1); taken < 8 {
		t.Errorf("%d snapshots", taken)
	}
}

// digging is a small game, its log and a snapshot of half of it.
func digging(t testing.TB) (full *Game, seals [][][]byte, b []byte) {
	t.Helper()
	tb := newTable(t, 2)
	for range 6 {
		tb.now += 60_000
		tb.act(1, "Dig")
		tb.seal()
	}
	seals, _ = logOf(tb.full.Replica())
	half := restored(t, tb.full.Replica(), seals[:5], nil)
	half.Advance(0)
	b, err := half.Snapshot()
	must(t, err)
	return tb.full, seals, b
}

// entries changes the first entries of a snapshot.
func entries(t *testing.T, change func([]keptEntry) []keptEntry) func(*snapshot) {
	return func(s *snapshot) {
		var kept []keptEntry
		must(t, wire.Decode(s.Entries[0], &kept))
		var err error
		s.Entries[0], err = wire.Encode(change(kept))
		must(t, err)
	}
}

// What is not exactly a snapshot of this order is not gone on from, and nothing has happened.
func TestUnfitSnapshots(t *testing.T) {
	full, seals, b := digging(t)
	with := func(change func(*snapshot)) []byte {
		var s snapshot
		must(t, wire.Decode(b, &s))
		change(&s)
		out, err := wire.Encode(s)
		must(t, err)
		return out
	}
	want := showOf(t, full)
	for name, bad := range map[string][]byte{
		"nothing":           nil,
		"cut off":           b[:len(b)-1],
		"with a tail":       append(b[:len(b):len(b)], 0),
		"another version":   with(func(s *snapshot) { s.Version++ }),
		"another kernel":    with(func(s *snapshot) { s.Kernel++ }),
		"another seal":      with(func(s *snapshot) { s.SealHash[0] ^= 1 }),
		"a seal to come":    with(func(s *snapshot) { s.Seal = 99 }),
		"too few actions":   with(func(s *snapshot) { s.Placed-- }),
		"too many actions":  with(func(s *snapshot) { s.Placed++ }),
		"no actions":        with(func(s *snapshot) { s.Placed = 0 }),
		"another order":     with(func(s *snapshot) { s.Order[0] ^= 1 }),
		"another digest":    with(func(s *snapshot) { s.Digest[0] ^= 1 }),
		"a cut world":       with(func(s *snapshot) { s.World = s.World[:len(s.World)/2] }),
		"an entry less":     with(entries(t, func(k []keptEntry) []keptEntry { return k[1:] })),
		"an outcome beyond": with(entries(t, func(k []keptEntry) []keptEntry { k[2].Logged = 999; return k })),
		"no entries":        with(func(s *snapshot) { s.Entries = nil }),
		"entries left over": with(func(s *snapshot) { s.Entries = append(s.Entries, s.Entries[0]) }),
		"a strange motion":  with(func(s *snapshot) { s.Motions = []keptMotion{{Motion: []byte{1}}} }),
	} {
		g := restored(t, full.Replica(), seals, nil)
		if err := g.Resume(bad); err == nil {
			t.Errorf("%s: gone on from", name)
		}
		g.Advance(full.now)
		sameShown(t, name, showOf(t, g), want)
	}
	if err := full.Resume(b); err == nil {
		t.Error("a game that has been carried out went on from a snapshot")
	}
	few := restored(t, full.Replica(), seals[:3], nil)
	if err := few.Resume(b); err == nil {
		t.Error("a snapshot of more than the log holds")
	}
}

// FuzzResume: whatever stands in the place of a snapshot, nothing panics.
func FuzzResume(f *testing.F) {
	full, seals, b := digging(f)
	f.Add(b)
	f.Add(b[:len(b)/2])
	f.Add([]byte{0x8c})
	f.Fuzz(func(t *testing.T, b []byte) {
		g := restored(t, full.Replica(), seals, nil)
		if g.Resume(b) != nil {
			return
		}
		g.Advance(full.now)
	})
}

// BenchmarkGoOn opens golden games: by carrying out every action, and from a snapshot of the end.
func BenchmarkGoOn(b *testing.B) {
	for _, name := range []string{"dragons-dynasty", "infected-dynasty"} {
		file, err := os.ReadFile("testdata/golden/" + name + ".game")
		must(b, err)
		chapters, err := ledger.ReadArchive(file)
		must(b, err)
		r := chapters[len(chapters)-1]
		full := FromReplica(r)
		full.Advance(0)
		shot, err := full.Snapshot()
		must(b, err)
		for _, resume := range []bool{false, true} {
			what := "all"
			if resume {
				what = "snapshot"
			}
			b.Run(name+"/"+what, func(b *testing.B) {
				for b.Loop() {
					g := FromReplica(r)
					if resume {
						must(b, g.Resume(shot))
					}
					g.Advance(0)
				}
				b.ReportMetric(b.Elapsed().Seconds()*1000/float64(b.N), "ms")
				b.ReportMetric(float64(len(full.Entries())), "actions")
			})
		}
	}
}
