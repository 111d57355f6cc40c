package signal

import (
	"net/netip"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"peernomic/engine/wire"
)

// allowances bounds how fast rooms grow. Every member can write, and the relay keeps every envelope.
// Each address has an allowance in each room, and each room has one for all addresses, so that the
// players have time to notice an attempt to fill it. Allowances outlast connections. They are
// forgotten when they are full again.
type allowances struct {
	limits Limits

	mu    sync.Mutex
	rooms map[wire.RoomID]*allowance
}

type allowance struct {
	all  *rate.Limiter // in bytes, as the quota counts them
	from map[netip.Addr]*rate.Limiter
}

func newAllowances(l Limits) *allowances {
	return &allowances{limits: l, rooms: map[wire.RoomID]*allowance{}}
}

// of returns the allowances of an address in a room, and of the room.
func (f *allowances) of(room wire.RoomID, a netip.Addr) (own, all *rate.Limiter) {
	f.mu.Lock()
	defer f.mu.Unlock()
	r := f.rooms[room]
	if r == nil {
		r = &allowance{all: rate.NewLimiter(f.limits.RoomFillRate, f.limits.RoomFillBurst), from: map[netip.Addr]*rate.Limiter{}}
		f.rooms[room] = r
	}
	if _, known := r.from[a]; !known && len(r.from) >= maxFillers {
		a = netip.Addr{} // the others share one allowance
	}
	if r.from[a] == nil {
		r.from[a] = rate.NewLimiter(f.limits.FillRate, f.limits.FillBurst)
	}
	return r.from[a], r.all
}

// forget drops the allowances that are full again.
func (f *allowances) forget(now time.Time) {
	whole := func(l *rate.Limiter) bool { return l.TokensAt(now) >= float64(l.Burst()) }
	f.mu.Lock()
	defer f.mu.Unlock()
	for id, r := range f.rooms {
		for a, l := range r.from {
			if whole(l) {
				delete(r.from, a)
			}
		}
		if len(r.from) == 0 && whole(r.all) {
			delete(f.rooms, id)
		}
	}
}
