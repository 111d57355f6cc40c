package signal

import (
	"slices"
	"time"

	"golang.org/x/time/rate"

	"peernomic/engine/wire"
	"peernomic/signal/refusal"
	"peernomic/signal/sealing"
	"peernomic/signal/store"
)

// receive handles the client's messages until the connection ends, and returns why
// it ended.
func (c *conn) receive() refusal.Code {
	defer c.releaseHeld()
	for {
		c.releaseHeld()
		m, reason := c.next(wire.MaxFrame)
		if reason != "" {
			return reason
		}
		if !c.stall(c.messages, 1) {
			return gone
		}
		switch m := m.(type) {
		case wire.Envelopes:
			if !c.receiveEnvelopes(m) {
				return gone
			}
		case wire.Found:
			if reason := c.room.found(m.Game); reason != "" {
				return reason
			}
			c.reply(wire.Ack{Hashes: []wire.EnvelopeHash{wire.EnvelopeHash(m.Game)}})
		case wire.Want:
			c.receiveWant(m)
		case wire.Signal:
			c.receiveSignal(m)
		case wire.Ping:
			c.reply(wire.Pong{Time: c.room.now()})
		default:
			return refusal.Unexpected
		}
	}
}

// stall waits until the limiter allows n more. It reports whether the connection
// is still open.
func (c *conn) stall(l *rate.Limiter, n int) bool {
	return c.sleep(l.ReserveN(time.Now(), n).Delay())
}

func (c *conn) sleep(d time.Duration) bool {
	if d <= 0 {
		return true
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-c.ended:
		return false
	case <-c.server.ctx.Done():
		return false
	}
}

// receiveEnvelopes submits valid envelopes for storage and refuses the others one by
// one. It reports whether the connection is still open.
func (c *conn) receiveEnvelopes(m wire.Envelopes) bool {
	if len(m.Envelopes) > wire.MaxBatch {
		c.refuseOne(refusal.Batch, wire.EnvelopeHash{})
		return true
	}
	founded := c.room.currentGame() != wire.GameID{}
	good := make([]store.Envelope, 0, len(m.Envelopes))
	for _, b := range m.Envelopes {
		e := store.Envelope{Hash: wire.HashEnvelope(b), Bytes: b}
		reason := sealing.Judge(c.room.id, b)
		if !founded {
			reason = refusal.NoGame
		}
		if reason != "" {
			c.refuseOne(reason, e.Hash)
			continue
		}
		good = append(good, e)
	}
	if len(good) == 0 {
		return true
	}
	wait, reason := c.reserve(good)
	if reason != "" {
		for _, e := range good {
			c.refuseOne(reason, e.Hash)
		}
		return true
	}
	if !c.sleep(wait) {
		return false
	}
	select {
	case c.pending <- c.held:
		c.held = 0 // the job holds it now
	case <-c.ended:
		return false
	}
	c.server.committer.submit(c, good)
	return true
}

// reserve asks all limiters for envelopes, and returns how long to wait for them
// or why not to.
func (c *conn) reserve(envelopes []store.Envelope) (wait time.Duration, reason refusal.Code) {
	bytes := 0
	for _, e := range envelopes {
		bytes += len(e.Bytes) + store.Overhead
	}
	now := time.Now()
	ownFill, roomFill := c.server.allowances.of(c.room.id, c.address)
	var taken []*rate.Reservation
	for _, limit := range []struct {
		limiter *rate.Limiter
		n       int
		reason  refusal.Code
	}{
		{c.envelopes, len(envelopes), refusal.Rate},
		{ownFill, bytes, refusal.Rate},
		{c.room.rate, len(envelopes), refusal.RoomRate},
		{roomFill, bytes, refusal.RoomRate},
	} {
		r := limit.limiter.ReserveN(now, limit.n)
		taken = append(taken, r)
		if wait = max(wait, r.DelayFrom(now)); wait > c.server.limits.StallTimeout {
			for _, r := range slices.Backward(taken) {
				r.CancelAt(now)
			}
			return 0, limit.reason
		}
	}
	return wait, ""
}

// stored ends a job of this connection.
func (c *conn) stored() {
	if held := <-c.pending; held > 0 {
		c.server.incoming.put(held)
	}
}

func (c *conn) receiveWant(m wire.Want) {
	switch {
	case !c.wants.Allow():
		c.refuseOne(refusal.Wants, wire.EnvelopeHash{})
	case m.FromSeal > c.room.head()+1:
		c.refuseOne(refusal.Ahead, wire.EnvelopeHash{})
	default:
		c.mu.Lock()
		c.asked, c.cursor = c.asked+1, max(m.FromSeal, 1)
		c.mu.Unlock()
		c.wakeUp()
	}
}

func (c *conn) receiveSignal(m wire.Signal) {
	if len(m.Data) > wire.MaxSignal {
		c.refuseOne(refusal.SignalSize, wire.EnvelopeHash{})
		return
	}
	if !c.signals.Allow() {
		c.refuseOne(refusal.SignalRate, wire.EnvelopeHash{})
		return
	}
	to, ok := c.room.member(m.Peer)
	if !ok || to == c {
		c.refuseOne(refusal.NoPeer, wire.EnvelopeHash{})
		return
	}
	frame, err := wire.EncodeMessage(wire.Signal{Peer: c.peer, Data: m.Data})
	if err != nil || !to.offer(frame) {
		c.refuseOne(refusal.PeerBusy, wire.EnvelopeHash{})
		return
	}
	c.server.metrics.signals.Inc()
}

// refuseOne refuses a message, or an envelope of it, and leaves the connection open.
func (c *conn) refuseOne(reason refusal.Code, subject wire.EnvelopeHash) {
	c.server.metrics.refused(reason)
	c.reply(wire.Refusal{Code: string(reason), Text: reason.Text(), Subject: subject})
}
