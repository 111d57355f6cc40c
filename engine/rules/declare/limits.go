package declare

// Limits of what rules declare.
const (
	// MaxEntities is how many players that are no persons the rules may declare.
	MaxEntities = 100
	// MaxChoices is how many choices a parameter may offer.
	MaxChoices = 2000
	// MaxName is the longest name of a player, in characters.
	MaxName = 40
)
