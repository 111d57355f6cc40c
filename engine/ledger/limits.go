package ledger

import "peernomic/engine/wire"

// Limits of a ledger. Each is also in SPEC.md, section 9. Sizes are bytes.
const (
	// MaxHeads is how many heads one action may name.
	MaxHeads = 16
	// MaxInline is the longest body, or beginning of a body, inside an action itself.
	MaxInline = 8 << 10
	// MaxPart is the largest part of a body.
	MaxPart = 60 << 10
	// MaxParts is how many parts one action may have.
	MaxParts = 72
	// MaxBody is the largest body after decompression.
	MaxBody = 4 << 20
	// MaxExpansion is how many times larger than its parts a body may be, and so all bodies of a
	// game together. Rulesets and the worlds of forks take 3.0 to 3.6 of it, pages of tables about 5.5.
	MaxExpansion = 8
	// MaxName is the longest name that a person may introduce themselves by.
	MaxName = 64
	// MaxTitle is the longest title of a game.
	MaxTitle = 200
	// MaxDocuments is how many documents a genesis may hold.
	MaxDocuments = 2048
	// MaxPath is the longest path of a document.
	MaxPath = 200
	// MaxOptions is how many options a genesis may hold.
	MaxOptions = 64
	// MaxClaimAhead is how far, in milliseconds, an action's claimed time may be ahead of
	// the seal that orders it: a day.
	MaxClaimAhead = 24 * 60 * 60 * 1000
	// MaxSealStep is how far, in milliseconds, a seal's time may be ahead of the seal
	// before it: ten years.
	MaxSealStep = 3660 * 24 * 60 * 60 * 1000
	// MaxSealsAhead is how far ahead of the newest linked seal a seal's number may be.
	MaxSealsAhead = 1 << 16
	// MaxWhy is the longest reason of a motion or a move.
	MaxWhy = 1000
	// MaxInvitations is how many devices one announcement of a move invites.
	MaxInvitations = 4096
	// MaxRelay is the longest address of a relay.
	MaxRelay = 200
	// MaxValues is how many values an act or a motion may hold. Each key of a map counts as one. An encoded
	// byte of these can take 64 bytes in memory.
	MaxValues = 4096
	// ActiveTime is how long, in milliseconds, a player who acted counts as active: 30 days.
	ActiveTime = 30 * 24 * 60 * 60 * 1000
	// MaxArchive is the largest archive.
	MaxArchive = 512 << 20
)

// Limits on the messages that one replica keeps for later. They depend on the order of arrival and so
// are local: a replica asks again for a message that it refused with [CodeFull].
const (
	// MaxHeldSeals is how many seals may wait for the ones before them, or for the genesis.
	MaxHeldSeals = 1 << 16
	// MaxHeldEnvelopes is how many envelopes may wait for a seal.
	MaxHeldEnvelopes = 1 << 16
	// MaxJunk is how many refused envelopes that no seal names are remembered.
	MaxJunk = 512
)

// Lengths inside an envelope.
const (
	commitment   = 32 // zero bytes that bind the ciphertext to one key
	inner        = commitment + 1 + 4
	overhead     = wire.EnvelopeHeader + 16
	smallest     = 256 // the smallest envelope; the others are its doublings
	maxEnveloped = wire.MaxEnvelope - overhead - inner
)
