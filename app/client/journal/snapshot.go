package journal

import (
	"context"
	"crypto/sha256"

	"peernomic/engine/wire"
)

const snapshotVersion = 1

// Snapshot is a snapshot of a game as it is kept.
type Snapshot struct {
	_       struct{} `cbor:",toarray"`
	Version uint
	Program string // which has made it
	State   []byte // see [peernomic/engine/game.Game.Snapshot]
	Sum     [32]byte
}

// Snapshot returns the state that a program has kept of a room; nil if it has kept none, or the disk has damaged it.
// It is written over by the next.
func (j Journal) Snapshot(ctx context.Context, id wire.RoomID, program string) []byte {
	var kept Snapshot
	ok, err := Get(ctx, j.Games, keySnapshot+id.String(), &kept)
	if err != nil || !ok || kept.Version != snapshotVersion || kept.Program != program || kept.Sum != sha256.Sum256(kept.State) {
		return nil
	}
	return kept.State
}

// PutSnapshot keeps a state that a program has made.
func (j Journal) PutSnapshot(ctx context.Context, id wire.RoomID, program string, state []byte) error {
	return Put(ctx, j.Games, keySnapshot+id.String(), Snapshot{Version: snapshotVersion, Program: program, State: state, Sum: sha256.Sum256(state)})
}
