package client

import (
	"context"
	"crypto/sha256"
	"time"

	"peernomic/app/client/disk"
	"peernomic/engine/game"
)

// This file lets a long game open without its rules being carried out from the beginning: the device
// keeps a snapshot of the confirmed state for itself, and the next start goes on from there. What the
// snapshot says is then carried out again beside the page, in short turns, and compared; that is done once
// for each snapshot, and remembered. Until then this device tells nobody what state it sees.
//
// A snapshot is good for the program that made it and no other, and for the very order that it was made
// of. One that is not is forgotten, and nothing is lost with it: the log is what counts.

const (
	// A snapshot is made when the game has grown by as much, so that little is left to do at the next
	// start, and little is checked again.
	snapshotLeast = 64 // actions
	snapshotPart  = 16 // one part in so many of the game
	// snapshotPause is the least time between two, and from the start to the first.
	snapshotPause = 10 * time.Second
	// snapshotFarewell is how long the end of a session may be held up for one.
	snapshotFarewell = 2 * time.Second

	// A turn of the check, and how long the rest of the program has then.
	replayTurn = 8 * time.Millisecond
	replayRest = 12 * time.Millisecond
	// replayStep is how many actions are carried out before the clock is looked at.
	replayStep = 4
	// replayShown is in how many steps the progress is shown.
	replayShown = 20
)

// Keys of the games' disk.
const (
	keySnapshot = "snapshot/" // + room: snapshotRecord
	keyReplayed = "replayed/" // + room: hash of the snapshot that has been checked
)

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
	placed  int       // how many actions the last one holds
	made    time.Time // when that was, or when the session began: steady
	hash    [32]byte  // of the one that the session began with
	replay  *game.Replay
	running bool
	wrong   bool // the one that the session began with
}

// resume goes on from the snapshot, if there is one that fits. It is called when the log has been
// read.
func (s *Session) resume(ctx context.Context) {
	s.snapshots.made = s.config.steady()
	g, ok := s.machine.(*game.Game)
	if !ok || s.config.Program == "" {
		return
	}
	turns := s.config.turns()
	var kept snapshotRecord
	ok, err := s.store.get(ctx, s.store.games, keySnapshot+s.keys.ID.String(), &kept)
	turns.pause()
	if err != nil || !ok || kept.Version != snapshotVersion || kept.Program != s.config.Program || kept.Sum != sumOf(kept.State) {
		return // it is written over by the next
	}
	if g.ResumeInTurns(kept.State, func() { turns.pause() }) != nil {
		return
	}
	s.snapshots.placed, s.snapshots.hash = len(g.Entries()), kept.Sum
	var replayed [32]byte
	if ok, err := s.store.get(ctx, s.store.games, keyReplayed+s.keys.ID.String(), &replayed); err != nil || !ok || replayed != s.snapshots.hash {
		s.snapshots.replay = g.Replay()
	}
}

// replay begins to check the snapshot, when the signatures are judged.
func (s *Session) replay() {
	if c := &s.snapshots; c.replay != nil && !c.running && s.checks.over == nil {
		c.running = true
		s.replayLater(c.replay)
	}
}

func (s *Session) replayLater(r *game.Replay) {
	s.config.later(replayRest, func() { s.post(func() { s.replaySome(r) }) })
}

// replaySome is a turn of the check.
func (s *Session) replaySome(r *game.Replay) {
	if r != s.snapshots.replay {
		return // the game was made anew
	}
	over := false
	for start := s.config.steady(); !over && s.config.since(start) < replayTurn; {
		over = r.Step(replayStep)
	}
	switch g, _ := s.machine.(*game.Game); {
	case g.Replay() != r: // another notary went on from before, and all was carried out again
		s.snapshots.replay, s.snapshots.running, s.changed = nil, false, true
		return
	case over:
		s.replayed(r.Settle())
		return
	}
	s.replayLater(r)
}

// replayed ends the check.
func (s *Session) replayed(right bool) {
	s.snapshots.replay, s.snapshots.running, s.changed = nil, false, true
	switch {
	case !right:
		s.snapshots.wrong, s.snapshots.placed, s.digests = true, 0, digestLog{}
		s.forgetSnapshot()
	case s.release != nil:
		// If it is not remembered, it is checked again at the next start.
		_ = s.store.put(s.ctx, s.store.games, keyReplayed+s.keys.ID.String(), s.snapshots.hash)
	}
}

// forgetSnapshot removes a snapshot that is wrong. If that fails, it is found wrong again.
func (s *Session) forgetSnapshot() {
	if s.release != nil {
		_ = s.store.games.Write(s.ctx, disk.Delete(keySnapshot+s.keys.ID.String()), disk.Delete(keyReplayed+s.keys.ID.String()))
	}
}

// isReplayed reports whether the state is all of this program's own making.
func (s *Session) isReplayed() bool { return s.snapshots.replay == nil }

// keepSnapshot makes a snapshot if the game has grown enough since the last.
func (s *Session) keepSnapshot() {
	g, ok := s.machine.(*game.Game)
	if !ok || s.config.Program == "" || s.release == nil || s.checks.over != nil || !s.isReplayed() || s.halted != nil || s.storage != nil {
		return
	}
	c := &s.snapshots
	placed := len(s.machine.Replica().Placed())
	if placed-c.placed < max(s.config.snapshotLeast, placed/snapshotPart) {
		return
	}
	c.made = s.config.steady()
	state, err := g.Snapshot()
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

// replaying says how far the check of the snapshot has come, in coarse steps; nil if there is none.
func (s *Session) replaying() *Checking {
	if s.isReplayed() {
		return nil
	}
	done, total := s.snapshots.replay.Progress()
	return &Checking{Done: done - done%max(1, total/replayShown), Total: total}
}
