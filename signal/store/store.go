// Package store keeps a relay's rooms: for each room its notary's secrets, its seals,
// and the envelopes that they order. There is one store in
// memory, for tests and throw-away relays, and one on disk, in Badger. Both pass
// the suite in package storetest.
package store

import (
	"errors"

	"peernomic/engine/wire"
	"peernomic/signal/notary"
)

// Errors of stores.
var (
	ErrNoRoom     = errors.New("no such room")
	ErrRoomExists = errors.New("room exists")
	// ErrOtherGame reports that a room holds another game.
	ErrOtherGame = errors.New("room holds another game")
	// ErrHead reports an append that does not continue the room's chain.
	ErrHead   = errors.New("room has another head")
	ErrClosed = errors.New("store is closed")
)

// Store keeps rooms. What a method stores is durable when it returns, as far as the
// store can. Methods are safe for concurrent use. They keep no byte slice of the
// caller's, and do not change one that they returned.
type Store interface {
	// Rooms returns the number of rooms.
	Rooms() (int, error)
	// Room returns a room's secrets and where its chain ends, or ErrNoRoom.
	Room(id wire.RoomID) (Room, error)
	// Create adds a room without seals, or fails with ErrRoomExists.
	Create(id wire.RoomID, secrets notary.Secrets, marks []wire.Link, opened int64) error
	// Found sets the game of a room for ever. It fails with ErrOtherGame if the room
	// has another one, and does nothing if it has this one.
	Found(id wire.RoomID, game wire.GameID) error
	// Marks returns the marks of the room's notary, see [notary.Grow].
	Marks(id wire.RoomID) ([]wire.Link, error)
	// Has reports for each hash whether the room holds that envelope.
	Has(id wire.RoomID, hashes []wire.EnvelopeHash) ([]bool, error)
	// Append adds seals and their envelopes to rooms: all of it or, on an error,
	// none. It fails with ErrHead if one of the rooms has another head than the
	// append says, and so never stores two seals with one number.
	Append(appends []Append) error
	// Read calls f with the seals of a room, oldest first, from number on,
	// each with its envelopes in its order, until f returns false.
	Read(id wire.RoomID, number uint64, f func(seal []byte, envelopes [][]byte) bool) error
	// Use notes that a room is in use, at a time in Unix ms.
	Use(id wire.RoomID, now int64) error
	// Unused returns the rooms that have not been used since the time used, and
	// those without any envelope not used since the time empty.
	Unused(used, empty int64) ([]wire.RoomID, error)
	// Remove removes a room. It fails with ErrNoRoom. After another error the room is
	// gone all the same; the store removes the rest of it when the room is created
	// again or the store is opened.
	Remove(id wire.RoomID) error
	// Close makes the store unusable.
	Close() error
}

// Room is what a store knows about a room, except for its log.
type Room struct {
	Secrets notary.Secrets
	Game    wire.GameID // zero until Store.Found
	Opened  int64       // Unix ms
	Used    int64       // Unix ms, see Store.Use; when it was opened, at first
	State
}

// unused reports whether Store.Unused names the room.
func (r Room) unused(used, empty int64) bool {
	return r.Used < used || r.Envelopes == 0 && r.Used < empty
}

// State is what appends change of a room.
type State struct {
	_         struct{} `cbor:",toarray"`
	Head      notary.Head
	Envelopes uint64 // how many it holds
	Bytes     uint64 // how many bytes these have, with [Overhead] each
}

// Overhead is what an envelope counts in State.Bytes besides its length: about
// what its keys, its place in a seal and the seal take.
const Overhead = 512

// Append is the addition of seals to one room.
type Append struct {
	Room wire.RoomID
	Base State // as it must be now
	Next State // as it will be
	// Seals are consecutive; the first follows Base.Head, the last is Next.Head.
	Seals []wire.SignedSeal
	// Envelopes are those that the seals order and the room does not hold yet, in the
	// order of the seals.
	Envelopes []Envelope
}

// Envelope is an envelope and its name.
type Envelope struct {
	Hash  wire.EnvelopeHash
	Bytes []byte
}
