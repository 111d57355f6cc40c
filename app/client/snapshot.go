package client

import (
	"context"
	"crypto/sha256"
	"time"
)

// This file lets a long game open without its rules being carried out from the beginning: the device
// keeps a snapshot of the confirmed state for itself, and the next start goes on from there. Whoever could
// change it on the disk could take the keys from there, too, so it is not carried out again.
//
// A snapshot is good for the program that made it and no other, and for the very order that it was made
// of. One that is not is forgotten, and nothing is lost with it: the log is what counts.

const (
	// A snapshot is made when the game has grown by as much, so that little is left to do at the next
	// start.
	snapshotLeast = 64 // actions
	snapshotPart  = 16 // one part in so many of the game
	// snapshotPause is the least time between two, and from the start to the first.
	snapshotPause = 10 * time.Second
	// snapshotFarewell is how long the end of a session may be held up for one.
	snapshotFarewell = 2 * time.Second

	// replayStep is how many actions are carried out before the clock is looked at.
	replayStep = 4
)

// keySnapshot is a key of the games' disk: + room: snapshotRecord.
const keySnapshot = "snapshot/"

// snapshotRecord is a snapshot as it is kept.
type snapshotRecord struct {
	_       struct{} `cbor:",toarray"`
	Version uint
	Program string // which has made it
	State   []byte // see [game.Game.Snapshot]
	Sum     [32]byte
}

// sumOf is the checksum that a disk's damage shows by.
func sumOf(state []byte) [32]byte { return sha256.Sum256(state) }

const snapshotVersion = 1

// snapshots is what a session knows of its snapshot.
type snapshots struct {
	placed int       // how many actions the last one holds
	made   time.Time // when that was, or when the session began: steady
}

// resume goes on from the snapshot, if there is one that fits. It is called when the log has been
// read.
func (s *Session) resume(ctx context.Context) {
	s.snapshots.made = s.config.steady()
	if s.config.Program == "" {
		return
	}
	turns := s.config.turns()
	var kept snapshotRecord
	ok, err := s.store.get(ctx, s.store.games, keySnapshot+s.keys.ID.String(), &kept)
	turns.pause()
	if err != nil || !ok || kept.Version != snapshotVersion || kept.Program != s.config.Program || kept.Sum != sumOf(kept.State) {
		return // it is written over by the next
	}
	if s.game.ResumeInTurns(kept.State, func() { turns.pause() }) == nil {
		s.snapshots.placed = len(s.game.Entries())
	}
}

// keepSnapshot makes a snapshot if the game has grown enough since the last.
func (s *Session) keepSnapshot() {
	if s.config.Program == "" || s.release == nil || s.halted != nil || s.storage != nil {
		return
	}
	c := &s.snapshots
	placed := len(s.game.Replica().Placed())
	if placed-c.placed < max(s.config.snapshotLeast, placed/snapshotPart) {
		return
	}
	c.made = s.config.steady()
	state, err := s.game.Snapshot()
	if err != nil {
		return // the order waits for something; later
	}
	c.placed = placed
	// Without it the next start takes longer, and that is all.
	_ = s.store.put(s.ctx, s.store.games, keySnapshot+s.keys.ID.String(), snapshotRecord{Version: snapshotVersion, Program: s.config.Program, State: state, Sum: sumOf(state)})
}

// snapshotOverdue makes one while the game is played.
func (s *Session) snapshotOverdue() {
	if s.config.since(s.snapshots.made) >= snapshotPause {
		s.keepSnapshot()
	}
}
