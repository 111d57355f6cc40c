package client

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"peernomic/engine/wire"
	"peernomic/signal/dial"
)

const (
	dialTime = 20 * time.Second
	sendTime = 20 * time.Second
	// The wait between tries to reach the relay begins at firstWait, doubles up to
	// lastWait, and begins anew after a connection that held for goodTime.
	firstWait = 250 * time.Millisecond
	lastWait  = 8 * time.Second
	goodTime  = 10 * time.Second
	// pingEvery keeps the connection open and the clock right (the relay's may jump);
	// silence is how long
	// nothing may come before it counts as lost.
	pingEvery = 10 * time.Second
	silence   = 45 * time.Second
	// wakeTime is how long a pong may take after the page came back to the front.
	wakeTime = 2 * time.Second
	// resendAfter is when an envelope without acknowledgement is sent again, and
	// strangerAfter when somebody else's that no seal names is sent at all: who
	// wrote it will do so unless it is cut off.
	resendAfter   = 10 * time.Second
	strangerAfter = 3 * time.Second
	// frameBytes is about how much one frame carries.
	frameBytes = 512 << 10
	// outQueue is how many messages may wait for the network.
	outQueue = 512
)

// Conn is a connection to a relay. It is what [peernomic/signal/dial.Relay] makes.
type Conn interface {
	Peer() wire.PeerID
	Send(ctx context.Context, m wire.Message) error
	Receive(ctx context.Context) (wire.Message, error)
	Found(ctx context.Context, game wire.GameID) error
	Close() error
}

var _ Conn = (*dial.Conn)(nil)

// relayState is what a session knows of its relay.
type relayState struct {
	state    string // one of the Relay constants
	problem  string // why it is not connected, for people
	conn     Conn   // nil if not connected
	out      chan wire.Message
	goal     uint64 // the seal up to which it is being caught up with
	caughtUp bool
	heard    time.Time // when the last message came
	pinged   time.Time // when the last ping went, zero if it was answered
	deadline time.Time // by when a pong must come, if set
	asked    time.Time // when the log was last asked for
	suspect  bool      // its chain is not ours: only asked for the proof
	backTo   uint64    // the earliest seal that it was asked for to prove it; 0 for none
}

// keepRelay stays connected to the relay until the session ends.
func (s *Session) keepRelay() {
	wait := firstWait
	for s.ctx.Err() == nil {
		began := time.Now()
		err := s.visitRelay()
		if time.Since(began) > goodTime {
			wait = firstWait
		}
		s.post(func() { s.relayLost(err) })
		s.firstTryOver()
		timer := time.NewTimer(wait + rand.N(wait/2))
		var again <-chan time.Time = timer.C
		if isFinal(err) {
			again = nil // the person has to decide
		}
		select {
		case <-again:
			wait = min(2*wait, lastWait)
		case <-s.wakeup:
			wait = firstWait
		case <-s.ctx.Done():
		}
		timer.Stop()
	}
}

func isFinal(err error) bool {
	var refused *dial.RefusedError
	return errors.As(err, &refused) && refused.Code.Final() || errors.Is(err, errOtherRelay) || errors.Is(err, dial.ErrHost)
}

// visitRelay connects once, and passes on what comes until the connection ends.
func (s *Session) visitRelay() error {
	visit, end := context.WithCancel(s.ctx)
	defer end()
	var url string
	var game wire.GameID
	err := s.do(s.ctx, func() {
		url, game = s.room.Relay, s.room.Game
		s.relay.state = RelayConnecting
		s.endVisit = end
	})
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(visit, dialTime)
	conn, welcome, err := s.config.Dial(ctx, url, s.keys.Sign, game, false)
	cancel()
	if err != nil {
		return err
	}
	out := make(chan wire.Message, outQueue)
	done := make(chan struct{})
	defer close(done)
	defer conn.Close()
	s.wg.Go(func() { s.sendAll(conn, out, done) })
	verdict := make(chan error, 1)
	if !s.post(func() { verdict <- s.welcomed(conn, welcome, out) }) {
		return ErrClosed
	}
	select {
	case err := <-verdict:
		if err != nil {
			return err
		}
	case <-s.ctx.Done():
		return ErrClosed
	}
	for {
		m, err := conn.Receive(visit)
		if err != nil {
			return err
		}
		if !s.post(func() { s.fromRelay(conn, m) }) {
			return ErrClosed
		}
	}
}

// sendAll sends what the owner queues, so that the owner never waits for the network.
func (s *Session) sendAll(conn Conn, out <-chan wire.Message, done <-chan struct{}) {
	for {
		select {
		case m := <-out:
			ctx, cancel := context.WithTimeout(s.ctx, sendTime)
			err := conn.Send(ctx, m)
			cancel()
			if err != nil {
				_ = conn.Close() // Receive tells the rest
				return
			}
		case <-done:
			return
		}
	}
}

// toRelay queues a message. A connection that does not keep up is given up: the next
// one begins with what is missing.
func (s *Session) toRelay(m wire.Message) {
	if s.relay.conn == nil {
		return
	}
	select {
	case s.relay.out <- m:
	default:
		s.hangUp()
	}
}

func (s *Session) hangUp() {
	if conn := s.relay.conn; conn != nil {
		s.relay.conn = nil
		s.config.aside(func() { _ = conn.Close() })
	}
}

// errOtherRelay reports a relay that does not continue the game's chain of seals.
var errOtherRelay = errors.New("the relay does not have the seals of this game: it has lost data, or is another relay")

// welcomed begins the use of a connection.
func (s *Session) welcomed(conn Conn, w wire.Welcome, out chan wire.Message) error {
	now := s.config.steady()
	s.offset = w.Time - s.config.now().UnixMilli()
	if err := s.checkWelcome(w); err != nil {
		_, unsure := s.beforeParting()
		if !s.contradicts(w) || s.accused != (accusation{}) && !unsure {
			return err
		}
		// Not used, but asked for the seal that proves that its notary signed two chains.
		s.relay = relayState{state: RelayRefused, problem: err.Error(), conn: conn, out: out, suspect: true, heard: now, pinged: now, asked: now}
		s.askBack(w.Seals)
		return nil
	}
	s.relay = relayState{state: RelayConnected, conn: conn, out: out, goal: w.Seals, heard: now, pinged: now, asked: now}
	for _, o := range s.outgoing {
		o.sent = time.Time{} // what the last connection did with it is unknown
	}
	s.toRelay(wire.Want{FromSeal: s.game.Replica().OrderedSeals() + 1, Feeds: []wire.FeedPosition{}})
	s.toRelay(wire.Ping{})
	s.mesh.SetPresent(conn.Peer(), w.Peers)
	s.changed = true
	s.checkCaughtUp()
	return nil
}

// checkWelcome tells whether a relay goes on from the seals that this device has.
func (s *Session) checkWelcome(w wire.Welcome) error {
	replica := s.game.Replica()
	if key, anchor := replica.Notary(); replica.Settled() && (key != w.Notary || anchor != w.Anchor) {
		return errOtherRelay
	}
	if w.Seals < replica.Seals() {
		return errOtherRelay
	}
	if mine, ok := replica.Seal(w.Seals); ok && mine.Hash != w.SealHash {
		return errOtherRelay
	}
	return nil
}

// contradicts reports whether a relay's newest seal is another one than ours of that number,
// by the same notary: the two together prove what it did.
func (s *Session) contradicts(w wire.Welcome) bool {
	mine, ok := s.game.Replica().Seal(w.Seals)
	return ok && mine.Notary == w.Notary && mine.Hash != w.SealHash
}

func (s *Session) relayLost(err error) {
	s.relay.conn = nil
	s.relay.caughtUp = false
	s.relay.state, s.relay.problem = RelayOffline, ""
	var refused *dial.RefusedError
	switch {
	case errors.As(err, &refused):
		s.relay.state, s.relay.problem = RelayRefused, refused.Text
	case errors.Is(err, errOtherRelay), errors.Is(err, dial.ErrHost):
		s.relay.state, s.relay.problem = RelayRefused, err.Error()
	}
}

func (s *Session) firstTryOver() { s.readyOnce.Do(func() { close(s.ready) }) }

// fromRelay carries out one message of the relay.
func (s *Session) fromRelay(conn Conn, m wire.Message) {
	if s.relay.conn != conn {
		return // of a connection that was given up
	}
	s.relay.heard = s.config.steady()
	if s.relay.suspect {
		s.fromSuspect(m)
		return
	}
	turns := s.config.turns()
	switch m := m.(type) {
	case wire.Envelopes:
		for _, e := range m.Envelopes {
			_ = s.receiveEnvelope(e, nil) // a refused one is remembered by the replica
			turns.pause()
		}
	case wire.Seals:
		for _, b := range m.Seals {
			if err := s.receiveSeal(b); err != nil {
				s.relay.problem = err.Error()
				s.probe(err)
			}
			turns.pause()
		}
	case wire.Ack:
		for _, h := range m.Hashes {
			if o := s.outgoing[h]; o != nil {
				o.relay = true
			}
		}
	case wire.Signal:
		if note, err := s.keys.DecryptSignal(m.Data); err == nil {
			_ = s.mesh.Receive(m.Peer, note) // not a note: nothing to do about it
		}
	case wire.Presence:
		s.mesh.SetPresent(conn.Peer(), m.Peers)
	case wire.Refusal:
		s.relayRefuses(m)
	case wire.Ping:
		s.toRelay(wire.Pong{Time: s.config.now().UnixMilli()})
	case wire.Pong:
		s.pong(m)
	}
	s.checkCaughtUp()
}

func (s *Session) pong(m wire.Pong) {
	if !s.relay.pinged.IsZero() {
		half := s.config.since(s.relay.pinged).Milliseconds() / 2
		s.offset = m.Time + half - s.config.now().UnixMilli()
		s.changed = true
	}
	s.relay.deadline = time.Time{}
}

// checkCaughtUp notes when all that the relay had at the beginning is here. Before
// that nothing is signed or sent: an own action may be among it.
func (s *Session) checkCaughtUp() {
	if s.relay.conn == nil || s.relay.caughtUp || !s.game.Replica().HoldsSealsTo(s.relay.goal) {
		return
	}
	s.relay.caughtUp = true
	s.firstTryOver()
}

func (s *Session) relayRefuses(m wire.Refusal) {
	o := s.outgoing[m.Subject]
	code := relayCode(m.Code)
	switch {
	case o != nil && code.Final():
		o.refused = m.Text
	case o != nil:
		o.sent = s.config.steady().Add(2*time.Second - resendAfter) // again in a moment
	}
	if code.Final() {
		s.relay.problem = m.Text
	}
}

// sendOutgoing sends the relay what no seal names yet and it has not acknowledged.
func (s *Session) sendOutgoing() {
	replica := s.game.Replica()
	unsealed := replica.Unsealed()
	current := make(map[wire.EnvelopeHash]*outgoing, len(unsealed))
	now := s.config.steady()
	var batch [][]byte
	size := 0
	flush := func() {
		if len(batch) > 0 {
			s.toRelay(wire.Envelopes{Envelopes: batch})
			batch, size = nil, 0
		}
	}
	for _, h := range unsealed {
		o := s.outgoing[h]
		if o == nil {
			o = &outgoing{since: now}
		}
		current[h] = o
		if s.relay.conn == nil || !s.relay.caughtUp || !o.due(now) {
			continue
		}
		b, _ := replica.Envelope(h)
		if len(batch) >= wire.MaxBatch || size+len(b) > frameBytes {
			flush()
		}
		batch, size = append(batch, b), size+len(b)
		o.sent = now
	}
	flush()
	s.outgoing = current
}

func (o *outgoing) due(now time.Time) bool {
	if o.relay || o.refused != "" || now.Sub(o.sent) < resendAfter {
		return false
	}
	return o.own || now.Sub(o.since) >= strangerAfter
}

// relayOverdue is called every tick of a writer.
func (s *Session) relayOverdue() {
	if s.relay.conn == nil {
		return
	}
	now := s.config.steady()
	switch {
	case now.Sub(s.relay.heard) > silence, !s.relay.deadline.IsZero() && now.After(s.relay.deadline):
		s.hangUp()
	case now.Sub(s.relay.pinged) > pingEvery:
		s.ping(0)
	}
}

// ping asks for a sign of life, by a deadline if one is given.
func (s *Session) ping(within time.Duration) {
	s.relay.pinged = s.config.steady()
	if within > 0 {
		s.relay.deadline = s.relay.pinged.Add(within)
	}
	s.toRelay(wire.Ping{})
}

// askForMissing asks the relay again for what seals name and nobody has sent.
func (s *Session) askForMissing() {
	replica := s.game.Replica()
	behind := replica.Seals() < s.relay.goal || replica.OrderedSeals() < replica.Seals()
	if s.relay.conn == nil || !behind || s.config.since(s.relay.asked) < resendAfter {
		return
	}
	s.relay.asked = s.config.steady()
	s.toRelay(wire.Want{FromSeal: replica.OrderedSeals() + 1, Feeds: []wire.FeedPosition{}})
}

// Reconnect tries the relay now, or, if it is connected, makes sure that it still is.
// It is called when the page comes back to the front or the network is back.
func (s *Session) Reconnect() {
	s.post(func() {
		if s.relay.conn != nil {
			s.ping(wakeTime)
			return
		}
		select {
		case s.wakeup <- struct{}{}:
		default:
		}
	})
}
