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
			r, err := ReadArchive(floodOf(t, name, bodies))
			must(t, err)
			before := heapBytes()
			g := FromReplica(r)
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
				_, err := ReadArchive(file)
				must(b, err)
			}
		})
		b.Run(fmt.Sprint(name, "/play"), func(b *testing.B) {
			r, err := ReadArchive(file)
			must(b, err)
			for b.Loop() {
				FromReplica(r).CatchUp(1 << 20)
			}
		})
	}
}
