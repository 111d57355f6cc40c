package rules

// Limits of rulesets and of what their rules may do, besides those of packages
// sandbox and state. They are the same everywhere, so that reaching one is the
// same refusal on every replica.
const (
	// MaxHooks is how deep events may set off events.
	MaxHooks = 16
	// MaxTimers is how many timers one move of the clock, from seal to seal, may run. The rest
	// run at the next.
	MaxTimers = 200
	// MaxTimerSteps is how many steps they may take together before the rest wait for the next.
	MaxTimerSteps = 5_000_000
	// MaxPending is how many timers may be set at one time.
	MaxPending = 10_000
	// MaxDice is how many dice one action may roll.
	MaxDice = 10_000
	// MaxWitnesses is how many witnesses a roll may wait for.
	MaxWitnesses = 8
	// MaxReason is the longest reason of a refusal, in bytes. What is longer is cut.
	MaxReason = 1000
	// MaxRefused is the longest log entry of what was refused, in bytes, that keeps the arguments: anybody with the invite can
	// have actions refused.
	MaxRefused = 2 << 10
	// MaxRefusedValues is how many values such an entry may hold.
	MaxRefusedValues = 64
	// MaxNotes is how many lines one action may add to its log entry.
	MaxNotes = 200
	// MaxChanges is how many changes one action may make, with everything that it sets off.
	MaxChanges = 10_000
	// MaxAmendments is how many amendments one proposal may carry.
	MaxAmendments = 100
	// MaxIcons is how many icons one comment may carry.
	MaxIcons = 50
	// MaxDecisions is how many choices may wait for people at one time.
	MaxDecisions = 1000
	// MaxDecisionsEach is how many of them may wait for one person.
	MaxDecisionsEach = 20
	// MaxOptions is how many options one of them may have.
	MaxOptions = 50
	// MaxQuestion is the longest question that is put with it, in bytes.
	MaxQuestion = 300
	// MaxOptionText is the longest option, and the longest label of one, in bytes.
	MaxOptionText = 200
	// MaxParts is how many parts a card or a board may have, each counted as often as it is shown.
	MaxParts = 600
	// MaxPartDepth is how deep parts may stand in each other.
	MaxPartDepth = 8
	// MaxPageText is how much text a board may have, in bytes.
	MaxPageText = 100_000
	// MaxLabel is the longest title, subtitle or value of a stat on a card, in bytes.
	MaxLabel = 200
	// MaxGlyph is the longest glyph on a card, in bytes.
	MaxGlyph = 16
	// MaxStats is how many stats, and how many meters, one card may have.
	MaxStats = 60
	// MaxNumbered is how many characters more a player's name has at most for the number behind it, if another has the name already.
	MaxNumbered = 8
)
