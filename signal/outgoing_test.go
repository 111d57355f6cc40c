package signal

import (
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
