package wire

// Limits of everything that crosses a network. Each is also in
// engine/ledger/SPEC.md.
const (
	// MaxEnvelope is the largest envelope, header and tag included, in bytes.
	MaxEnvelope = 64 << 10
	// MaxFrame is the largest message between a device and the relay, in bytes.
	MaxFrame = 1 << 20
	// MaxSealEnvelopes is how many envelopes one seal may order.
	MaxSealEnvelopes = 1024
	// MaxTime is the last time that can be claimed or sealed: the end of the year 9999,
	// Unix milliseconds.
	MaxTime = 253402300799999
	// MaxBatch is how many seals or envelopes one message may carry.
	MaxBatch = 256
	// MaxSignal is the largest signalling payload, in bytes.
	MaxSignal = 16 << 10
	// MaxNesting is how deep CBOR values may nest.
	MaxNesting = 32
	// MaxElements is how many elements a CBOR array or map may have.
	MaxElements = 65536
)
