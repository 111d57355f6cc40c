package signal

import (
	"fmt"
	"testing"
	"time"

	"peernomic/engine/wire"
)

// left is what of a memory is free.
func left(b *budget) int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.free
}

// However many clients do not read, what is on its way to them stays within its bound, and who
// reads gets the whole log all the same, because the slow ones are ended sooner.
func TestSlowReadersShareTheirMemory(t *testing.T) {
	const limit = 2 << 20
	limits := Limits{EnvelopeBurst: 1000, ConnectionsPerAddress: 1000, AttemptBurst: 1000, RoomConnections: 100}
	bubble(t, Config{Limits: limits}, func(t *testing.T, s *Server, p pipes) {
		s.outgoing.put(limit - maxOutgoing)
		const seals = 40
		key := roomKey(1)
		writer := p.connect(t)
		writer.enter(key, wire.PeerID{1})
		fill(t, writer, key, seals)
		for i := range 24 {
			w := p.connect(t)
			w.enter(key, wire.PeerID{2, byte(i)})
			w.send(wire.Want{FromSeal: 1})
		}
		held := func() int { return limit - left(&s.outgoing) }
		time.Sleep(time.Second)
		if got := held(); got < limit/2 || got > limit {
			t.Errorf("24 clients that do not read hold %d bytes, want nearly %d", got, limit)
		}
		good := p.connect(t)
		good.enter(key, wire.PeerID{3})
		good.send(wire.Want{FromSeal: 1})
		start := time.Now()
		for n := 0; n < seals; {
			if got := held(); got > limit {
				t.Fatalf("%d bytes are on their way", got)
			}
			if m, ok := good.receive().(wire.Seals); ok {
				n += len(m.Seals)
			}
		}
		// In fours or so, each four for twice hurriedWrite; with SlowWrite alone it would be ten
		// times that.
		if took := time.Since(start); took > time.Minute {
			t.Errorf("who reads got the log after %v", took)
		}
		time.Sleep(5 * time.Minute)
		if got := held(); got != 0 {
			t.Errorf("%d bytes are held when nobody is left", got)
		}
	})
}

// Answers that nobody reads come out of one memory, too: when that is used up, who wants more is
// slow, and who reads is not.
func TestAnswersShareTheirMemory(t *testing.T) {
	bubble(t, Config{Limits: Limits{ConnectionsPerAddress: 1000, AttemptBurst: 1000}}, func(t *testing.T, s *Server, p pipes) {
		s.answers.put(100<<10 - maxAnswers)
		for i := range 4 {
			p.connect(t).enter(roomKey(1), wire.PeerID{byte(i + 1)})
		}
		room := s.hold(roomOf(roomKey(1)))
		defer room.release()
		member := func(i byte) *conn {
			c, ok := room.member(wire.PeerID{i})
			if !ok {
				t.Fatalf("connection %d is gone", i)
			}
			return c
		}
		time.Sleep(time.Second)
		// More than its own part: out of what is shared, as long as there is some.
		frame := make([]byte, 60<<10)
		if !member(1).offer(frame) || !member(2).offer(frame) {
			t.Error("long answers were not queued, though there is memory for them")
		}
		if member(3).offer(frame) {
			t.Error("a third one was queued, and there is no memory for it")
		}
		if !member(3).offer(make([]byte, 8<<10)) {
			t.Error("a short one was not queued, though each client has some memory for itself")
		}
		// Nobody reads: they are ended, and nothing is held for them.
		time.Sleep(5 * time.Minute)
		if got := left(&s.answers); got != 100<<10 {
			t.Errorf("%d bytes are free in the end, want %d", got, 100<<10)
		}
	})
}

// When all rooms together keep as many bytes of newest seals as they may, a room keeps none, and whoever
// follows it is shown each seal all the same, from the disk.
func TestNewestSealsShareTheirMemory(t *testing.T) {
	bubble(t, Config{Limits: Limits{ConnectionsPerAddress: 1000, AttemptBurst: 1000}}, func(t *testing.T, s *Server, p pipes) {
		key := roomKey(1)
		writer, reader := p.connect(t), p.connect(t)
		writer.enter(key, wire.PeerID{1})
		reader.enter(key, wire.PeerID{2})
		reader.send(wire.Want{FromSeal: 1})
		room := s.hold(roomOf(key))
		defer room.release()
		kept := func() int {
			room.mu.Lock()
			defer room.mu.Unlock()
			return len(room.recent)
		}
		next := uint64(1)
		post := func() {
			t.Helper()
			writer.send(wire.Envelopes{Envelopes: [][]byte{envelope(key, fmt.Sprint("envelope ", next))}})
			for {
				m, ok := reader.receive().(wire.Seals)
				if !ok {
					continue
				}
				if seal, err := wire.ParseSeal(m.Seals[0]); err != nil || seal.Number != next {
					t.Fatalf("the reader is shown seal %d, want %d: %v", seal.Number, next, err)
				}
				next++
				return
			}
		}
		post()
		if kept() != 1 {
			t.Errorf("%d seals are kept, want 1", kept())
		}
		others := int64(maxRecentTotal + 1)
		s.recent.Add(others)
		for range 3 {
			post()
			if kept() != 0 || s.recent.Load() != others {
				t.Errorf("%d seals are kept, %d bytes of them, though there is no memory for them", kept(), s.recent.Load()-others)
			}
		}
		s.recent.Add(-others)
		post()
		if kept() != 1 {
			t.Errorf("%d seals are kept when there is memory again, want 1", kept())
		}
	})
}
