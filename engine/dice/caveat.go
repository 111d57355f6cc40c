package dice

import (
	"fmt"
	"slices"
)

// Follows is the verdict on a transcript that passes: so much it shows, and no more.
const Follows = "These dice follow from this action and this seal. That this is the roll that counted, only the game shows."

// Ask is what to do for the rest.
const Ask = "Ask the player for the exported game, and check the proof together with it."

// Caveat is something that a transcript does not show.
type Caveat struct {
	Name string `json:"name"` // as in SPEC.md, clause 5.12
	Text string `json:"text"` // a sentence for people
}

// Remains reports whether the game does not show it either (clause 5.13).
func (c Caveat) Remains() bool { return c.Name == "league" || c.Name == "name" }

// Mode says what the transcript claims of the dice mode, which it does not bind.
func (r Report) Mode() string {
	if r.Wanted == 0 {
		return "The proof says that the roll was to have no witnesses."
	}
	return fmt.Sprintf("The proof says that the roll was to have %s, and that %d came.", witnessCount(r.Wanted), len(r.Witnesses))
}

func witnessCount(k uint64) string {
	switch k {
	case 0:
		return "no witnesses"
	case 1:
		return "1 witness"
	}
	return fmt.Sprintf("%d witnesses", k)
}

// unshown are the caveats of clause 5.12, in its order and its words.
func (v *verifier) unshown() []Caveat {
	r := v.report
	all := []Caveat{
		{"place", fmt.Sprintf("That seal %d gave the action its place. A player can have an action sealed again and again, and show the seal whose dice please best.", r.Seal)},
		{"later", fmt.Sprintf("That the action, which seal %d names, waited until seal %d. A player can say so of every later seal, and show the one whose dice please best.", v.first.Number, r.Seal)},
		{"void", "That the action counted. A player can sign two actions with one number, of which one counts, and show the dice of the other."},
		{"mode", fmt.Sprintf("That the rules wanted %s. With another number of witnesses the dice are others, and a player can show those that please best.", witnessCount(r.Wanted))},
		{"witnesses", "That those who came are the ones to ask, in this order and with the links that count, and that the others did not come."},
		{"rules", "That the rules called for dice here, for these and for no others."},
		{"league", "That player and notary, and the witnesses, did not work together. Not even the game shows that."},
		{"name", "That the player is who the name says: anybody can come under any name. Compare the key with the one on the page People."},
	}
	return slices.DeleteFunc(all, func(c Caveat) bool {
		return c.Name == "later" && v.first.Number == v.last.Number || c.Name == "witnesses" && r.Wanted == 0
	})
}
