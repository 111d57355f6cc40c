package view

import "context"

// Library keeps the games of this device.
type Library interface {
	// Home returns what the front page shows, without waiting: of a game that is not open no more than its title.
	Home(ctx context.Context) (*Home, error)
	// Look opens a game for what the front page says of it.
	Look(ctx context.Context, room string) error
	// Open returns a game of this device. The room may name a moment, see [RoomAt]; the
	// game then shows the past, and nothing can be done in it.
	Open(ctx context.Context, room string) (Game, error)
	// Opening tells how far Open has come with a room, nil if that takes no time. Watch tells when to
	// look again. It may be called on the UI goroutine.
	Opening(room string) *Opening
	// Leave removes a game from this device.
	Leave(ctx context.Context, room string) error
	// Import adds a game from an export and returns its room.
	Import(ctx context.Context, archive []byte) (room string, err error)
}

// Home is the front page: the games of this device.
type Home struct {
	Name     string // the name last used
	Games    []GameLine
	BackedUp bool   // the identity has been backed up
	Storage  string // warning about storage that the browser may drop, or empty
}

// GameLine is one game on the front page.
type GameLine struct {
	Room, Title, Ruleset, Accent string
	Shut                         bool   // it is not open, so that only Room and Title are known
	Needs                        int    // how many things wait for me
	Line                         string // the most urgent of them, or what happens next
	Players                      int
	Practice                     bool // on this device only
}

// Opening is how far the opening of a game has come.
type Opening struct {
	Carrying    bool // false while its log is read, true while its actions are carried out
	Done, Total int
}
