package client

import (
	"errors"

	"peernomic/app/client/room"
	"peernomic/app/client/sync"
)

// Why an action cannot be taken now.
var (
	ErrBehind        = sync.ErrBehind
	ErrDiverged      = sync.ErrDiverged
	ErrNotHere       = sync.ErrNotHere
	ErrNotIntroduced = sync.ErrNotIntroduced
	ErrNoWriter      = room.ErrNoWriter
	// ErrOffline reports that the relay cannot be reached now.
	ErrOffline = errors.New("the relay cannot be reached")
)
