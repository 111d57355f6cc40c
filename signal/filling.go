package signal

import (
	"net/netip"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"peernomic/engine/wire"
)

// fills bounds how fast rooms grow. Whoever has a room's invite can write to it, and what is written stays; so that nobody
// fills a room before its players notice, each address has an allowance in each room, and each room one for all. They outlast
// connections, and are forgotten when they are whole again.
type fills struct {
	limits Limits

	mu    sync.Mutex
	rooms map[wire.RoomID]*filling
}

type filling struct {
	all  *rate.Limiter // in bytes, as the quota counts them
	from map[netip.Addr]*rate.Limiter
}

func newFills(l Limits) *fills { return &fills{limits: l, rooms: map[wire.RoomID]*filling{}} }

// of returns the allowances of an address in a room, and of the room.
func (f *fills) of(room wire.RoomID, a netip.Addr) (own, all *rate.Limiter) {
	f.mu.Lock()
	defer f.mu.Unlock()
	r := f.rooms[room]
	if r == nil {
		r = &filling{all: rate.NewLimiter(f.limits.RoomFillRate, f.limits.RoomFillBurst), from: map[netip.Addr]*rate.Limiter{}}
		f.rooms[room] = r
	}
	if _, known := r.from[a]; !known && len(r.from) >= maxFillers {
		a = netip.Addr{} // they share one
	}
	if r.from[a] == nil {
		r.from[a] = rate.NewLimiter(f.limits.FillRate, f.limits.FillBurst)
	}
	return r.from[a], r.all
}

// forget drops what is whole again.
func (f *fills) forget(now time.Time) {
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
