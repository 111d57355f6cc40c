package dial

import (
	"errors"
	"fmt"

	"peernomic/engine/wire"
	"peernomic/signal/refusal"
)

// ErrClosed reports that one of the two ends closed the connection in good order.
var ErrClosed = errors.New("connection is closed")

// ErrLost reports that the connection broke.
var ErrLost = errors.New("connection is lost")

// RefusedError reports that the relay refused the connection.
type RefusedError struct {
	Code refusal.Code
	Text string // the sentence for people
}

func (e *RefusedError) Error() string {
	return fmt.Sprintf("the relay refuses (%s): %s", e.Code, e.Text)
}

// refusedOr returns the error of a refusal, and otherwise for any other message.
func refusedOr(m wire.Message, otherwise error) error {
	if r, ok := m.(wire.Refusal); ok {
		return &RefusedError{Code: refusal.Code(r.Code), Text: r.Text}
	}
	return fmt.Errorf("%w expected here: %T", otherwise, m)
}

// closeError returns the error that a close status stands for.
func closeError(status int, reason string) error {
	if c, ok := refusal.ByStatus(status); ok {
		return &RefusedError{Code: c, Text: c.Text()}
	}
	switch status {
	case statusNormal, statusGoingAway:
		return ErrClosed
	case statusAbnormal:
		return ErrLost
	}
	return fmt.Errorf("connection ended with status %d %q", status, reason)
}

// Close statuses of RFC 6455, section 7.4.1.
const (
	statusNormal    = 1000
	statusGoingAway = 1001
	statusAbnormal  = 1006
)
