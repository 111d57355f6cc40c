package client

import (
	"context"
	"errors"
	"fmt"
	"time"

	"peernomic/app/client/room"
	"peernomic/engine/wire"
)

// leaveTime is how long the other tabs of the browser have to let go of a game.
const leaveTime = 5 * time.Second

// ErrHeldElsewhere reports a game that another tab does not let go of, say because the browser has put it to sleep.
var ErrHeldElsewhere = errors.New("another tab of this browser has the game open and does not answer; close it and try again")

// Leave forgets a game on this device, with its earlier chapters, in all tabs of the browser: room, log, snapshot and
// drafts. What the device did stays
// with the others, and its keys stay here. A program that is killed meanwhile has either all of the game or nothing. It fails
// with [ErrHeldElsewhere].
func (h *Hub) Leave(ctx context.Context, id wire.RoomID) error {
	rooms, err := h.journal.Rooms(ctx)
	if err != nil {
		return fmt.Errorf("remove a game: %w", err)
	}
	for _, room := range chaptersOf(rooms, id) {
		if err := h.leave(ctx, room); err != nil {
			return fmt.Errorf("remove a game: %w", err)
		}
	}
	h.watch.tell()
	return nil
}

func (h *Hub) leave(ctx context.Context, id wire.RoomID) error {
	o := h.gate(id)
	o.gate.Lock() // not while it is being opened here
	defer o.gate.Unlock()
	if s, ok := h.Begun(id); ok {
		s.beLeft()
	}
	channel, err := h.config.Tabs.Open(room.Lock(id))
	if err != nil {
		return err
	}
	defer channel.Close()
	gone, err := room.Gone()
	if err != nil {
		return err
	}
	if err := channel.Post(gone); err != nil {
		return err
	}
	// Who holds this lock is the only one that writes in the room.
	waiting, cancel := context.WithTimeout(ctx, leaveTime)
	defer cancel()
	release, err := h.config.Tabs.Lock(waiting, room.Lock(id))
	if err != nil {
		if errors.Is(err, context.DeadlineExceeded) {
			return ErrHeldElsewhere
		}
		return err
	}
	defer release()
	if err := h.journal.Remove(ctx, id); err != nil {
		return err
	}
	return channel.Post(gone) // to tabs that have opened it meanwhile
}

// leaveHidden forgets the games that were only looked at through an invite.
func (h *Hub) leaveHidden(ctx context.Context) error {
	rooms, err := h.journal.Rooms(ctx)
	if err != nil {
		return err
	}
	for _, r := range rooms {
		if r.Hidden {
			err = errors.Join(err, h.Leave(ctx, r.Secret.Keys().ID))
		}
	}
	return err
}

// beLeft ends the session of a game that is being removed. Nothing is stored any more.
func (s *Session) beLeft() {
	s.left.Store(true)
	s.Close()
}

// leftElsewhere ends the session of a game that another tab removes, and tells the pages of this one: the game's at once, the
// list of games when the other is done.
func (s *Session) leftElsewhere() {
	s.beLeft()
	s.watch.tell()
	ctx, cancel := context.WithTimeout(context.Background(), leaveTime)
	defer cancel()
	if release, err := s.config.Tabs.Lock(ctx, room.Lock(s.Room())); err == nil {
		release()
	}
	s.hub.watch.tell()
}

// over says why a session that has ended does nothing.
func (s *Session) over() error {
	if s.left.Load() {
		return ErrNoGame
	}
	return ErrClosed
}
