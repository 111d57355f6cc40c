package signal

import (
	"context"
	"time"

	"github.com/coder/websocket"

	"peernomic/engine/wire"
	"peernomic/signal/refusal"
)

// The log is never queued for a connection: the writer keeps the number of the seal
// that comes next and fetches from there whenever it has nothing else to write. So a
// slow reader holds one piece of it at most, all of them together maxOutgoing (see
// outgoing.go), and one that fell behind catches up from the store.

// reply queues an answer. A client that asks but does not read is slow.
func (c *conn) reply(m wire.Message) {
	frame, err := wire.EncodeMessage(m)
	if err != nil {
		c.server.log.Error("message not encodable", "error", err)
		return
	}
	if !c.offer(frame) {
		c.end(refusal.Slow)
	}
}

// replyFirst queues the welcome, before anything that others already queued.
func (c *conn) replyFirst(m wire.Welcome) {
	frame, err := wire.EncodeMessage(m)
	if err != nil {
		c.server.log.Error("message not encodable", "error", err)
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.out = append([][]byte{frame}, c.out...)
	c.outBytes += len(frame)
}

// offer queues a frame, unless too much waits already.
func (c *conn) offer(frame []byte) bool {
	c.mu.Lock()
	more := max(c.outBytes+len(frame)-ownWaiting-c.shared, 0)
	if c.left || c.outBytes+len(frame) > maxWaiting || !c.server.answers.try(more) {
		c.mu.Unlock()
		return false
	}
	c.out = append(c.out, frame)
	c.outBytes += len(frame)
	c.shared += more
	c.mu.Unlock()
	c.wakeUp()
	return true
}

func (c *conn) presenceChanged() {
	c.mu.Lock()
	c.presence = true
	c.mu.Unlock()
	c.wakeUp()
}

func (c *conn) wakeUp() {
	select {
	case c.wake <- struct{}{}:
	default:
	}
}

// end asks the writer to end the connection; the first reason counts.
func (c *conn) end(reason refusal.Code) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ending == "" {
		c.ending = reason
		close(c.ended)
	}
}

// work is what the writer has to do next.
type work struct {
	frames   [][]byte
	presence bool
	ending   refusal.Code
	shared   int // what the frames hold of the server's answers
}

func (c *conn) take() work {
	c.mu.Lock()
	defer c.mu.Unlock()
	w := work{frames: c.out, presence: c.presence, ending: c.ending, shared: c.shared}
	c.out, c.outBytes, c.shared, c.presence = nil, 0, 0, false
	return w
}

// forgetAnswers gives back what waits for a client that is gone.
func (c *conn) forgetAnswers() {
	w := c.take()
	c.mu.Lock()
	c.left = true
	c.mu.Unlock()
	c.server.answers.put(w.shared)
}

// write writes until the connection ends, and ends it.
func (c *conn) write() {
	ping := time.NewTicker(c.server.limits.PingEvery)
	defer ping.Stop()
	for {
		w := c.take()
		more, err := c.writeAll(w)
		if err != nil {
			c.end(gone)
			c.ws.CloseNow()
			return
		}
		if w.ending != "" {
			c.sayGoodbye(w.ending)
			return
		}
		if more {
			// Still look at the clock: a long log must not hide a silent client.
			select {
			case <-ping.C:
				c.ping()
			default:
			}
			continue
		}
		select {
		case <-c.wake:
		case <-c.ended:
		case <-ping.C:
			c.ping()
		}
	}
}

func (c *conn) sayGoodbye(reason refusal.Code) {
	c.room.leave(c) // the others need not wait for the end of the goodbye
	if reason != gone {
		c.server.metrics.refused(reason)
	}
	c.refuse(reason)
}

// writeAll writes what waits and then the next piece of the log, and reports
// whether there may be more of it.
func (c *conn) writeAll(w work) (more bool, err error) {
	for _, frame := range w.frames {
		if err := c.writeFrame(c.server.ctx, frame); err != nil {
			c.server.answers.put(w.shared)
			return false, err
		}
	}
	c.server.answers.put(w.shared)
	if w.ending != "" {
		return false, nil
	}
	if w.presence {
		frame, err := wire.EncodeMessage(c.room.presence(c))
		if err != nil {
			return false, err
		}
		if err := c.writeFrame(c.server.ctx, frame); err != nil {
			return false, err
		}
	}
	return c.writeLog()
}

func (c *conn) writeLog() (more bool, err error) {
	c.mu.Lock()
	asked, cursor := c.asked, c.cursor
	c.mu.Unlock()
	if asked == 0 {
		return false, nil
	}
	frames, next, held, err := c.readLog(cursor)
	defer c.server.outgoing.put(held)
	if err != nil {
		c.server.log.Error("log not readable", "room", c.room, "error", err)
		c.end(refusal.Storage)
		return true, nil
	}
	if next == cursor {
		return false, nil
	}
	ctx, cancel := context.WithCancel(c.server.ctx)
	defer cancel()
	c.writing(time.Now(), cancel)
	defer c.writing(time.Time{}, nil)
	for _, frame := range frames {
		if err := c.writeFrame(ctx, frame); err != nil {
			return false, err
		}
	}
	c.mu.Lock()
	if c.asked == asked { // else it begins anew
		c.cursor = next
	}
	c.mu.Unlock()
	return true, nil
}

// writeFrame writes one frame. A client that takes long for it is ended as slow; one
// that takes twice as long is cut off, as a frame cannot be left half way.
func (c *conn) writeFrame(ctx context.Context, frame []byte) error {
	slow := c.server.limits.SlowWrite
	ctx, cancel := context.WithTimeout(ctx, 2*slow)
	defer cancel()
	start := time.Now()
	if err := c.ws.Write(ctx, websocket.MessageBinary, frame); err != nil {
		return err
	}
	c.server.metrics.sent.Add(float64(len(frame)))
	if time.Since(start) > slow {
		c.end(refusal.Slow)
	}
	return nil
}

// ping sends a ping, or ends a connection from which nothing came for too long.
func (c *conn) ping() {
	if time.Since(time.Unix(0, c.heard.Load())) > c.server.limits.SilentAfter {
		c.end(refusal.Silent)
		return
	}
	// The library waits for the pong; [conn.hear] does not need that.
	go func() {
		ctx, cancel := context.WithTimeout(c.server.ctx, c.server.limits.PingEvery)
		defer cancel()
		c.ws.Ping(ctx)
	}()
}
