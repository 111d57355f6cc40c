package signal

import (
	"context"
	"time"

	"github.com/coder/websocket"

	"peernomic/engine/wire"
	"peernomic/signal/refusal"
)

// The log is never queued for a connection. The writer keeps the number of the next seal
// and reads from there when it has nothing else to write. So a slow reader holds one piece
// of the log at most, all of them together maxOutgoing (see outgoing.go). A reader that fell
// behind catches up from the store.

// reply queues an answer. It ends the connection as slow if too many answers wait.
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

// offer queues a frame. It reports false if too much waits already.
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
	shared   int // bytes of Server.answers that the frames hold
}

func (c *conn) take() work {
	c.mu.Lock()
	defer c.mu.Unlock()
	w := work{frames: c.out, presence: c.presence, ending: c.ending, shared: c.shared}
	c.out, c.outBytes, c.shared, c.presence = nil, 0, 0, false
	return w
}

// forgetAnswers gives back the memory of the answers to a client that has left.
func (c *conn) forgetAnswers() {
	w := c.take()
	c.mu.Lock()
	c.left = true
	c.mu.Unlock()
	c.server.answers.put(w.shared)
}

// write is the writer's loop. It ends the connection when it returns.
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
	c.room.leave(c) // before the last message, which may take a while
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

// writeFrame writes one frame. If that takes long, it ends the connection as slow. If it
// takes twice as long, the connection is cut: half a frame cannot be taken back.
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

// ping sends a ping, or ends a connection that was silent for too long.
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
