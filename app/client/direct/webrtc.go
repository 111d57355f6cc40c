package direct

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

const (
	// The sender pauses above highWater and goes on below lowWater. Chrome stalls
	// at 16 MB and is well at 2.
	highWater = 1 << 20
	lowWater  = 256 << 10
	// maxWaiting and maxWaitingBytes bound what may wait to be received. More can
	// only come from a peer that does not keep to the protocol, as it sends
	// batches one at a time, when asked.
	maxWaiting      = 1024
	maxWaitingBytes = 32 << 20
	// gatherTime bounds the search for addresses; what was found by then is offered.
	gatherTime = 3 * time.Second
)

// label and streamID name the data channel. Both sides declare it in advance, so there
// is no moment at which a message can arrive before its handler is set.
const (
	label           = "peernomic"
	streamID uint16 = 0
)

// WebRTC makes links of WebRTC data channels: pion's natively, the browser's in a
// browser. Each has its own peer (webrtc_native.go, webrtc_js.go).
type WebRTC struct {
	servers []string
}

var _ Network = (*WebRTC)(nil)

// NewWebRTC returns the network. The servers are the URLs of STUN or TURN servers
// that help devices behind different routers; without any, only addresses of the
// devices' own networks are tried, and no third party learns of the link.
func NewWebRTC(servers []string) *WebRTC { return &WebRTC{servers: servers} }

// Offer implements [Network].
func (w *WebRTC) Offer(ctx context.Context) (Pending, string, error) {
	return w.begin(ctx, "offer a link", (*peer).offer)
}

// Answer implements [Network].
func (w *WebRTC) Answer(ctx context.Context, offer string) (Pending, string, error) {
	return w.begin(ctx, "answer an offer", func(p *peer, ctx context.Context) error { return p.answer(ctx, offer) })
}

// begin makes a channel and describes it for the other side.
func (w *WebRTC) begin(ctx context.Context, what string, describe func(*peer, context.Context) error) (Pending, string, error) {
	c := &channel{open: make(chan struct{}), drained: make(chan struct{}, 1), arrived: make(chan struct{}, 1)}
	c.life, c.end = context.WithCancel(context.Background())
	var err error
	if c.peer, err = newPeer(w.servers, c); err != nil {
		c.end()
		return nil, "", fmt.Errorf("%s: %w", what, err)
	}
	err = describe(c.peer, ctx)
	if err == nil {
		err = c.gather(ctx)
	}
	if err != nil {
		return nil, "", errors.Join(fmt.Errorf("%s: %w", what, err), c.Close())
	}
	return c, c.peer.description(), nil
}

// channel is one WebRTC data channel, from its first offer to its end.
type channel struct {
	peer    *peer
	open    chan struct{}   // closed by opened
	life    context.Context // ends with the channel
	end     context.CancelFunc
	drained chan struct{} // has one element after the send buffer ran low
	arrived chan struct{} // has one element after something was queued

	openOnce, endOnce sync.Once

	sending sync.Mutex
	number  uint32 // of the next frame sent

	mu     sync.Mutex
	joiner joiner
	frames [][]byte // received, not yet taken
	bytes  int      // their length
	err    error    // why nothing more will be received
}

// gather waits for the addresses at which this side can be reached. They are sent
// all at once, with the description.
func (c *channel) gather(ctx context.Context) error {
	timer := time.NewTimer(gatherTime)
	defer timer.Stop()
	select {
	case <-c.peer.gathered():
		return nil
	case <-timer.C:
		return nil
	case <-c.life.Done():
		return ErrClosed
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Accept implements [Pending].
func (c *channel) Accept(answer string) error { return c.peer.accept(answer) }

// Wait implements [Pending].
func (c *channel) Wait(ctx context.Context) (Link, error) {
	select {
	case <-c.open:
		return c, nil
	case <-c.life.Done():
		return nil, ErrClosed
	case <-ctx.Done():
		return nil, errors.Join(ctx.Err(), c.Close())
	}
}

// Send implements [Link].
func (c *channel) Send(ctx context.Context, frame []byte) error {
	c.sending.Lock()
	defer c.sending.Unlock()
	chunks, err := split(c.number, frame)
	if err != nil {
		return err
	}
	c.number++
	for _, chunk := range chunks {
		if err := c.drain(ctx); err != nil {
			// Half a frame cannot be taken back.
			return errors.Join(err, c.Close())
		}
		if err := c.peer.send(chunk); err != nil {
			c.fail(ErrClosed)
			return fmt.Errorf("%w: %w", ErrClosed, err)
		}
	}
	return nil
}

func (c *channel) drain(ctx context.Context) error {
	for c.peer.buffered() > highWater {
		select {
		case <-c.drained:
		case <-c.life.Done():
			return ErrClosed
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	select {
	case <-c.life.Done():
		return ErrClosed
	default:
		return ctx.Err()
	}
}

// opened is called when the channel carries chunks.
func (c *channel) opened() { c.openOnce.Do(func() { close(c.open) }) }

// take is called with every chunk that arrives, in order.
func (c *channel) take(chunk []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err != nil {
		return
	}
	frame, err := c.joiner.add(chunk)
	if err == nil && (len(c.frames) >= maxWaiting || c.bytes > maxWaitingBytes) {
		err = fmt.Errorf("%w: %d frames wait", ErrChunk, len(c.frames))
	}
	if err != nil {
		c.err = err
		go c.fail(err)
		return
	}
	if frame != nil {
		c.frames = append(c.frames, frame)
		c.bytes += len(frame)
		poke(c.arrived)
	}
}

// Receive implements [Link].
func (c *channel) Receive(ctx context.Context) ([]byte, error) {
	for {
		frame, err := c.next()
		if frame != nil || err != nil {
			return frame, err
		}
		select {
		case <-c.arrived:
		case <-c.life.Done():
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

func (c *channel) next() ([]byte, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.frames) == 0 {
		return nil, c.err
	}
	frame := c.frames[0]
	c.frames[0] = nil
	c.frames = c.frames[1:]
	c.bytes -= len(frame)
	return frame, nil
}

// Close implements [Link] and [Pending].
func (c *channel) Close() error {
	c.fail(ErrClosed)
	return nil
}

func (c *channel) fail(err error) {
	c.endOnce.Do(func() {
		c.mu.Lock()
		if c.err == nil {
			c.err = err
		}
		c.mu.Unlock()
		c.end()
		// Not waited for: pion's Close waits for handlers, and this may be one.
		go c.peer.close()
	})
}

func poke(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}
