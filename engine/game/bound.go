package game

import (
	"peernomic/engine/ledger"
)

// Bound explains in sentences which commitments bound the notary and the devices.
func Bound(r *ledger.Replica) string {
	text := "The notary, whose seals give the order, the times and one half of each seed, was bound by the anchor in the genesis, and each device by the one in its first action."
	if genesis, _ := r.Genesis(); genesis.Dice == ledger.DicePractice {
		text = "The notary is the founder's own device: this is practice, which nobody else witnessed."
	}
	return text
}
