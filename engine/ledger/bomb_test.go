package ledger

import (
	"fmt"
	"runtime"
	"slices"
	"testing"
)

// bombs is how many actions are to expand to the largest body.
const bombs = 20

// bomb returns a body that compresses nearly as far as clause 4.15 allows.
func bomb(n int) []byte {
	body := make([]byte, MaxBody)
	noise := source(fmt.Sprint("bomb ", n))
	for i := 0; i < len(body); i += 40 << 10 {
		must(noise.Read(body[i:min(i+2<<10, len(body))]))
	}
	return body
}

// bombed is a room in which one member writes bombs.
type bombed struct {
	*table
	host *person
	at   Position // of the member's device
}

func newBombed() *bombed {
	b := &bombed{table: newTable(2)}
	b.host = b.people[1]
	b.at = b.host.replica.Position(b.host.pen.Device().Key())
	b.people = nil // nobody takes in what is made
	return b
}

// give seals an entry. Where it forks, the feed goes on from before it.
func (b *bombed) give(e Entry, forks bool) {
	b.publish(e)
	b.seal(e.Envelopes...)
	if !forks {
		b.at.Seq, b.at.Prev, b.at.Heads = e.Action.action.Seq, e.Action.id, nil
	}
}

// again writes an action that names parts that are there.
func (b *bombed) again(parts []PartID) Entry {
	b.now++
	return must(b.host.pen.write(Action{
		Game: b.game, Seq: b.at.Seq + 1, Prev: b.at.Prev, Claimed: b.now, Kind: KindAct, Parts: slices.Clone(parts),
	}, nil, nil, nil))
}

// Clause 9.3: what a reader keeps of a room is in proportion to what is stored in it, whoever wrote it, and
// each part is expanded for one action.
func TestBodiesStayInProportion(t *testing.T) {
	for name, c := range map[string]struct {
		fill   func(b *bombed)
		expand int // how many actions may be expanded
		stand  int // how many of them are not void
	}{
		"bodies of their own": {func(b *bombed) {
			for i := range bombs {
				b.give(must(b.host.pen.Write(b.at, KindAct, bomb(i), b.now)), false)
			}
		}, bombs, bombs},
		"the parts of another action": {func(b *bombed) {
			e := must(b.host.pen.Write(b.at, KindAct, bomb(0), b.now))
			b.give(e, false)
			for range bombs {
				b.give(b.again(e.Action.action.Parts), false)
			}
		}, bombs + 1, 1},
		"branches of a feed": {func(b *bombed) {
			e := must(b.host.pen.Write(b.at, KindAct, bomb(0), b.now))
			b.give(e, true)
			for range bombs {
				b.give(b.again(e.Action.action.Parts), true)
			}
		}, 2, 1}, // the tentative order prefers the smaller id, the seals the first
	} {
		t.Run(name, func(t *testing.T) {
			b := newBombed()
			c.fill(b)
			stored := 0
			for _, e := range b.all {
				stored += len(e)
			}
			before := heapBytes()
			r := NewReplica(b.keys, b.game)
			for _, e := range b.all {
				must(r.AddEnvelope(e))
			}
			if err := r.AddSeal(b.seals[0].Bytes); err != nil {
				t.Fatal(err)
			}
			check := func(what string, places []Placement) {
				stand := 0
				for _, p := range places {
					if len(p.Action.action.Parts) > 0 && p.Void == nil {
						stand++
						if len(p.Body()) != MaxBody {
							t.Errorf("%s: a body of %d bytes", what, len(p.Body()))
						}
					}
				}
				if stand != c.stand {
					t.Errorf("%s: %d actions with parts stand, not %d", what, stand, c.stand)
				}
			}
			check("tentative", r.Tentative())
			for _, s := range b.seals[1:] {
				if err := r.AddSeal(s.Bytes); err != nil {
					t.Fatal(err)
				}
			}
			check("placed", r.Placed())
			if kept := heapBytes() - before; kept > int64(2*stored+1<<20) {
				t.Errorf("%d bytes are kept of %d that are stored", kept, stored)
			}
			expanded := 0
			for _, n := range r.actions {
				if n.expanded {
					expanded++
				}
			}
			if expanded > c.expand {
				t.Errorf("%d actions were expanded, and not %d", expanded, c.expand)
			}
			runtime.KeepAlive(r)
		})
	}
}

func heapBytes() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
