package signal

import (
	"time"

	"peernomic/signal/refusal"
)

// This file bounds the memory of frames on their way to clients that read slowly or not at all.

// readLog reads the next piece of the log, once there is memory for it. held is how many bytes
// of [Server.outgoing] it took. The caller gives them back when the piece is written.
func (c *conn) readLog(cursor uint64) (frames [][]byte, next uint64, held int, err error) {
	if cursor > c.room.head() {
		return nil, cursor, 0, nil
	}
	// The size of a piece is known only when it is read, so one is read at a time.
	s := c.server
	select {
	case s.reading <- struct{}{}:
	case <-c.ended:
		return nil, cursor, 0, nil
	}
	defer func() { <-s.reading }()
	frames, next, err = c.room.read(cursor)
	if err != nil {
		return nil, cursor, 0, err
	}
	for _, frame := range frames {
		held += len(frame)
	}
	if !s.outgoing.take(held, c.ended) {
		return nil, cursor, 0, nil
	}
	return frames, next, held, nil
}

// writing records when the writer began a piece of the log, and the function that cuts it off.
func (c *conn) writing(since time.Time, cut func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.since, c.cut = since, cut
}

// hurrySlowReaders ends connections that are slow while others wait for the memory that they hold.
func (s *Server) hurrySlowReaders() {
	look := time.NewTicker(hurriedWrite / 4)
	defer look.Stop()
	for {
		select {
		case <-look.C:
		case <-s.ending:
			return
		}
		if !s.outgoing.short() {
			continue
		}
		s.mu.Lock()
		for c := range s.conns {
			c.hurryUp()
		}
		s.mu.Unlock()
	}
}

// hurryUp ends the connection if the current piece has taken too long. If the client reads the
// piece to its end, it gets the reason. After twice the time the connection is cut without one.
func (c *conn) hurryUp() {
	c.mu.Lock()
	took, cut := time.Since(c.since), c.cut
	if c.since.IsZero() {
		took = 0
	}
	c.mu.Unlock()
	if took > hurriedWrite {
		c.end(refusal.Slow)
	}
	if took > 2*hurriedWrite {
		c.server.metrics.refused(refusal.Slow)
		cut()
	}
}
