package signal

import (
	"time"

	"golang.org/x/time/rate"

	"peernomic/engine/wire"
	"peernomic/signal/notary"
	"peernomic/signal/store"
)

// Limits that are the same for every relay.
const (
	// MaxHello is the longest frame, in bytes, from a client that has not proved
	// the key of a room.
	MaxHello = 1 << 10
	// MaxRoomBytes is the highest quota of a room: with it, the notary's entropy
	// chain outlasts the room even if every envelope has a seal of its own.
	MaxRoomBytes = notary.Length * store.Overhead
	// chunk is about how many bytes are put in one message to a client.
	chunk = 256 << 10
	// maxRecent is how many bytes of the newest seals a room keeps in memory.
	maxRecent = 1 << 20
	// maxWaiting is how many bytes of answers, signals and the like wait for a
	// client before it counts as slow, or as too busy for a signal.
	maxWaiting = 256 << 10
	// maxPending is how many messages with envelopes of one client wait for the
	// disk; the next is read when one of them is stored.
	maxPending = 4
	// maxIncoming is how many bytes of long messages the relay holds at once, of all clients,
	// from the first byte until they are stored or refused. Further ones wait.
	maxIncoming = 48 << 20
	// shortMessage is the length, in bytes, up to which a message does not wait for that.
	shortMessage = 16 << 10
	// maxOutgoing is how many bytes of rooms' logs are on their way to clients at once. Further
	// clients wait. Meanwhile slow ones are ended sooner, see hurriedWrite.
	maxOutgoing = 64 << 20
	// hurriedWrite is how long the writing of a piece of a log may take while other clients wait
	// for memory. Then its connection is ended as slow; at twice that it is cut.
	hurriedWrite = 2 * time.Second
	// ownWaiting is how many of the bytes of maxWaiting each client has for itself. The rest
	// comes out of maxAnswers, which all clients share. A client that needs more when
	// nothing of it is left is slow.
	ownWaiting = 16 << 10
	maxAnswers = 32 << 20
	// maxRecentTotal is how many bytes of newest seals all rooms together keep in memory. Beyond
	// it they are read from the disk.
	maxRecentTotal = 64 << 20
	// MemoryLimit is what a program that serves a relay should tell the garbage collector,
	// see [runtime/debug.SetMemoryLimit].
	MemoryLimit = 384 << 20
	// sweepEvery is how often rooms that are not used any more are looked for, and
	// the precision with which their use is noted.
	sweepEvery = time.Hour
	// fillBurst is how many bytes one address may add to a room at once, counted with [store.Overhead] for each
	// envelope: a game of 10,000 actions and more. The default of Limits.FillBurst.
	fillBurst = 16 << 20
	// fillRate is how many bytes a second follow: an action of 512 bytes. So one address needs
	// more than a day to fill a room. The default of Limits.FillRate.
	fillRate = 1 << 10
	// roomFillBurst is fillBurst for all addresses together. The default of Limits.RoomFillBurst.
	roomFillBurst = 32 << 20
	// roomFillRate is fillRate for all addresses together. However many there are, to fill a room
	// takes hours. The default of Limits.RoomFillRate.
	roomFillRate = 8 << 10
	// minFill is the least that may be added at once: a whole message.
	minFill = wire.MaxFrame + wire.MaxBatch*store.Overhead
	// maxFillers is how many addresses have an allowance of their own in one room. All others share one.
	maxFillers = 1024
	// maxVisitors is how many addresses are remembered for their limits.
	maxVisitors = 100_000
)

// Limits are what one relay grants. A field that is zero means its default. The
// defaults are for a small machine with a few hundred games.
type Limits struct {
	// Connections is how many connections the relay holds. It should stay below
	// the number of files that the process may open.
	Connections int // default 5,000
	// ConnectionsPerAddress is how many of them may come from one address. An
	// IPv6 address counts by its /64.
	ConnectionsPerAddress int // default 64
	// Attempts per second to connect from one address, and how many at once.
	AttemptRate  rate.Limit // default 2
	AttemptBurst int        // default 60

	// Rooms is how many rooms the relay keeps.
	Rooms int // default 10,000
	// RoomsPerDay is how many of them one address may open in a day.
	RoomsPerDay int // default 50
	// KeepRooms is how long a room is kept after the last connection to it. Zero
	// means for ever. The notary goes with its room: a game that comes back after
	// that must move to a new room.
	KeepRooms time.Duration // default 0
	// KeepEmptyRooms is the same for rooms in which nothing was ever stored.
	KeepEmptyRooms time.Duration // default 24 h
	// RoomConnections is how many connections one room holds. If a room is full, a client from
	// an address with fewer takes the place of the newest from the address with the most.
	RoomConnections int // default 64
	// RoomBytes is how many bytes of envelopes one room keeps, each counted with
	// [store.Overhead]. At most [MaxRoomBytes].
	RoomBytes uint64 // default 128 MiB

	// Envelopes per second from one connection, and how many at once; and the same
	// for all connections of a room together. Faster ones wait, and their connection
	// with them, up to StallTimeout. The relay refuses those that would wait longer.
	EnvelopeRate      rate.Limit    // default 50
	EnvelopeBurst     int           // default 512
	RoomEnvelopeRate  rate.Limit    // default 200
	RoomEnvelopeBurst int           // default 2,048
	StallTimeout      time.Duration // default 6 s

	// Bytes per second, counted as in RoomBytes, that one address may add to a room, and how many at once; and the
	// same for all addresses together.
	FillRate      rate.Limit // default 1 KiB/s
	FillBurst     int        // default 16 MiB
	RoomFillRate  rate.Limit // default 8 KiB/s
	RoomFillBurst int        // default 32 MiB

	// MessageRate is how many messages of any kind are read per second from one
	// connection, and MessageBurst how many at once. Faster ones wait.
	MessageRate  rate.Limit // default 100
	MessageBurst int        // default 1,000
	// SignalRate is how many signals per second one connection may send.
	SignalRate  rate.Limit // default 20
	SignalBurst int        // default 200
	// WantRate is how often per second one connection may ask for the log.
	WantRate  rate.Limit // default 0.1
	WantBurst int        // default 10

	// SealEvery is the least time between two commits of one room.
	SealEvery time.Duration // default 20 ms
	// HelloTimeout is how long the relay waits for an answer to its challenge.
	HelloTimeout time.Duration // default 5 s
	// SlowWrite is how long one frame (about 256 KiB) may take to be written before
	// its connection is ended as slow. At twice that it is cut in the middle.
	SlowWrite time.Duration // default 20 s
	// PingEvery is how often the relay pings, and SilentAfter how long nothing at
	// all may come from a client before it counts as gone.
	PingEvery   time.Duration // default 30 s
	SilentAfter time.Duration // default 75 s
}

// or returns v, or the default if v is zero.
func or[T comparable](v, otherwise T) T {
	var zero T
	if v == zero {
		return otherwise
	}
	return v
}

// withDefaults fills in what is zero.
func (l Limits) withDefaults() Limits {
	return Limits{
		Connections:           or(l.Connections, 5000),
		ConnectionsPerAddress: or(l.ConnectionsPerAddress, 64),
		AttemptRate:           or(l.AttemptRate, 2),
		AttemptBurst:          or(l.AttemptBurst, 60),
		Rooms:                 or(l.Rooms, 10_000),
		RoomsPerDay:           or(l.RoomsPerDay, 50),
		KeepRooms:             l.KeepRooms,
		KeepEmptyRooms:        or(l.KeepEmptyRooms, 24*time.Hour),
		RoomConnections:       or(l.RoomConnections, 64),
		RoomBytes:             min(or(l.RoomBytes, 128<<20), MaxRoomBytes),
		EnvelopeRate:          or(l.EnvelopeRate, 50),
		EnvelopeBurst:         max(or(l.EnvelopeBurst, 512), wire.MaxBatch),
		RoomEnvelopeRate:      or(l.RoomEnvelopeRate, 200),
		RoomEnvelopeBurst:     max(or(l.RoomEnvelopeBurst, 2048), wire.MaxBatch),
		StallTimeout:          or(l.StallTimeout, 6*time.Second),
		FillRate:              or(l.FillRate, fillRate),
		FillBurst:             max(or(l.FillBurst, fillBurst), minFill),
		RoomFillRate:          or(l.RoomFillRate, roomFillRate),
		RoomFillBurst:         max(or(l.RoomFillBurst, roomFillBurst), minFill),
		MessageRate:           or(l.MessageRate, 100),
		MessageBurst:          or(l.MessageBurst, 1000),
		SignalRate:            or(l.SignalRate, 20),
		SignalBurst:           or(l.SignalBurst, 200),
		WantRate:              or(l.WantRate, 0.1),
		WantBurst:             or(l.WantBurst, 10),
		SealEvery:             or(l.SealEvery, 20*time.Millisecond),
		HelloTimeout:          or(l.HelloTimeout, 5*time.Second),
		SlowWrite:             or(l.SlowWrite, 20*time.Second),
		PingEvery:             or(l.PingEvery, 30*time.Second),
		SilentAfter:           or(l.SilentAfter, 75*time.Second),
	}
}
