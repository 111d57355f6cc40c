package state

// Limits of what a game may hold, the same on every machine. Reaching one refuses
// the action that would pass it.
const (
	// MaxDepth is how deep lists and maps in a cell may nest.
	MaxDepth = 16
	// MaxPlaces is how many digits a number may have behind the point.
	MaxPlaces = 9
	// MaxDigits is the longest number with a point that is read, in bytes without its sign.
	MaxDigits = 40
	// MaxText is the longest text in one cell, in bytes.
	MaxText = 256 << 10
	// MaxCell is the largest encoded cell, in bytes.
	MaxCell = 1 << 20
	// MaxRows is how many rows a table may hold, and how many elements a list in a cell: one fewer than a
	// list may have when it is encoded, as packed lists have one more.
	MaxRows = 65_535
)
