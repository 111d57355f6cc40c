// Package dial connects a device to a relay. It builds for native programs and for
// browsers (js/wasm), proves the room's key, and then passes messages. It does not
// reconnect, resume or store anything. The caller sends a [wire.Want] to receive the
// log, and calls [Conn.Receive] until it fails.
package dial

import (
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"fmt"
	"sync"

	"peernomic/engine/wire"
	"peernomic/signal/refusal"
)

// queue is how many frames wait for [Conn.Receive] before reading stops. Natively that
// stops the sender too. A browser reads on by itself.
const queue = 4

// socket is a WebSocket as this package needs it. There is one for native programs
// and one for browsers.
type socket interface {
	// read returns the next binary frame. When all that arrived is read, it returns the
	// reason of the end: [ErrClosed], a [*RefusedError], or what the network reported.
	read() ([]byte, error)
	write(ctx context.Context, frame []byte) error
	// close ends the connection in good order and unblocks read.
	close()
}

// Conn is a connection to one room of a relay. [Relay] makes it. Its methods may be
// called from several goroutines, but messages keep their order only if one
// goroutine sends and one receives.
type Conn struct {
	socket  socket
	peer    wire.PeerID
	frames  chan []byte
	closing chan struct{} // closed by Close
	done    chan struct{} // closed when the pump has ended
	err     error         // why; set before done is closed

	closeOnce sync.Once
}

// Relay connects to the relay at url (ws, wss, http or https; its path included, such
// as https://host/relay), proves the room's key and returns the connection with
// the relay's welcome. The game is the one that the room must hold. The zero game opens a
// new room; the caller then names its game by [Conn.Found] before anything else. Errors:
// [*RefusedError] if the relay refuses, [ErrHost], or what the network reported.
func Relay(ctx context.Context, url string, room ed25519.PrivateKey, game wire.GameID) (*Conn, wire.Welcome, error) {
	s, address, err := connect(ctx, url)
	if err != nil {
		return nil, wire.Welcome{}, fmt.Errorf("connect to relay: %w", err)
	}
	c := &Conn{socket: s, frames: make(chan []byte, queue), closing: make(chan struct{}), done: make(chan struct{})}
	rand.Read(c.peer[:])
	go c.pump()
	welcome, err := c.handshake(ctx, address, room, wire.Hello{
		Protocol: wire.Protocol,
		Room:     wire.RoomID(room.Public().(ed25519.PublicKey)),
		Game:     game,
		Peer:     c.peer,
	})
	if err != nil {
		c.Close()
		return nil, wire.Welcome{}, fmt.Errorf("connect to relay: %w", err)
	}
	return c, welcome, nil
}

func (c *Conn) handshake(ctx context.Context, address string, key ed25519.PrivateKey, hello wire.Hello) (wire.Welcome, error) {
	m, err := c.Receive(ctx)
	if err != nil {
		return wire.Welcome{}, err
	}
	challenge, ok := m.(wire.Challenge)
	if !ok {
		return wire.Welcome{}, refusedOr(m, wire.ErrMessage)
	}
	if err := checkHost(address, challenge.Host); err != nil {
		return wire.Welcome{}, err
	}
	hello.Prove(key, challenge)
	if err := c.Send(ctx, hello); err != nil {
		return wire.Welcome{}, err
	}
	m, err = c.Receive(ctx)
	if err != nil {
		return wire.Welcome{}, err
	}
	welcome, ok := m.(wire.Welcome)
	if !ok {
		return wire.Welcome{}, refusedOr(m, wire.ErrMessage)
	}
	return welcome, nil
}

// Found tells the relay which game a new room holds, and waits until the relay has stored
// it. Nothing else may be sent or received meanwhile. It fails with [*RefusedError] if the
// room holds another game.
func (c *Conn) Found(ctx context.Context, game wire.GameID) error {
	if err := c.Send(ctx, wire.Found{Game: game}); err != nil {
		return err
	}
	for {
		m, err := c.Receive(ctx)
		if err != nil {
			return err
		}
		switch m := m.(type) {
		case wire.Ack:
			return nil
		case wire.Refusal:
			return &RefusedError{Code: refusal.Code(m.Code), Text: m.Text}
		}
	}
}

// Peer returns the random id under which the room's other members see this
// connection.
func (c *Conn) Peer() wire.PeerID { return c.peer }

// Send writes one message. If the context ends during the write, the connection ends
// too: half a message cannot be taken back.
func (c *Conn) Send(ctx context.Context, m wire.Message) error {
	frame, err := wire.EncodeMessage(m)
	if err != nil {
		return fmt.Errorf("send: %w", err)
	}
	if len(frame) > wire.MaxFrame {
		return fmt.Errorf("send: %w: %d bytes", wire.ErrMessage, len(frame))
	}
	if err := c.socket.write(ctx, frame); err != nil {
		return fmt.Errorf("send: %w", err)
	}
	return nil
}

// Receive returns the next message. What was received before the connection ended
// is returned before the error. Errors: [*RefusedError] if the relay ended the
// connection with a code, [ErrClosed] if either end closed it, [wire.ErrMessage] for
// a frame that is not a message, the context's own error (the connection stays
// usable), or what the network reported.
func (c *Conn) Receive(ctx context.Context) (wire.Message, error) {
	select {
	case frame, ok := <-c.frames:
		if !ok {
			return nil, c.err
		}
		m, err := wire.DecodeMessage(frame)
		if err != nil {
			return nil, fmt.Errorf("receive: %w", err)
		}
		return m, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Close ends the connection. It is safe to call more than once.
func (c *Conn) Close() error {
	c.closeOnce.Do(func() {
		close(c.closing)
		c.socket.close()
	})
	<-c.done
	return nil
}

// pump reads frames until the connection ends. [Conn.Receive] does not read from the
// socket itself, because giving up a read half way would end the connection.
func (c *Conn) pump() {
	defer close(c.done)
	defer close(c.frames)
	for {
		frame, err := c.socket.read()
		if err != nil {
			c.err = fmt.Errorf("receive: %w", err)
			return
		}
		select {
		case c.frames <- frame:
		case <-c.closing:
			c.err = fmt.Errorf("receive: %w", ErrClosed)
			return
		}
	}
}
