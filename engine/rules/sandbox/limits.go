package sandbox

// The budgets and limits of scripts. Every number that bounds one is in this file and in
// docs/limits.md.
const (
	// MaxSource is the longest script, in bytes.
	MaxSource = 64 << 10
	// MaxTreeDepth is how deep the syntax tree may nest. It is far below what the stack of
	// a browser's tab holds.
	MaxTreeDepth = 200
	// MaxIntBits is how wide a whole number may be while it is computed with. What is
	// stored has 64 bits.
	MaxIntBits = 256
	// MaxString is the longest text that a script may make, in bytes.
	MaxString = 1 << 20
	// MaxRange is how many numbers a range may have.
	MaxRange = 1_000_000
	// MaxValueDepth is how deep a value that is compared, written or kept may nest.
	MaxValueDepth = 32
)

// Sizes that values are charged with, in bytes.
const (
	costCell = 32  // an element of a list or tuple
	costList = 64  // a list or tuple
	costDict = 640 // a dict or set
	costItem = 112 // an element of a dict or set
)

var (
	// ActBudget is for one action with everything that it sets off.
	ActBudget = Budget{Steps: 1_000_000, Memory: 32 << 20}
	// LookBudget is for one question: a guard, a list of choices, an assessment.
	LookBudget = Budget{Steps: 1_000_000, Memory: 32 << 20}
	// PageBudget is for all questions that a page asks at once: which actions are open, with
	// which choices.
	PageBudget = Budget{Steps: 10_000_000, Memory: 256 << 20}
	// LoadBudget is for loading all rules of a game.
	LoadBudget = Budget{Steps: 2_000_000, Memory: 64 << 20}
)
