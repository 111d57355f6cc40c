package ledger

import "peernomic/engine/wire"

// ForkProof shows that a device signed two different actions with one number. [ForkProof.Check]
// judges it.
type ForkProof struct {
	_      struct{} `cbor:",toarray"`
	Device DeviceKey
	Seq    uint64
	// First is the action that counts, if one has a place; Second is the other. Both are signed.
	First  []byte
	Second []byte
}

// Check judges a proof: both actions are validly signed by the device, in one game, with one
// number, and differ. The error is a [*Refusal].
func (f ForkProof) Check() error {
	var two [2]Verified
	for i, b := range [2][]byte{f.First, f.Second} {
		p, err := Parse(b)
		if err != nil {
			return err
		}
		if two[i], err = p.Verify(); err != nil {
			return err
		}
		if a := two[i].action; a.Device != f.Device || a.Seq != f.Seq {
			return refuse(CodeFork, "an action of the proof is of another device or number")
		}
	}
	a, b := two[0], two[1]
	if a.id == b.id {
		return refuse(CodeFork, "both actions of the proof are the same")
	}
	if gameOf(a) != gameOf(b) {
		return refuse(CodeFork, "the actions of the proof are of different games")
	}
	return nil
}

// gameOf returns the game that an action belongs to.
func gameOf(v Verified) GameID {
	if v.action.Kind == KindGenesis {
		return GameID(v.id)
	}
	return v.action.Game
}

// NotaryProof shows that a notary signed two different seals with one number.
// [NotaryProof.Check] judges it.
type NotaryProof struct {
	_      struct{} `cbor:",toarray"`
	Notary wire.NotaryKey
	Number uint64
	First  []byte // the seal in this replica's chain, if it has one with the number
	Second []byte
}

// Check judges a proof: both seals are validly signed by the notary, for one room, with one
// number, and differ. The error is a [*Refusal].
func (n NotaryProof) Check() error {
	var two [2]wire.SignedSeal
	for i, b := range [2][]byte{n.First, n.Second} {
		s, err := openSeal(b)
		if err != nil {
			return err
		}
		if s.Notary != n.Notary || s.Number != n.Number {
			return refuse(CodeNotaryFork, "a seal of the proof is of another notary or number")
		}
		two[i] = s
	}
	if two[0].Room != two[1].Room {
		return refuse(CodeNotaryFork, "the seals of the proof are of different rooms")
	}
	if two[0].Hash == two[1].Hash {
		return refuse(CodeNotaryFork, "both seals of the proof are the same")
	}
	return nil
}
