package sandbox

// The budgets and limits of scripts. Every number that bounds one is in this file.
const (
	// MaxSource is the longest script, in bytes.
	MaxSource = 64 << 10
	// MaxTreeDepth is how deep the syntax tree may nest. It is far below what the stack of
	// a browser's tab holds.
	MaxTreeDepth = 200
	// MaxIdentifier is the longest name in a script, in bytes. A function's name is part
	// of its text.
	MaxIdentifier = 100
	// MaxParams is how many parameters a function may have. Each argument given by name
	// is looked for among them.
	MaxParams = 64
	// MaxCalls is how deep functions may call each other, over all evaluations that go on
	// inside each other.
	MaxCalls = 200
	// MaxEvaluations is how many evaluations may go on inside each other.
	MaxEvaluations = 32
	// MaxIntBits is how wide a whole number may be while it is computed with. What is
	// stored has 64 bits.
	MaxIntBits = 256
	// MaxPlaces is how many digits a number may have behind the point while it is computed
	// with.
	MaxPlaces = 18
	// MaxLiteral is the longest number with a point in a script, in bytes.
	MaxLiteral = 40
	// MaxString is the longest text that a script may make, in bytes.
	MaxString = 1 << 20
	// MaxWeight is how heavy a value may be that is compared, hashed or gone through as a
	// whole: see [Weigh].
	MaxWeight = 4 << 20
	// MaxHostText is the longest text that a value of the host may be written as, in bytes:
	// the host has to keep to it.
	MaxHostText = 256
	// MaxRange is how many numbers a range may have, and how often a value may be repeated.
	MaxRange = 1_000_000
	// MaxValueDepth is how deep a value that is compared, written or kept may nest.
	MaxValueDepth = 32
	// MaxKept is how many values the globals of one script may hold together.
	MaxKept = 200_000
	// MaxMessage is the longest message of a failure, in bytes. What is longer is cut.
	MaxMessage = 2000
	// MaxBacktrace is the longest backtrace of a failure, in bytes.
	MaxBacktrace = 8000
)

// Sizes that values are charged with, in bytes.
const (
	costCell = 32  // an element of a list or tuple
	costList = 64  // a list or tuple
	costDict = 640 // a dict or set
	costItem = 112 // an element of a dict or set
	costHost = 256 // what the host may keep of a call or of a change
)

// Work that one step pays for.
const (
	stepText  = 64 // bytes of text that are searched or copied
	stepNodes = 32 // parts of a function's body that its frame has to make room for
	stepWeigh = 16 // weight that is gone through
	stepsHost = 5  // steps for a call of a function of the host
	// Whoever knows how values are hashed can make the elements of a dict collide, so an
	// access is charged as if it went through all of them: stepPlain elements for a step
	// if the key is a text or a number of 32 bits, stepAny otherwise.
	stepPlain = 32
	stepAny   = 1
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
