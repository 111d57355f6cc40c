package secret

// Limits of secrets, the same on every machine.
const (
	// MaxCopies is how many devices a secret can be sealed for.
	MaxCopies = 64
	// MaxValue is the longest encoded value with its salt, in bytes.
	MaxValue = 4 << 10
	// MaxCopy is the longest sealed copy, in bytes.
	MaxCopy = MaxValue + PadTo + 48
	// PadTo is the unit of padding, in bytes: the length of every copy is a multiple of it, plus the 48
	// bytes that sealing adds.
	PadTo = 128
)
