package direct

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/pion/webrtc/v3"
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

// WebRTC makes links of WebRTC data channels: pion's own natively, the browser's
// through pion in a browser.
type WebRTC struct {
	config webrtc.Configuration
	api    *webrtc.API
}

var _ Network = (*WebRTC)(nil)

// NewWebRTC returns the network. The servers are the URLs of STUN or TURN servers
// that help devices behind different routers; without any, only addresses of the
// devices' own networks are tried, and no third party learns of the link.
func NewWebRTC(servers []string) *WebRTC {
	w := &WebRTC{api: newAPI()}
	if len(servers) > 0 {
		w.config.ICEServers = []webrtc.ICEServer{{URLs: servers}}
	}
	return w
}

// Offer implements [Network].
func (w *WebRTC) Offer(ctx context.Context) (Pending, string, error) {
	p, err := w.begin()
	if err != nil {
		return nil, "", err
	}
	offer, err := p.pc.CreateOffer(nil)
	if err != nil {
		return nil, "", errors.Join(fmt.Errorf("offer a link: %w", err), p.Close())
	}
	text, err := p.describe(ctx, offer)
	if err != nil {
		return nil, "", errors.Join(fmt.Errorf("offer a link: %w", err), p.Close())
	}
	return p, text, nil
}

// Answer implements [Network].
func (w *WebRTC) Answer(ctx context.Context, offer string) (Pending, string, error) {
	p, err := w.begin()
	if err != nil {
		return nil, "", err
	}
	text, err := p.answer(ctx, offer)
	if err != nil {
		return nil, "", errors.Join(fmt.Errorf("answer an offer: %w", err), p.Close())
	}
	return p, text, nil
}

func (w *WebRTC) begin() (*channel, error) {
	pc, err := w.api.NewPeerConnection(w.config)
	if err != nil {
		return nil, fmt.Errorf("begin a link: %w", err)
	}
	receiveBinary(pc)
	c := &channel{pc: pc, open: make(chan struct{}), closed: make(chan struct{}), drained: make(chan struct{}, 1), arrived: make(chan struct{}, 1)}
	// Both sides declare the channel, so there is no moment at which a message can
	// arrive before its handler is set.
	ordered, negotiated, id := true, true, uint16(0)
	c.dc, err = pc.CreateDataChannel("peernomic", &webrtc.DataChannelInit{Ordered: &ordered, Negotiated: &negotiated, ID: &id})
	if err != nil {
		return nil, errors.Join(fmt.Errorf("begin a link: %w", err), pc.Close())
	}
	c.listen()
	return c, nil
}

// channel is one WebRTC data channel, from its first offer to its end.
type channel struct {
	pc      *webrtc.PeerConnection
	dc      *webrtc.DataChannel
	open    chan struct{}
	closed  chan struct{}
	drained chan struct{} // has one element after the send buffer ran low
	arrived chan struct{} // has one element after something was queued

	openOnce, closeOnce sync.Once

	sending sync.Mutex
	number  uint32 // of the next frame sent

	mu     sync.Mutex
	joiner joiner
	frames [][]byte // received, not yet taken
	bytes  int      // their length
	err    error    // why nothing more will be received
}

func (c *channel) listen() {
	c.dc.SetBufferedAmountLowThreshold(lowWater)
	c.dc.OnBufferedAmountLow(func() { poke(c.drained) })
	c.dc.OnOpen(func() { c.openOnce.Do(func() { close(c.open) }) })
	c.dc.OnClose(func() { c.fail(ErrClosed) })
	// In a browser every message runs in a goroutine of its own. They keep their
	// order only as long as none of them waits: so this one puts the chunk in a
	// queue and does nothing else.
	c.dc.OnMessage(func(m webrtc.DataChannelMessage) { c.take(m.Data) })
	c.pc.OnConnectionStateChange(func(s webrtc.PeerConnectionState) {
		if s == webrtc.PeerConnectionStateFailed || s == webrtc.PeerConnectionStateClosed {
			c.fail(ErrClosed)
		}
	})
}

// describe makes d the local description and returns it with the addresses found.
// They are sent all at once: pion drops what it needs to send them one by one
// when it runs in a browser.
func (c *channel) describe(ctx context.Context, d webrtc.SessionDescription) (string, error) {
	gathered := webrtc.GatheringCompletePromise(c.pc)
	if err := c.pc.SetLocalDescription(d); err != nil {
		return "", err
	}
	timer := time.NewTimer(gatherTime)
	defer timer.Stop()
	select {
	case <-gathered:
	case <-timer.C:
	case <-c.closed:
		return "", ErrClosed
	case <-ctx.Done():
		return "", ctx.Err()
	}
	local := c.pc.LocalDescription()
	if local == nil {
		return "", errors.New("no local description")
	}
	return local.SDP, nil
}

func (c *channel) answer(ctx context.Context, offer string) (string, error) {
	err := c.pc.SetRemoteDescription(webrtc.SessionDescription{Type: webrtc.SDPTypeOffer, SDP: offer})
	if err != nil {
		return "", err
	}
	answer, err := c.pc.CreateAnswer(nil)
	if err != nil {
		return "", err
	}
	return c.describe(ctx, answer)
}

// Accept implements [Pending].
func (c *channel) Accept(answer string) error {
	return c.pc.SetRemoteDescription(webrtc.SessionDescription{Type: webrtc.SDPTypeAnswer, SDP: answer})
}

// Wait implements [Pending].
func (c *channel) Wait(ctx context.Context) (Link, error) {
	select {
	case <-c.open:
		return c, nil
	case <-c.closed:
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
		if err := c.dc.Send(chunk); err != nil {
			c.fail(ErrClosed)
			return fmt.Errorf("%w: %w", ErrClosed, err)
		}
	}
	return nil
}

func (c *channel) drain(ctx context.Context) error {
	for c.dc.BufferedAmount() > highWater {
		select {
		case <-c.drained:
		case <-c.closed:
			return ErrClosed
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	select {
	case <-c.closed:
		return ErrClosed
	default:
		return ctx.Err()
	}
}

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
		case <-c.closed:
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
	c.closeOnce.Do(func() {
		c.mu.Lock()
		if c.err == nil {
			c.err = err
		}
		c.mu.Unlock()
		close(c.closed)
		// Not waited for: pion's Close waits for handlers, and this may be one.
		go hangUp(c.pc, c.dc)
	})
}

func poke(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}
