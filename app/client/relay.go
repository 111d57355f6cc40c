package client

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"peernomic/app/client/journal"
	node "peernomic/app/client/sync"
	"peernomic/engine/wire"
	"peernomic/signal/dial"
)

// This file keeps the connection to the relay. What is said there package sync decides.

const (
	dialTime = 20 * time.Second
	sendTime = 20 * time.Second
	// The wait between tries to reach the relay begins at firstWait, doubles up to
	// lastWait, and begins anew after a connection that held for goodTime.
	firstWait = 250 * time.Millisecond
	lastWait  = 8 * time.Second
	goodTime  = 10 * time.Second
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

// relayConn is the connection to the relay, if there is one.
type relayConn struct {
	conn     Conn // nil if not connected
	out      chan wire.Message
	dialling bool
	refused  string // why the relay refuses, for people
}

// send queues a message. A connection that does not keep up is given up: the next one begins with what is missing.
func (r *relayConn) send(s *Session, m wire.Message) {
	if r.conn == nil {
		return
	}
	select {
	case r.out <- m:
	default:
		r.hangUp(s)
	}
}

// hangUp gives a connection up; the end is told to the node when it is noticed.
func (r *relayConn) hangUp(s *Session) {
	if conn := r.conn; conn != nil {
		r.conn = nil
		go func() { _ = conn.Close() }()
	}
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
		again := timer.C
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
	return errors.As(err, &refused) && refused.Code.Final() || errors.Is(err, node.ErrOtherRelay) || errors.Is(err, dial.ErrHost)
}

// visitRelay connects once, and passes on what comes until the connection ends.
func (s *Session) visitRelay() error {
	var record journal.Room
	if err := s.do(s.ctx, func() { record, s.relay = s.room.Record(), relayConn{dialling: true} }); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(s.ctx, dialTime)
	conn, welcome, err := s.config.Dial(ctx, record.Relay, s.keys.Sign, record.Game)
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
		m, err := conn.Receive(s.ctx)
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

// welcomed begins the use of a connection.
func (s *Session) welcomed(conn Conn, w wire.Welcome, out chan wire.Message) error {
	if err := s.node().RelayUp(w, s.config.time()); err != nil {
		return err
	}
	s.relay = relayConn{conn: conn, out: out}
	s.links.mesh.SetPresent(conn.Peer(), w.Peers)
	return nil
}

func (s *Session) relayLost(err error) {
	s.relay = relayConn{}
	var refused *dial.RefusedError
	switch {
	case errors.As(err, &refused):
		s.relay.refused = refused.Text
	case errors.Is(err, node.ErrOtherRelay), errors.Is(err, dial.ErrHost):
		s.relay.refused = err.Error()
	}
	s.node().RelayDown(s.config.time())
}

// fromRelay carries out one message of the relay.
func (s *Session) fromRelay(conn Conn, m wire.Message) {
	if s.relay.conn != conn {
		return // of a connection that was given up
	}
	switch m := m.(type) {
	case wire.Signal:
		if note, err := s.keys.DecryptSignal(m.Data); err == nil {
			_ = s.links.mesh.Receive(m.Peer, note) // not a note: nothing to do about it
		}
	case wire.Presence:
		s.links.mesh.SetPresent(conn.Peer(), m.Peers)
	}
	s.node().FromRelay(m, s.config.time())
}

// Reconnect tries the relay now, or, if it is connected, makes sure that it still is. It is called when the page comes
// back to the front or the network is back.
func (s *Session) Reconnect() {
	s.post(func() {
		if s.node().Wake(s.config.time()) {
			return
		}
		select {
		case s.wakeup <- struct{}{}:
		default:
		}
	})
}
