package client

import (
	"context"
	"time"
)

// This file lets long work stand beside the page: in a browser nothing is drawn and no click is
// answered while Go runs.

const (
	// A turn of work, and how long the rest of the program has then.
	turnTime = 10 * time.Millisecond
	turnRest = time.Millisecond
)

// Progress is told how much of a task has been done, and of how much.
type Progress func(done, total int)

// turns is work that is done in turns.
type turns struct {
	config *Config
	began  time.Time // the present one
}

func (c *Config) turns() *turns { return &turns{config: c, began: c.steady()} }

// begin begins a turn.
func (t *turns) begin() { t.began = t.config.steady() }

// pause ends a turn that has lasted long enough, and reports whether it did. It is called between parts of the
// work, each of which takes a millisecond or two at most.
func (t *turns) pause() bool {
	if t.config.since(t.began) < turnTime {
		return false
	}
	t.config.rest(turnRest)
	t.began = t.config.steady()
	return true
}

// InTurns returns what a long calculation is to call every now and then, with how much of it is done: it gives the page its turn,
// tells the progress, and reports whether to go on, which is until ctx is done.
func InTurns(ctx context.Context, tell Progress) func(done, total uint64) bool {
	t := newTurns(ctx, tell)
	return func(done, total uint64) bool { return t.next(int(done), int(total)) == nil }
}
