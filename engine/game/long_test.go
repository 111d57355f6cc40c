package game

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"peernomic/engine/ledger"
	"peernomic/engine/state"
	"peernomic/engine/wire"
)

// long is the body of an action as somebody makes it who wants to cost the others most: it is as long as it may be, and expands
// nearly as far as it may (SPEC 4.15).
func long(name string, random *rand.ChaCha8) any {
	const size = ledger.MaxBody - 1<<10
	noise := func(i int) int { // the next byte
		if i%(4<<10) < (4<<10)*8/5/ledger.MaxExpansion {
			return int(random.Uint64() % 24)
		}
		return 1
	}
	text := func(size int) string {
		b := make([]byte, size)
		for i := range b {
			b[i] = byte('a' + noise(i))
		}
		return string(b)
	}
	switch name {
	case "text":
		args := map[string]any{}
		for n := size; n > state.MaxText; n -= state.MaxText {
			args[fmt.Sprint("text ", n)] = text(state.MaxText - 64)
		}
		return ActBody{Name: "Dig", Args: args}
	case "name":
		return ActBody{Name: text(size)}
	case "numbers":
		var lists []any
		for n := size; n > wire.MaxElements; n -= wire.MaxElements {
			list := make([]any, wire.MaxElements-8)
			for i := range list {
				list[i] = noise(i)
			}
			lists = append(lists, list)
		}
		return ActBody{Name: "Dig", Args: map[string]any{"numbers": lists}}
	}
	panic(name)
}

// longBodies are the names of what long makes.
var longBodies = []string{"text", "name", "numbers"}

// floodOf returns the archive of a game into which somebody has written long bodies.
func floodOf(t testing.TB, name string, bodies int) (file []byte) {
	tb := newTable(t, 2)
	random := rand.NewChaCha8([32]byte{9})
	for range bodies {
		body, err := wire.Encode(long(name, random))
		must(t, err)
		pen := tb.pens[1]
		e, err := pen.Write(tb.full.Replica().Position(pen.Device().Key()), ledger.KindAct, body, tb.now)
		must(t, err)
		if stored := len(e.Envelopes) * wire.MaxEnvelope; 4*stored > len(body) {
			t.Fatalf("%s: %d bytes are stored as %d", name, len(body), stored)
		}
		tb.send(e)
	}
	tb.seal()
	file, err := ledger.WriteArchive(tb.full.Replica())
	must(t, err)
	return file
}

// What nobody takes in is not kept: anybody with the invite can write it.
func TestLongBodiesAreNotKept(t *testing.T) {
	const bodies = 3
	for _, name := range longBodies {
		t.Run(name, func(t *testing.T) {
			r, err := ledger.ReadArchive(floodOf(t, name, bodies))
			must(t, err)
			before := heapBytes()
			g := FromReplica(r[0])
			g.CatchUp(1 << 20)
			if kept := heapBytes() - before; kept > ledger.MaxBody/2 {
				t.Errorf("%d bytes are kept of %d actions", kept, bodies)
			}
			entries := g.Entries()
			for _, e := range entries[len(entries)-bodies:] {
				if e.Outcome == nil || e.Outcome.Refused == nil {
					t.Errorf("it came to %v, want a refusal", e.Outcome)
				}
			}
			runtime.KeepAlive(g)
		})
	}
}

func heapBytes() int {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC() // what a sync.Pool holds outlives one
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc)
}

// What holds more values than an action may is not read at all; what holds as many is judged by the rules.
func TestActsHoldSoManyValues(t *testing.T) {
	tb := newTable(t, 1)
	for extra, want := range []string{"no parameter", "cannot be read"} {
		// An act is a list of a name and a map of, here, a key and a list.
		tb.actWith(0, "Dig", map[string]any{"list": slices.Repeat([]any{int64(1)}, ledger.MaxValues-5+extra)})
		tb.seal()
		entries := tb.full.Entries()
		if out := entries[len(entries)-1].Outcome; out.Refused == nil || !strings.Contains(out.Refused.Reason, want) {
			t.Errorf("%d values more than allowed: %v, want %q", extra, out.Refused, want)
		}
	}
}

// BenchmarkLongBodies reads a game into which somebody has written long bodies, a 30th of what fills a room, and carries it out.
func BenchmarkLongBodies(b *testing.B) {
	for _, name := range longBodies {
		file := floodOf(b, name, 16)
		b.Run(fmt.Sprint(name, "/read"), func(b *testing.B) {
			for b.Loop() {
				_, err := ledger.ReadArchive(file)
				must(b, err)
			}
		})
		b.Run(fmt.Sprint(name, "/play"), func(b *testing.B) {
			r, err := ledger.ReadArchive(file)
			must(b, err)
			for b.Loop() {
				FromReplica(r[0]).CatchUp(1 << 20)
			}
		})
	}
}

// write lets a player send a long action that nothing seals yet.
func (tb *table) write(device int, name string, random *rand.ChaCha8) (parts int) {
	body, err := wire.Encode(long(name, random))
	must(tb.t, err)
	pen := tb.pens[device]
	e, err := pen.Write(tb.full.Replica().Position(pen.Device().Key()), ledger.KindAct, body, tb.now)
	must(tb.t, err)
	tb.send(e)
	return len(e.Envelopes) - 1
}

// Of long actions without a place only so many are tried out; what is short is, and once they have their place, all are carried out.
func TestLongTailIsNotTriedOut(t *testing.T) {
	const actions = 16
	tb := newTable(t, 2)
	random := rand.NewChaCha8([32]byte{9})
	parts := 0
	var allocated [2]uint64
	advance := func() uint64 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		tb.full.Advance(tb.now)
		runtime.ReadMemStats(&after)
		return after.TotalAlloc - before.TotalAlloc
	}
	for i := range actions {
		parts = tb.write(1, "name", random)
		if i == actions/2-1 || i == actions-1 {
			allocated[i*2/actions] = advance()
		}
	}
	if allocated[1] > allocated[0]*11/10 {
		t.Errorf("%d bytes for a tail of %d, %d for one of half of them", allocated[1], actions, allocated[0])
	}
	tb.act(1, "Join")
	tb.full.Advance(tb.now)
	tried := 0
	entries := tb.full.Entries()
	for _, e := range entries[len(entries)-actions-1 : len(entries)-1] {
		if e.Outcome != nil {
			tried++
		}
	}
	if want := (maxTried + parts - 1) / parts; tried != want {
		t.Errorf("%d of %d actions of %d parts were tried out, want %d", tried, actions, parts, want)
	}
	if entries[len(entries)-1].Outcome == nil {
		t.Error("a short one behind them was not tried out")
	}
	tb.seal()
	entries = tb.full.Entries()
	for _, e := range entries[len(entries)-actions-1:] {
		if e.Outcome == nil || e.Tentative {
			t.Errorf("with its place it came to %v", e.Outcome)
		}
	}
}

// BenchmarkLongTail redoes a tail of 60 long actions, as with each that comes.
func BenchmarkLongTail(b *testing.B) {
	for _, name := range longBodies {
		b.Run(name, func(b *testing.B) {
			tb := newTable(b, 2)
			random := rand.NewChaCha8([32]byte{9})
			for range 60 {
				tb.write(1, name, random)
			}
			for b.Loop() {
				must(b, tb.full.ReceiveSeal(tb.seals[0])) // nothing new, but who knows
				tb.full.Advance(tb.now)
			}
		})
	}
}
