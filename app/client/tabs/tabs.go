// Package tabs lets the tabs of one browser share a device: one of them holds the
// lock and writes, the others hand it what they want written. Natively a program
// has its device to itself, and [Local] stands in for the browser, in tests with
// several tabs.
package tabs

import (
	"context"
	"errors"
)

// Errors of this package.
var (
	ErrClosed = errors.New("channel between tabs is closed")
	// ErrNoLocks reports a browser, or an insecure page, that cannot lock. Nothing
	// may be written then, because two tabs could.
	ErrNoLocks = errors.New("this browser cannot make sure that only one tab writes; use https or another browser")
)

// Tabs is what the tabs of one device share.
type Tabs interface {
	// Lock waits until this tab alone holds the lock of that name. Closing the tab
	// releases it.
	Lock(ctx context.Context, name string) (release func(), err error)
	// TryLock does not wait: it reports whether the lock was free.
	TryLock(ctx context.Context, name string) (release func(), ok bool, err error)
	// Open joins the channel of that name.
	Open(name string) (Channel, error)
}

// Channel carries messages between the tabs that have it open.
type Channel interface {
	// Post sends a message to every other tab. It does not wait.
	Post(message []byte) error
	// Receive returns the next message. It fails with [ErrClosed] or the context's
	// error.
	Receive(ctx context.Context) ([]byte, error)
	// Close leaves the channel. Closing twice is no error.
	Close() error
}

// maxWaiting is how many messages a tab keeps that nobody receives. The oldest are
// dropped: whoever waits for an answer asks again.
const maxWaiting = 1024
