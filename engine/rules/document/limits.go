package document

// Limits of rule documents.
const (
	// MaxDocument is the longest rule document, in bytes.
	MaxDocument = 64 << 10
	// MaxTitle is the longest title of a rule, in bytes.
	MaxTitle = 120
	// MaxRules is how many rules a ruleset may have.
	MaxRules = 1000
)
