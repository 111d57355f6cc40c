package direct

import (
	"context"
	"errors"
)

// ErrClosed reports the use of a link that has ended.
var ErrClosed = errors.New("link is closed")

// Link carries frames between two members, whole and in order. Send and Receive
// may run at the same time, each on one goroutine.
type Link interface {
	// Send hands over a frame, and waits while too much is under way.
	Send(ctx context.Context, frame []byte) error
	// Receive returns the next frame. It fails with [ErrClosed], [ErrChunk] or the
	// context's error.
	Receive(ctx context.Context) ([]byte, error)
	// Close ends the link. Closing twice is no error.
	Close() error
}

// Network makes links. [WebRTC] is the real one; tests have their own.
type Network interface {
	// Offer begins a link and returns the offer to send to the other side.
	Offer(ctx context.Context) (Pending, string, error)
	// Answer begins a link from the other side's offer and returns the answer.
	Answer(ctx context.Context, offer string) (Pending, string, error)
}

// Pending is a link in the making.
type Pending interface {
	// Accept takes the answer to an offer.
	Accept(answer string) error
	// Wait returns the link as soon as it carries frames. If the context ends first,
	// the attempt is given up.
	Wait(ctx context.Context) (Link, error)
	// Close gives the attempt up, if Wait has not returned its link.
	Close() error
}
