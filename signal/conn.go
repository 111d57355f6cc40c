package signal

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"io"
	"net/http"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"

	"github.com/coder/websocket"
	"golang.org/x/time/rate"

	"peernomic/engine/wire"
	"peernomic/signal/refusal"
)

// conn is one connection. The goroutine of its request reads (here and in
// receive.go); once it is in a room, a second one writes (send.go).
type conn struct {
	server  *Server
	ws      *websocket.Conn
	address netip.Addr
	host    string // the host that the client dialled
	room    *room  // held
	peer    wire.PeerID
	came    uint64       // how many had joined the room before; guarded by room.mu
	heard   atomic.Int64 // when anything last came from the client, Unix ns

	// Limits of what the client sends.
	messages  *rate.Limiter
	envelopes *rate.Limiter
	signals   *rate.Limiter
	wants     *rate.Limiter
	pending   chan int // bytes of Server.incoming that each submitted job holds, oldest first
	held      int      // bytes of Server.incoming that the message being received holds

	wake chan struct{} // capacity 1: what is below has changed

	mu       sync.Mutex
	out      [][]byte // answers that wait to be written
	outBytes int
	shared   int           // bytes of Server.answers that they hold
	left     bool          // nothing is queued any more
	since    time.Time     // when the writer began the current piece of the log; zero if there is none
	cut      func()        // ends the write in the middle
	presence bool          // presence has to be sent
	asked    uint64        // how often the client has asked for the log
	cursor   uint64        // the seal that it gets next
	ending   refusal.Code  // why the connection is to end
	ended    chan struct{} // closed when ending is set
}

// serveRelay serves one connection until it ends.
func (s *Server) serveRelay(w http.ResponseWriter, r *http.Request) {
	c := &conn{
		server:  s,
		address: addressOf(r, s.config.TrustedProxies),
		host:    hostOf(r, s.config.TrustedProxies),
		wake:    make(chan struct{}, 1),
		ended:   make(chan struct{}),
	}
	if !s.track(c) {
		refuseHTTP(w, http.StatusServiceUnavailable, refusal.Closing)
		return
	}
	defer s.forget(c)
	reason, ok := s.visitors.enter(c.address)
	if ok {
		defer s.visitors.leave(c.address)
	}
	if ok && !s.config.servesHost(c.host) {
		reason = refusal.Host
	}
	if reason != "" {
		s.metrics.refused(reason)
	}
	if reason == refusal.Attempts || reason == refusal.Full {
		// Cheaper than a WebSocket, though browsers do not show pages the text.
		refuseHTTP(w, http.StatusTooManyRequests, reason)
		return
	}
	ws, err := websocket.Accept(w, r, &websocket.AcceptOptions{
		OriginPatterns: s.config.Origins,
		OnPongReceived: func(context.Context, []byte) { c.hear() },
	})
	if err != nil {
		return // Accept has answered
	}
	defer ws.CloseNow()
	c.ws = ws
	if reason != "" {
		c.refuse(reason)
		return
	}
	c.serve()
}

func refuseHTTP(w http.ResponseWriter, status int, c refusal.Code) {
	w.Header().Set("Retry-After", "10")
	http.Error(w, string(c)+": "+c.Text(), status)
}

// track makes a connection known to [Server.Close]. It fails if that has begun.
func (s *Server) track(c *conn) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closing {
		return false
	}
	s.conns[c] = struct{}{}
	s.served.Add(1)
	return true
}

func (s *Server) forget(c *conn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.conns, c)
	s.served.Done()
}

func (c *conn) serve() {
	c.hear()
	hello, reason := c.handshake()
	if reason != "" {
		c.server.metrics.refused(reason)
		c.refuse(reason)
		return
	}
	c.peer = hello.Peer
	c.room = c.server.hold(hello.Room)
	defer c.room.release()
	if reason := c.enter(hello); reason != "" {
		c.server.metrics.refused(reason)
		c.refuse(reason)
		return
	}
	written := make(chan struct{})
	go func() {
		defer close(written)
		c.write()
	}()
	c.end(c.receive())
	c.room.leave(c)
	<-written
	c.forgetAnswers()
	c.room.left()
}

// handshake challenges the client and checks its answer.
func (c *conn) handshake() (wire.Hello, refusal.Code) {
	ctx, cancel := context.WithTimeout(c.server.ctx, c.server.limits.HelloTimeout)
	defer cancel()
	challenge := wire.Challenge{Host: c.host}
	rand.Read(challenge.Nonce[:])
	if err := c.send(ctx, challenge); err != nil {
		return wire.Hello{}, gone
	}
	answered := make(chan struct{})
	defer close(answered)
	go c.hurry(answered)
	m, reason := c.next(MaxHello)
	if reason != "" {
		return wire.Hello{}, reason
	}
	hello, ok := m.(wire.Hello)
	switch {
	case !ok:
		return hello, refusal.Unexpected
	case hello.Protocol != wire.Protocol:
		return hello, refusal.Protocol
	case !hello.Proves(challenge):
		return hello, refusal.Proof
	}
	return hello, ""
}

// hurry refuses a client that does not answer the challenge in time. A deadline for
// reading would end the connection without a reason.
func (c *conn) hurry(answered chan struct{}) {
	late := time.NewTimer(c.server.limits.HelloTimeout)
	defer late.Stop()
	select {
	case <-answered:
	case <-late.C:
		c.refuse(refusal.Late)
	case <-c.ended:
		c.refuse(refusal.Closing)
	}
}

// enter joins the room and queues the welcome.
func (c *conn) enter(hello wire.Hello) refusal.Code {
	s := c.server
	reason := c.room.load(func() refusal.Code {
		switch {
		case hello.Game != wire.GameID{}:
			return refusal.NoRoom
		case s.roomCount.Load() >= int64(s.limits.Rooms):
			return refusal.RoomsFull
		case !s.visitors.mayOpen(c.address):
			return refusal.RoomsDaily
		}
		return ""
	})
	if reason != "" {
		return reason
	}
	if hello.Game != c.room.currentGame() {
		return refusal.Game
	}
	l := s.limits
	c.messages = rate.NewLimiter(l.MessageRate, l.MessageBurst)
	c.envelopes = rate.NewLimiter(l.EnvelopeRate, l.EnvelopeBurst)
	c.signals = rate.NewLimiter(l.SignalRate, l.SignalBurst)
	c.wants = rate.NewLimiter(l.WantRate, l.WantBurst)
	c.pending = make(chan int, maxPending)
	welcome, reason := c.room.join(c)
	if reason != "" {
		return reason
	}
	c.replyFirst(welcome)
	return ""
}

// gone is the reason of an end that the client caused: nobody is left to receive a refusal.
const gone refusal.Code = "gone"

// refuse sends a refusal and ends the connection. Use it for connections without a
// writer, and [conn.end] for the others.
func (c *conn) refuse(reason refusal.Code) {
	if reason == gone {
		c.ws.CloseNow()
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), c.server.limits.HelloTimeout)
	defer cancel()
	if err := c.send(ctx, wire.Refusal{Code: string(reason), Text: reason.Text()}); err != nil {
		c.ws.CloseNow()
		return
	}
	c.ws.Close(websocket.StatusCode(reason.Status()), string(reason))
}

func (c *conn) send(ctx context.Context, m wire.Message) error {
	frame, err := wire.EncodeMessage(m)
	if err != nil {
		return err
	}
	return c.ws.Write(ctx, websocket.MessageBinary, frame)
}

// next reads a message of at most limit bytes.
func (c *conn) next(limit int) (wire.Message, refusal.Code) {
	c.ws.SetReadLimit(-1) // the library's own limit ends the connection without a code
	kind, r, err := c.ws.Reader(c.server.ctx)
	if err != nil {
		return nil, gone
	}
	frame, err := c.readFrame(hearing{r, c}, limit)
	switch {
	case err != nil:
		return nil, gone
	case len(frame) > limit:
		return nil, refusal.Oversize
	case kind != websocket.MessageBinary:
		return nil, refusal.Garbled
	}
	m, err := wire.DecodeMessage(frame)
	if err != nil {
		if !errors.Is(err, wire.ErrMessage) {
			c.server.log.Error("message not decodable", "error", err)
		}
		return nil, refusal.Garbled
	}
	return m, ""
}

// readFrame reads a message of at most limit bytes, and one byte more to notice a longer
// one. A long message waits until there is memory for it. Then it must come within
// [Limits.SlowWrite].
func (c *conn) readFrame(r io.Reader, limit int) ([]byte, error) {
	frame, err := io.ReadAll(io.LimitReader(r, int64(min(limit, shortMessage))+1))
	if err != nil || len(frame) <= shortMessage || len(frame) > limit {
		return frame, err
	}
	if !c.server.incoming.take(limit, c.ended) {
		return nil, context.Canceled
	}
	c.held = limit
	late := time.AfterFunc(c.server.limits.SlowWrite, func() { c.end(refusal.Slow) })
	defer late.Stop()
	long := bytes.NewBuffer(frame)
	_, err = long.ReadFrom(io.LimitReader(r, int64(limit+1-len(frame))))
	return long.Bytes(), err
}

// releaseHeld gives back the memory of the last message.
func (c *conn) releaseHeld() {
	if c.held > 0 {
		c.server.incoming.put(c.held)
		c.held = 0
	}
}

// hear records a sign of life from the client.
func (c *conn) hear() { c.heard.Store(time.Now().UnixNano()) }

// hearing reads from the client and counts every piece of a long frame as a sign of life.
type hearing struct {
	r io.Reader
	c *conn
}

func (h hearing) Read(p []byte) (int, error) {
	n, err := h.r.Read(p)
	if n > 0 {
		h.c.hear()
	}
	return n, err
}
