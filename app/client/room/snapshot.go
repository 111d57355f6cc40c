package room

import (
	"context"
	"time"
)

// This file lets a long game open without its rules being carried out from the beginning: the device keeps a snapshot
// of the confirmed state for itself, and the next start goes on from there. Whoever could change it on the disk could
// take the keys from there, too, so it is not carried out again.
//
// A snapshot is good for the program that made it and no other, and for the very order that it was made of. One that is
// not is written over, and nothing is lost with it: the log is what counts.

const (
	// A snapshot is made when the game has grown by as much, so that little is left to do at the next start.
	snapshotLeast = 64 // actions
	snapshotPart  = 16 // one part in so many of the game
	// snapshotPause is the least time between two, and from the start to the first.
	snapshotPause = 10 * time.Second
)

// snapshots is what a room knows of its snapshot.
type snapshots struct {
	placed int       // how many actions the last one holds
	made   time.Time // when that was, or when the room was opened: steady
}

// resume goes on from the snapshot, if there is one that fits. It is called when the log has been read.
func (r *Room) resume(ctx context.Context) {
	r.kept.made = r.config.Now().Steady
	if r.config.Program == "" {
		return
	}
	state := r.config.Journal.Snapshot(ctx, r.id, r.config.Program)
	pause := r.config.Node.Pause
	pause(0, 0)
	if state != nil && r.node.Game().ResumeInTurns(state, func() { pause(0, 0) }) == nil {
		r.kept.placed = len(r.node.Game().Entries())
	}
}

// KeepSnapshot makes a snapshot if the game has grown enough since the last.
func (r *Room) KeepSnapshot() {
	if r.config.Program == "" || r.release == nil || r.Halted() != nil {
		return
	}
	placed := len(r.node.Game().Replica().Placed())
	if placed-r.kept.placed < max(r.config.SnapshotLeast, placed/snapshotPart) {
		return
	}
	r.kept.made = r.config.Now().Steady
	state, err := r.node.Game().Snapshot()
	if err != nil {
		return // the order waits for something; later
	}
	r.kept.placed = placed
	// Without it the next start takes longer, and that is all.
	_ = r.config.Journal.PutSnapshot(r.ctx, r.id, r.config.Program, state)
}

// SnapshotOf returns how many actions the newest snapshot holds: the one gone on from, or one made since.
func (r *Room) SnapshotOf() int { return r.kept.placed }
