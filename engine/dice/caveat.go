package dice

import "fmt"

// Sentences about what a proof of a roll shows and what it cannot show (SPEC.md, clauses 5.11 and 5.12).
const (
	// Follows is the verdict on a proof that passes.
	Follows = "These dice follow from this action and this seal. Only the whole game shows that they counted: that this seal gave the " +
		"action its place, that the action is not void, and that the rules called for these dice and these witnesses."
	// NeverShown says what even the whole game cannot show.
	NeverShown = "Nothing shows that player, notary and witnesses did not work together, or that the player is the person whom the name suggests."
	// Ask tells the reader how to check the rest.
	Ask = "Ask the player for the exported game, and check the proof together with it."
)

// Mode returns a sentence with the dice mode that the proof claims. The proof does not bind the mode.
func (r Report) Mode() string {
	switch r.Wanted {
	case 0:
		return "The proof says that the roll was to have no witnesses."
	case 1:
		return fmt.Sprintf("The proof says that the roll was to have 1 witness, and that %d came.", len(r.Witnesses))
	}
	return fmt.Sprintf("The proof says that the roll was to have %d witnesses, and that %d came.", r.Wanted, len(r.Witnesses))
}
