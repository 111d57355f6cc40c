package signal

import (
	"testing"
	"time"

	"peernomic/signal/sealing"
	"peernomic/signal/store"
)

// A room in which much waits for the disk gets a share of each round, and the others theirs.
func TestRoundsAreShared(t *testing.T) {
	m := newCommitter(&Server{})
	busy, calm := &room{}, &room{}
	add := func(r *room, bytes, count int) {
		q := &queue{room: r}
		for range count {
			q.jobs = append(q.jobs, job{message: &sealing.Message{}, bytes: bytes})
		}
		m.waiting, m.queues[r] = append(m.waiting, q), q
	}
	add(busy, store.MaxAppend/3, 10)
	add(calm, 300, 2)
	count := func(round []queue, r *room) (n int) {
		for _, q := range round {
			if q.room == r {
				n += len(q.jobs)
			}
		}
		return n
	}
	round, _, _ := m.gather(time.Now())
	if count(round, calm) != 2 || count(round, busy) != 1 {
		t.Errorf("the first round takes %d of the calm room and %d of the busy one", count(round, calm), count(round, busy))
	}
	taken := count(round, busy)
	for range 10 {
		round, _, _ = m.gather(time.Now())
		taken += count(round, busy)
	}
	if taken != 10 || len(m.waiting) != 0 || len(m.queues) != 0 {
		t.Errorf("%d of 10 jobs were taken, %d rooms wait", taken, len(m.waiting))
	}
}
