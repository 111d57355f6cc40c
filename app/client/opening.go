package client

import (
	"sync"
	"time"

	"peernomic/engine/wire"
)

// Opening says how far the opening of a game has come: of reading its log, and then of carrying out those
// of its actions that no snapshot holds.
type Opening struct {
	Carrying bool // false while the log is read
	Step
}

// Step says how far a task has come.
type Step struct{ Done, Total int }

// opening is a game that is being opened. The gate is for whoever opens it: that is done once, however many
// ask. All else is under the hub's lock.
type opening struct {
	gate sync.Mutex
	far  *Opening  // nil if nothing is said yet, or it is open
	told time.Time // when that last was
}

// openingPause is how often the progress is told.
const openingPause = 100 * time.Millisecond

// Opening tells how far the opening of a game has come; nil if it is not being opened, or that takes no time.
// [Hub.Watch] tells when to look again.
func (h *Hub) Opening(id wire.RoomID) *Opening {
	h.mu.Lock()
	defer h.mu.Unlock()
	if o := h.opening[id]; o != nil {
		return o.far
	}
	return nil
}

// tellOpening returns what is told how far the opening has come.
func (h *Hub) tellOpening(o *opening) func(Opening) {
	return func(far Opening) {
		h.mu.Lock()
		again := h.config.since(o.told) >= openingPause
		if again {
			o.far, o.told = &far, h.config.steady()
		}
		h.mu.Unlock()
		if again {
			h.watch.tell()
		}
	}
}
