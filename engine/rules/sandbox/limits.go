package sandbox

// The budgets. Every number that bounds a script is in this file.
var (
	// ActBudget is for one action with everything that it sets off.
	ActBudget = Budget{Steps: 2_000_000, Memory: 32 << 20}
	// LookBudget is for one question: a guard, a list of choices, an assessment.
	LookBudget = Budget{Steps: 1_000_000, Memory: 16 << 20}
	// LoadBudget is for loading all rules of a game.
	LoadBudget = Budget{Steps: 5_000_000, Memory: 64 << 20}
)
