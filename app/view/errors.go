package view

import "errors"

// ErrNone reports that an address names something that the game does not have.
var ErrNone = errors.New("this game has no such thing; it may be newer than what this device has read")

// NoSuch is an [ErrNone] that says what there is none of.
type NoSuch struct{ What, ID string }

// Error implements error.
func (e NoSuch) Error() string { return "this game has no " + e.What + " “" + Isolated(e.ID) + "”" }

// Is makes a NoSuch match [ErrNone].
func (e NoSuch) Is(target error) bool { return target == ErrNone }

// ErrNoRelay reports that no room can be opened now.
var ErrNoRelay = errors.New("the relay, where a game with others begins, is not reached. Try again when you are online")
