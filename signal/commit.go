package signal

import (
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"peernomic/engine/wire"
	"peernomic/signal/code"
	"peernomic/signal/notary"
	"peernomic/signal/store"
)

// committer stores and seals. It is the only writer of rooms' logs: one goroutine
// gathers what all rooms have waiting, cuts the seals, stores all of it in one
// synced transaction, and then answers. While it does so the next round gathers,
// so that the disk sets the size of a round by itself.
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

// job is the envelopes of one message. The envelopes are checked, but for
// repetitions and the room's quota.
type job struct {
	conn      *conn
	envelopes []store.Envelope
	bytes     int
	answers   []wire.Message // refusals, in order
	ack       []wire.EnvelopeHash
}

func newCommitter(s *Server) *committer {
	return &committer{server: s, wake: make(chan struct{}, 1), stopped: make(chan struct{}), queues: map[*room]*queue{}}
}

// submit queues envelopes of a connection in a room that it holds. The connection's
// [conn.stored] is called when they are stored or refused.
func (m *committer) submit(c *conn, envelopes []store.Envelope) {
	j := job{conn: c, envelopes: envelopes}
	for _, e := range envelopes {
		j.bytes += len(e.Bytes) + store.Overhead
	}
	c.room.again()
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

// gather takes the jobs of the rooms whose turn has come, as many as fit one
// transaction. If there are none, it says how long until there are (0 for as long as
// nothing is submitted) and whether that is the end.
func (m *committer) gather(now time.Time) (round []queue, wait time.Duration, end bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	room := store.MaxAppend
	var later []*queue
	for i, q := range m.waiting {
		if d := m.server.limits.SealEvery - now.Sub(q.room.sealedAt); d > 0 && !m.stopping {
			if wait == 0 || d < wait {
				wait = d
			}
			later = append(later, q)
			continue
		}
		n := 0
		for n < len(q.jobs) && q.jobs[n].bytes <= room {
			room -= q.jobs[n].bytes
			n++
		}
		if n > 0 {
			round = append(round, queue{room: q.room, jobs: q.jobs[:n:n]})
		}
		if n < len(q.jobs) {
			// The round is full; what is left keeps its place.
			q.jobs = q.jobs[n:]
			later = append(later, m.waiting[i:]...)
			break
		}
		delete(m.queues, q.room)
	}
	m.waiting = later
	return round, wait, m.stopping && len(round) == 0
}

// commit stores a round and answers.
func (m *committer) commit(round []queue) {
	start := time.Now()
	appends, err := m.store(round)
	if err != nil {
		m.failing.Store(true)
		m.giveUp(round, err)
		return
	}
	m.count(appends)
	for i, q := range round {
		q.room.sealedAt = start
		for j := range q.jobs {
			q.jobs[j].answer()
		}
		if err := q.room.publish(appends[i]); err != nil {
			m.server.log.Error("seal not encodable", "room", q.room, "error", err)
		}
		for range q.jobs {
			q.room.release()
		}
	}
}

// store makes a round durable. It returns what it added to each room.
func (m *committer) store(round []queue) ([]store.Append, error) {
	appends := make([]store.Append, len(round))
	var fresh []store.Append
	total := 0
	for i := range round {
		a, err := m.prepare(&round[i])
		if err != nil {
			return nil, err
		}
		appends[i] = a
		if len(a.Seals) > 0 {
			fresh = append(fresh, a)
			total += len(a.Envelopes)
		}
	}
	if len(fresh) == 0 {
		return appends, nil
	}
	start := time.Now()
	err := m.server.store.Append(fresh)
	m.server.metrics.commit.Observe(time.Since(start).Seconds())
	m.server.metrics.batch.Observe(float64(total))
	if err == nil {
		m.failing.Store(false)
	}
	return appends, err
}

// count adds what was stored to the metrics.
func (m *committer) count(appends []store.Append) {
	for _, a := range appends {
		m.server.metrics.seals.Add(float64(len(a.Seals)))
		m.server.metrics.envelopes.Add(float64(len(a.Envelopes)))
		for _, e := range a.Envelopes {
			m.server.metrics.bytes.Add(float64(len(e.Bytes)))
		}
	}
}

// prepare decides about the envelopes of a room and cuts the seals of those that are
// new.
func (m *committer) prepare(q *queue) (store.Append, error) {
	r := q.room
	if r.stale {
		stored, err := m.server.store.Room(r.id)
		if err != nil {
			return store.Append{}, err
		}
		r.mu.Lock()
		r.state = stored.State
		r.recent, r.recentBytes = nil, 0
		r.mu.Unlock()
		r.stale = false
	}
	a := store.Append{Room: r.id, Base: r.state, Next: r.state}
	if err := m.admit(q, &a); err != nil {
		return store.Append{}, err
	}
	now := m.server.clock().UnixMilli()
	for rest := a.Envelopes; len(rest) > 0; {
		n := min(len(rest), wire.MaxSealEnvelopes)
		hashes := make([]wire.EnvelopeHash, n)
		for i, e := range rest[:n] {
			hashes[i] = e.Hash
		}
		seal, err := r.notary.Seal(a.Next.Head, now, hashes)
		if errors.Is(err, notary.ErrChainEnd) {
			return m.refuseAll(q), nil
		}
		if err != nil {
			return store.Append{}, err
		}
		a.Seals = append(a.Seals, seal)
		a.Next.Head = notary.HeadOf(seal)
		rest = rest[n:]
	}
	return a, nil
}

// admit takes the envelopes that the room does not have and that its quota allows.
// After one that does not fit, the rest of its message is refused as well, as it may
// depend on it.
func (m *committer) admit(q *queue, a *store.Append) error {
	inRound := map[wire.EnvelopeHash]bool{}
	for i := range q.jobs {
		j := &q.jobs[i]
		hashes := make([]wire.EnvelopeHash, len(j.envelopes))
		for k, e := range j.envelopes {
			hashes[k] = e.Hash
		}
		has, err := m.server.store.Has(q.room.id, hashes)
		if err != nil {
			return err
		}
		full := false
		for k, e := range j.envelopes {
			if has[k] || inRound[e.Hash] {
				j.ack = append(j.ack, e.Hash)
				m.server.metrics.repeated.Inc()
				continue
			}
			size := uint64(len(e.Bytes)) + store.Overhead
			if full = full || a.Next.Bytes+size > m.server.limits.RoomBytes; full {
				j.refuse(code.RoomFull, e.Hash)
				continue
			}
			inRound[e.Hash] = true
			a.Envelopes = append(a.Envelopes, e)
			a.Next.Envelopes++
			a.Next.Bytes += size
			j.ack = append(j.ack, e.Hash)
		}
	}
	return nil
}

// refuseAll turns every acknowledgement of new envelopes into a refusal: the
// notary's chain is used up.
func (m *committer) refuseAll(q *queue) store.Append {
	for i := range q.jobs {
		j := &q.jobs[i]
		j.ack, j.answers = nil, nil
		hashes := make([]wire.EnvelopeHash, len(j.envelopes))
		for k, e := range j.envelopes {
			hashes[k] = e.Hash
		}
		has, err := m.server.store.Has(q.room.id, hashes)
		for k, h := range hashes {
			if err == nil && has[k] {
				j.ack = append(j.ack, h)
			} else {
				j.refuse(code.ChainEnd, h)
			}
		}
	}
	return store.Append{}
}

// giveUp ends the connections whose envelopes could not be stored. What is on disk
// is read again before the rooms go on.
func (m *committer) giveUp(round []queue, err error) {
	m.server.log.Error("commit failed", "rooms", len(round), "error", err)
	for _, q := range round {
		q.room.stale = true
		for _, j := range q.jobs {
			j.conn.end(code.Storage)
			j.conn.stored()
			q.room.release()
		}
	}
}

func (j *job) refuse(c code.Code, subject wire.EnvelopeHash) {
	j.conn.server.metrics.refused(c)
	j.answers = append(j.answers, wire.Refusal{Code: string(c), Text: c.Text(), Subject: subject})
}

func (j *job) answer() {
	if len(j.ack) > 0 {
		j.conn.reply(wire.Ack{Hashes: j.ack})
	}
	for _, m := range j.answers {
		j.conn.reply(m)
	}
	j.conn.stored()
}
