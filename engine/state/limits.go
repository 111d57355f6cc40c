package state

// Limits of a game's state, the same on every machine. An action that would pass one is
// refused.
const (
	// MaxDepth is how deep lists and maps in a cell may nest.
	MaxDepth = 16
	// MaxPlaces is how many digits a number may have behind the point.
	MaxPlaces = 9
	// MaxDigits is the longest text of a number with a point, in bytes without its sign.
	MaxDigits = 40
	// MaxText is the longest text in one cell, in bytes.
	MaxText = 256 << 10
	// MaxCell is the largest encoded cell, in bytes.
	MaxCell = 1 << 20
	// MaxRows is how many rows a table may hold, and how many elements a list in a cell may have. An encoded
	// list may have one element more, because packed lists do.
	MaxRows = 65_535
)
