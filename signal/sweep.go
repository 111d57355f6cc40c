package signal

import (
	"errors"
	"time"

	"peernomic/engine/wire"
	"peernomic/signal/store"
)

// sweepPeriodically removes unused rooms until the relay closes.
func (s *Server) sweepPeriodically() {
	tick := time.NewTicker(sweepEvery)
	defer tick.Stop()
	for {
		s.sweep()
		select {
		case <-tick.C:
		case <-s.ending:
			return
		}
	}
}

// sweep removes the rooms whose time is over.
func (s *Server) sweep() {
	s.allowances.forget(time.Now())
	now := s.clock()
	used := int64(0)
	if s.limits.KeepRooms > 0 {
		used = now.Add(-s.limits.KeepRooms).UnixMilli()
	}
	empty := now.Add(-s.limits.KeepEmptyRooms).UnixMilli()
	ids, err := s.store.Unused(used, empty)
	if err != nil {
		s.log.Error("unused rooms not found", "error", err)
		return
	}
	for _, id := range ids {
		select {
		case <-s.ending:
			return
		default:
			s.remove(id)
		}
	}
}

// remove removes a room, unless it is in use.
func (s *Server) remove(id wire.RoomID) {
	r := s.hold(id)
	defer r.release()
	r.loading.Lock() // a client that comes now waits, and then finds no room
	defer r.loading.Unlock()
	s.mu.Lock()
	held := r.holders > 1
	s.mu.Unlock()
	if held {
		// It is in use: store that, as the stored use may be old.
		if err := s.store.Use(id, s.clock().UnixMilli()); err != nil && !errors.Is(err, store.ErrNoRoom) {
			s.log.Error("use of a room not noted", "room", r, "error", err)
		}
		return
	}
	err := s.store.Remove(id)
	r.loaded = false // it may have been, if its last holder left just now
	if err != nil {
		s.log.Error("room not removed", "room", r, "error", err)
	}
	if errors.Is(err, store.ErrNoRoom) {
		return
	}
	s.roomCount.Add(-1)
	s.metrics.removed.Inc()
	s.log.Info("room removed", "room", r)
}
