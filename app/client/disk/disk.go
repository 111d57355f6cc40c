// Package disk keeps small values under ordered keys, durably: in memory for
// tests, in Badger natively, in IndexedDB in the browser. Package disktest holds
// the suite that all three pass.
//
// A write is on the device's disk when it returns, or it is not there at all.
// Nothing else is promised: there are no transactions over several calls, because
// one writer per device is the rule everywhere in the app.
package disk

import (
	"context"
	"errors"
)

// ErrClosed reports the use of a closed disk.
var ErrClosed = errors.New("disk is closed")

// Disk is an ordered map on a device's disk. Keys are ASCII text in byte order.
// All methods may be called from any goroutine.
type Disk interface {
	// Get returns the value under a key, and false if there is none.
	Get(ctx context.Context, key string) ([]byte, bool, error)
	// Scan visits the keys from..to (to excluded) in order, as they stood when it
	// was called. It stops at visit's first error and returns it. Visit must not
	// use the disk, and may keep the value.
	Scan(ctx context.Context, from, to string, visit func(key string, value []byte) error) error
	// Write makes all changes, in order, or none. They are durable when it returns.
	Write(ctx context.Context, changes ...Change) error
	// Close ends the use of the disk. Closing twice is no error.
	Close() error
}

// Change is one step of a write: a new value under a key, or, with Delete, none.
type Change struct {
	Key    string
	Value  []byte
	Delete bool
}

// Put returns the change that puts a value under a key.
func Put(key string, value []byte) Change { return Change{Key: key, Value: value} }

// Delete returns the change that removes a key; a key that is not there stays away.
func Delete(key string) Change { return Change{Key: key, Delete: true} }

// Under returns the range of all keys that begin with prefix.
func Under(prefix string) (from, to string) { return prefix, prefix + "\x7f" }
