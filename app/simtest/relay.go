package simtest

import (
	"fmt"
	"time"

	"peernomic/engine/wire"
	"peernomic/signal/notary"
	"peernomic/signal/refusal"
	"peernomic/signal/sealing"
	"peernomic/signal/store"
)

// maxRelayOffset is how wrong the relay's clock may be.
const maxRelayOffset = 10 * time.Hour

// relay is a relay with one room. What it takes in, seals and answers package sealing
// decides; here it only listens and talks.
type relay struct {
	w      *World
	runs   bool
	fuse   fuse
	offset time.Duration         // of its clock
	chains []*chain              // one; a second after equivocation
	shown  map[string]int        // who is shown which chain; 0 if not in it
	conns  map[string]*relayConn // by device
}

// chain is a room's log and its notary.
type chain struct {
	number int // among all chains of the world
	store  store.Store
	notary *notary.Notary
	state  store.State
	jobs   []job
}

// job is a message with envelopes that waits for the disk.
type job struct {
	from    string
	conn    *relayConn
	message *sealing.Message
}

// relayConn is a connection: whether it follows the log, and the seal that comes next.
type relayConn struct {
	asked  bool
	cursor uint64
}

// The chains that a world can have.
const (
	firstChain  = iota // the relay's
	secondChain        // of a relay that equivocates
	chainsOfWorld
)

func newRelay(w *World) (*relay, error) {
	r := &relay{w: w, shown: map[string]int{}}
	memory := store.NewMemory()
	if err := memory.Create(w.cast.keys.ID, w.cast.notary, w.cast.marks, begin.UnixMilli()); err != nil {
		return nil, err
	}
	r.chains = []*chain{{number: firstChain, store: fragileStore{memory, &r.fuse}}}
	return r, r.start()
}

// start begins with what is stored.
func (r *relay) start() error {
	r.conns = map[string]*relayConn{}
	r.fuse = fuse{}
	for _, c := range r.chains {
		room, err := c.store.Room(r.w.cast.keys.ID)
		if err != nil {
			return err
		}
		st := c.store
		c.notary = notary.New(r.w.cast.keys.ID, r.w.cast.game(), room.Secrets, func() ([]wire.Link, error) { return st.Marks(r.w.cast.keys.ID) })
		c.state, c.jobs = room.State, nil
	}
	r.runs = true
	return nil
}

func (r *relay) chainOf(name string) *chain { return r.chains[r.shown[name]] }

func (r *relay) clock() int64 { return begin.Add(r.w.now + r.offset).UnixMilli() }

// behind returns how far the relay's clock has gone back behind its newest seal.
func (r *relay) behind() time.Duration {
	var behind int64
	for _, c := range r.chains {
		behind = max(behind, c.state.Head.Time-r.clock())
	}
	return time.Duration(behind) * time.Millisecond
}

func (r *relay) joined(name string) {
	c := r.chainOf(name)
	r.conns[name] = &relayConn{}
	r.w.send(relayName, name, wire.Welcome{
		Notary: r.w.cast.notary.Key(), Anchor: r.w.cast.notary.Anchor, Seals: c.state.Head.Number, SealHash: c.state.Head.Hash,
		Time: max(r.clock(), c.state.Head.Time), Peers: []wire.PeerID{},
	})
}

func (r *relay) left(name string) { delete(r.conns, name) }

func (r *relay) receive(from string, m wire.Message) {
	conn := r.conns[from]
	if conn == nil {
		return
	}
	c := r.chainOf(from)
	wait := func(m *sealing.Message) { c.jobs = append(c.jobs, job{from: from, conn: conn, message: m}) }
	switch m := m.(type) {
	case wire.Envelopes:
		if len(m.Envelopes) > wire.MaxBatch {
			r.refuse(from, refusal.Batch, wire.EnvelopeHash{})
			return
		}
		wait(&sealing.Message{Envelopes: r.judge(from, m.Envelopes)})
	case wire.Want:
		if m.FromSeal > c.state.Head.Number+1 {
			r.refuse(from, refusal.Ahead, wire.EnvelopeHash{})
			return
		}
		conn.asked, conn.cursor = true, max(m.FromSeal, 1)
		r.pump(from)
	case wire.Ping:
		r.w.send(relayName, from, wire.Pong{Time: max(r.clock(), c.state.Head.Time)})
	}
}

// judge returns the envelopes that can be taken in, and refuses the others.
func (r *relay) judge(from string, envelopes [][]byte) (good []store.Envelope) {
	for _, b := range envelopes {
		h := wire.HashEnvelope(b)
		if refusal := sealing.Judge(r.w.cast.keys.ID, b); refusal != "" {
			r.refuse(from, refusal, h)
			continue
		}
		good = append(good, store.Envelope{Hash: h, Bytes: b})
	}
	return good
}

func (r *relay) refuse(to string, c refusal.Code, subject wire.EnvelopeHash) {
	r.w.send(relayName, to, wire.Refusal{Code: string(c), Text: c.Text(), Subject: subject})
}

// commit stores and seals what waits, and then answers.
func (r *relay) commit() {
	for _, c := range r.chains {
		if len(c.jobs) == 0 {
			continue
		}
		jobs := c.jobs
		c.jobs = nil
		batch := &sealing.Batch{Room: r.w.cast.keys.ID, Notary: c.notary, Base: c.state}
		for _, j := range jobs {
			batch.Messages = append(batch.Messages, j.message)
		}
		if err := sealing.Commit(c.store, []*sealing.Batch{batch}, 1<<40, r.clock()); err != nil {
			r.w.fail("relay", "commit: %v", err)
			return
		}
		c.state = batch.Added.Next
		for _, j := range jobs {
			r.w.checks.acknowledged(c.number, j.message.Ack)
			if r.conns[j.from] != j.conn {
				continue
			}
			if len(j.message.Ack) > 0 {
				r.w.send(relayName, j.from, wire.Ack{Hashes: j.message.Ack})
			}
			for _, refused := range j.message.Refused {
				r.refuse(j.from, refused.Code, refused.Envelope)
			}
		}
		for _, name := range everybody {
			if r.conns[name] != nil && r.chainOf(name) == c {
				r.pump(name)
			}
		}
	}
}

// waits reports whether something waits for a commit.
func (r *relay) waits() bool {
	for _, c := range r.chains {
		if len(c.jobs) > 0 {
			return true
		}
	}
	return false
}

// pump sends who follows the log what is new.
func (r *relay) pump(to string) {
	conn, c := r.conns[to], r.chainOf(to)
	if !conn.asked {
		return
	}
	err := c.store.Read(r.w.cast.keys.ID, conn.cursor, func(seal []byte, envelopes [][]byte) bool {
		for len(envelopes) > 0 {
			n := min(len(envelopes), 8)
			r.w.send(relayName, to, wire.Envelopes{Envelopes: envelopes[:n]})
			envelopes = envelopes[n:]
		}
		r.w.checks.shown(c.number, seal)
		r.w.send(relayName, to, wire.Seals{Seals: [][]byte{seal}})
		conn.cursor++
		return true
	})
	if err != nil {
		r.w.fail("relay", "read: %v", err)
	}
}

// equivocate makes the notary sign a second chain from here on, for some. Before the room's game is sealed it does
// not: those to whom only junk is shown then have no game, and nothing to compare.
func (r *relay) equivocate(names []string) {
	if len(r.chains) > 1 || len(names) == 0 {
		return
	}
	id := r.w.cast.keys.ID
	first := r.chains[0]
	second := store.NewMemory()
	a := store.Append{Room: id, Next: first.state}
	unsealed := map[wire.EnvelopeHash]bool{}
	for _, b := range r.w.cast.genesis.Envelopes {
		unsealed[wire.HashEnvelope(b)] = true
	}
	err := first.store.Read(id, 1, func(seal []byte, envelopes [][]byte) bool {
		s, err := wire.ParseSeal(seal)
		if err != nil {
			return false
		}
		a.Seals = append(a.Seals, s)
		for _, e := range envelopes {
			h := wire.HashEnvelope(e)
			a.Envelopes = append(a.Envelopes, store.Envelope{Hash: h, Bytes: e})
			delete(unsealed, h)
		}
		return true
	})
	if err == nil && len(unsealed) > 0 {
		return
	}
	if err == nil {
		err = second.Create(id, r.w.cast.notary, r.w.cast.marks, begin.UnixMilli())
	}
	if err == nil && len(a.Seals) > 0 {
		err = second.Append([]store.Append{a})
	}
	if err != nil {
		r.w.fail("relay", "equivocate: %v", err)
		return
	}
	other := &chain{number: secondChain, store: fragileStore{second, &r.fuse}, state: first.state}
	other.notary = notary.New(id, r.w.cast.game(), r.w.cast.notary, func() ([]wire.Link, error) { return second.Marks(id) })
	r.chains = append(r.chains, other)
	for _, name := range names {
		r.shown[name] = 1
		r.w.cut(name, relayName)
	}
	r.w.checks.equivocated(first.state.Head.Number)
}

// stored returns all that a chain holds, as a stranger would fetch it.
func (c *chain) stored(id wire.RoomID) (envelopes, seals [][]byte, err error) {
	err = c.store.Read(id, 1, func(seal []byte, e [][]byte) bool {
		seals = append(seals, seal)
		envelopes = append(envelopes, e...)
		return true
	})
	if err != nil {
		return nil, nil, fmt.Errorf("read the log: %w", err)
	}
	return envelopes, seals, nil
}
