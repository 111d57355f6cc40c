package signal

import (
	"sync"
	"sync/atomic"
	"time"

	"peernomic/engine/wire"
	"peernomic/signal/refusal"
	"peernomic/signal/sealing"
	"peernomic/signal/store"
)

// committer stores and seals, as package sealing decides. It is the only writer of rooms'
// logs. One goroutine gathers what waits in all rooms, cuts the seals, stores everything in
// one synced transaction, and then answers. Meanwhile the next round gathers, so a slow disk
// makes larger rounds.
type committer struct {
	server  *Server
	failing atomic.Bool // something failed, and no append has succeeded since

	wake    chan struct{} // capacity 1: waiting or stopping has changed
	stopped chan struct{}

	mu       sync.Mutex
	stopping bool
	waiting  []*queue // rooms with jobs, the longest waiting first
	queues   map[*room]*queue
}

// queue holds the jobs of a room.
type queue struct {
	room *room
	jobs []job
}

// job is one message with envelopes, of one connection.
type job struct {
	conn    *conn
	message *sealing.Message
	bytes   int
}

func newCommitter(s *Server) *committer {
	return &committer{server: s, wake: make(chan struct{}, 1), stopped: make(chan struct{}), queues: map[*room]*queue{}}
}

// submit queues the envelopes of one message, of a connection in a room that it holds. The
// connection's [conn.stored] is called when they are stored or refused.
func (m *committer) submit(c *conn, envelopes []store.Envelope) {
	j := job{conn: c, message: &sealing.Message{Envelopes: envelopes}}
	for _, e := range envelopes {
		j.bytes += len(e.Bytes) + store.Overhead
	}
	c.room.retain()
	m.mu.Lock()
	q, ok := m.queues[c.room]
	if !ok {
		q = &queue{room: c.room}
		m.queues[c.room] = q
		m.waiting = append(m.waiting, q)
	}
	q.jobs = append(q.jobs, j)
	m.mu.Unlock()
	m.wakeUp()
}

func (m *committer) wakeUp() {
	select {
	case m.wake <- struct{}{}:
	default:
	}
}

// stop stores what is queued and ends the committer. Nothing may be submitted
// afterwards.
func (m *committer) stop() {
	m.mu.Lock()
	m.stopping = true
	m.mu.Unlock()
	m.wakeUp()
	<-m.stopped
}

func (m *committer) run() {
	defer close(m.stopped)
	for {
		round, wait, end := m.gather(time.Now())
		if len(round) > 0 {
			m.commit(round)
			continue
		}
		if end {
			return
		}
		var due <-chan time.Time
		if wait > 0 {
			due = time.After(wait)
		}
		select {
		case <-m.wake:
		case <-due:
		}
	}
}

// gather takes the jobs of the rooms whose turn has come, as many as fit one transaction.
// If there are none, wait says how long until a room's turn comes, 0 if no job waits; end
// says whether the committer has finished.
func (m *committer) gather(now time.Time) (round []queue, wait time.Duration, end bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	space := store.MaxAppend
	// A room with many jobs gets a share of each round and then goes to the end of the queue.
	// So a flooded room does not keep the others waiting.
	share := store.MaxAppend / max(len(m.waiting), 1)
	var later, again []*queue
	for _, q := range m.waiting {
		if d := m.server.limits.SealEvery - now.Sub(q.room.sealedAt); d > 0 && !m.stopping {
			if wait == 0 || d < wait {
				wait = d
			}
			later = append(later, q)
			continue
		}
		n, taken := 0, 0
		for n < len(q.jobs) && q.jobs[n].bytes <= space && (n == 0 || taken+q.jobs[n].bytes <= share) {
			space -= q.jobs[n].bytes
			taken += q.jobs[n].bytes
			n++
		}
		switch {
		case n == 0: // does not fit any more; it is first in the next round
			later = append(later, q)
			continue
		case n < len(q.jobs):
			again = append(again, q)
		default:
			delete(m.queues, q.room)
		}
		round = append(round, queue{room: q.room, jobs: q.jobs[:n:n]})
		q.jobs = q.jobs[n:]
	}
	later = append(later, again...)
	m.waiting = later
	return round, wait, m.stopping && len(round) == 0
}

// commit stores a round and answers.
func (m *committer) commit(round []queue) {
	start := time.Now()
	batches, err := m.store(round)
	if err != nil {
		m.failing.Store(true)
		m.giveUp(round, err)
		return
	}
	for i, q := range round {
		m.count(batches[i])
		q.room.sealedAt = start
		for _, j := range q.jobs {
			j.answer()
		}
		if err := q.room.publish(batches[i].Added); err != nil {
			m.server.log.Error("seal not encodable", "room", q.room, "error", err)
		}
		for range q.jobs {
			q.room.release()
		}
	}
}

// store makes a round durable.
func (m *committer) store(round []queue) ([]*sealing.Batch, error) {
	batches := make([]*sealing.Batch, len(round))
	for i, q := range round {
		if err := m.refresh(q.room); err != nil {
			return nil, err
		}
		b := &sealing.Batch{Room: q.room.id, Notary: q.room.notary, Base: q.room.state}
		for _, j := range q.jobs {
			b.Messages = append(b.Messages, j.message)
		}
		batches[i] = b
	}
	timed := &timedStore{Store: m.server.store}
	err := sealing.Commit(timed, batches, m.server.limits.RoomBytes, m.server.clock().UnixMilli())
	if timed.appended {
		m.server.metrics.commit.Observe(timed.took.Seconds())
		total := 0
		for _, b := range batches {
			total += len(b.Added.Envelopes)
		}
		m.server.metrics.batch.Observe(float64(total))
		if err == nil {
			m.failing.Store(false)
		}
	}
	return batches, err
}

// timedStore measures the append of a round.
type timedStore struct {
	store.Store
	appended bool
	took     time.Duration
}

func (t *timedStore) Append(appends []store.Append) error {
	start := time.Now()
	err := t.Store.Append(appends)
	t.appended, t.took = true, time.Since(start)
	return err
}

// refresh reads the end of a room's log again, after an append of unknown outcome.
func (m *committer) refresh(r *room) error {
	if !r.stale {
		return nil
	}
	stored, err := m.server.store.Room(r.id)
	if err != nil {
		return err
	}
	r.mu.Lock()
	r.state = stored.State
	r.forgetRecent(len(r.recent))
	r.mu.Unlock()
	r.stale = false
	return nil
}

// count adds what was stored and refused to the metrics.
func (m *committer) count(b *sealing.Batch) {
	m.server.metrics.seals.Add(float64(len(b.Added.Seals)))
	m.server.metrics.envelopes.Add(float64(len(b.Added.Envelopes)))
	for _, e := range b.Added.Envelopes {
		m.server.metrics.bytes.Add(float64(len(e.Bytes)))
	}
	for _, message := range b.Messages {
		m.server.metrics.repeated.Add(float64(message.Repeated))
		for _, r := range message.Refused {
			m.server.metrics.refused(r.Code)
		}
	}
}

// giveUp ends the connections whose envelopes could not be stored. What is on disk
// is read again before the rooms go on.
func (m *committer) giveUp(round []queue, err error) {
	m.server.log.Error("commit failed", "rooms", len(round), "error", err)
	for _, q := range round {
		q.room.stale = true
		for _, j := range q.jobs {
			j.conn.end(refusal.Storage)
			j.conn.stored()
			q.room.release()
		}
	}
}

func (j job) answer() {
	if len(j.message.Ack) > 0 {
		j.conn.reply(wire.Ack{Hashes: j.message.Ack})
	}
	for _, r := range j.message.Refused {
		j.conn.reply(wire.Refusal{Code: string(r.Code), Text: r.Code.Text(), Subject: r.Envelope})
	}
	j.conn.stored()
}
