package ledger

import (
	"errors"
	"slices"

	"peernomic/engine/wire"
)

// sealChain is the chain of one notary, grown from one anchor, and of those who went on with it.
// Seals may be added in any order; they are linked as soon as they follow.
type sealChain struct {
	notary wire.NotaryKey    // of the newest seals
	from   uint64            // the number of its first seal
	anchor wire.Link         // the first notary's
	linked []wire.SignedSeal // seal n is linked[n-1]
	held   map[uint64][]wire.SignedSeal
	count  int // seals in held
	forks  []NotaryProof
	scan   position // how far firstGenesis has looked
}

// maxNotaryForks is how many proofs against one notary a replica keeps: the first in its order say where that parted.
const maxNotaryForks = 16

func newSealChain(notary wire.NotaryKey, anchor wire.Link) *sealChain {
	return &sealChain{notary: notary, from: 1, anchor: anchor, held: map[uint64][]wire.SignedSeal{}, scan: at(1, 0)}
}

// openSeal reads a seal and judges its form and signature. The error is a [*Refusal].
func openSeal(b []byte) (wire.SignedSeal, error) { return judgeSeal(wire.OpenSeal(b)) }

func judgeSeal(s wire.SignedSeal, err error) (wire.SignedSeal, error) {
	switch {
	case err == nil:
		return s, nil
	case errors.Is(err, wire.ErrBadKey):
		return s, refuseFor(CodeSealKey, "the notary's key is not valid", err)
	case errors.Is(err, wire.ErrBadSignature):
		return s, refuseFor(CodeSealSign, "the seal's signature is not its notary's", err)
	default:
		return s, refuseFor(CodeSeal, "not a seal", err)
	}
}

// add takes in a seal that this chain's notary signed. The error is a [*Refusal].
func (c *sealChain) add(s wire.SignedSeal) error {
	last := uint64(len(c.linked))
	if s.Number <= last {
		if mine := c.linked[s.Number-1]; mine.Hash != s.Hash {
			c.fork(mine, s)
			return refuse(CodeNotaryFork, "the notary signed another seal with this number")
		}
		return nil
	}
	if s.Number-last > MaxSealsAhead {
		return refuse(CodeSealAhead, "the seal's number is too far ahead")
	}
	for _, other := range c.held[s.Number] {
		if other.Hash == s.Hash {
			return nil
		}
		c.fork(other, s)
	}
	if s.Number == last+1 {
		if err := c.follows(s); err != nil {
			return err
		}
	} else if c.count >= MaxHeldSeals {
		return refuse(CodeFull, "too many seals wait for the ones before them")
	}
	c.held[s.Number] = append(c.held[s.Number], s)
	c.count++
	return nil
}

// follows judges whether a seal is the next one of the chain.
func (c *sealChain) follows(s wire.SignedSeal) error {
	prev, link, time := wire.SealHash{}, c.anchor, int64(0)
	if n := len(c.linked); n > 0 {
		prev, link, time = c.linked[n-1].Hash, c.linked[n-1].Link, c.linked[n-1].Time
	}
	switch {
	case s.Prev != prev:
		return refuse(CodeSealPrev, "the seal does not name the one before")
	case s.Link.Parent() != link:
		return refuse(CodeSealLink, "the seal's link does not follow from the link before")
	case s.Time < time:
		return refuse(CodeSealTime, "the seal goes back in time")
	case s.Number > 1 && s.Time-time > MaxSealStep:
		return refuse(CodeSealTime, "the seal jumps too far ahead in time")
	}
	return nil
}

// next links the seal that follows, if it is held.
func (c *sealChain) next() (wire.SignedSeal, bool) {
	number := uint64(len(c.linked)) + 1
	candidates := c.held[number]
	if candidates == nil {
		return wire.SignedSeal{}, false
	}
	delete(c.held, number)
	c.count -= len(candidates)
	for _, s := range candidates {
		if c.follows(s) == nil {
			c.linked = append(c.linked, s)
			return s, true
		}
	}
	return wire.SignedSeal{}, false
}

// fork keeps the proof that a notary signed two seals, in ascending order of numbers: of too many the last goes.
func (c *sealChain) fork(first, second wire.SignedSeal) {
	at, same := 0, 0
	for i, f := range c.forks {
		switch {
		case f.Notary != first.Notary:
		case f.Number == first.Number:
			return
		default:
			same++
		}
		if f.Number <= first.Number {
			at = i + 1
		}
	}
	c.forks = append(c.forks, NotaryProof{}) // slices.Insert would be 1 KB of download
	copy(c.forks[at+1:], c.forks[at:])
	c.forks[at] = NotaryProof{Notary: first.Notary, Number: first.Number, First: first.Bytes, Second: second.Bytes}
	if same < maxNotaryForks {
		return
	}
	for i, f := range slices.Backward(c.forks) {
		if f.Notary == first.Notary {
			c.forks = slices.Delete(c.forks, i, i+1)
			return
		}
	}
}

// undisputed returns the newest of the linked seals from one to another, which are a notary's, that it is not known to have
// signed another for, or for one before it, and whether that is sure.
func (c *sealChain) undisputed(notary wire.NotaryKey, from, last uint64) (number uint64, sure bool) {
	number, sure = last+1, true
	for _, f := range c.forks {
		if f.Notary != notary {
			continue
		}
		first, err := wire.ParseSeal(f.First)
		second, secondErr := wire.ParseSeal(f.Second)
		if err != nil || secondErr != nil {
			continue // they were judged before
		}
		for _, s := range []wire.SignedSeal{first, second} {
			shared, known := s.Number-1, true
			switch {
			case s.Number <= last && c.linked[s.Number-1].Hash == s.Hash:
				continue // it is ours
			case s.Number-1 > last:
				shared, known = last, first.Prev == second.Prev
			case s.Number > 1 && c.linked[s.Number-2].Hash != s.Prev:
				shared, known = s.Number-2, false
			}
			if shared < number || shared == number && known {
				number, sure = shared, known
			}
		}
	}
	switch {
	case number > last:
		return last, true // nothing is known against it
	case number < from:
		return from - 1, true // another notary's
	}
	return number, sure
}

// Undisputed returns the number of the newest linked seal that every order of the notary in force has, as far as
// this replica has seen the proofs: whoever follows another order holds it, too (SPEC.md, 12.13). Without
// a proof it is the newest seal. Sure is false while they may have parted even before: the proofs do
// not show the first seals that differ.
func (r *Replica) Undisputed() (number uint64, sure bool) {
	if r.chain == nil {
		return 0, true
	}
	return r.chain.undisputed(r.chain.notary, r.chain.from, r.Seals())
}

// Left returns the numbers of the last linked seals that all orders of a notary from before have, of each notary that is known
// to have signed two before a convention let another go on, in ascending order. Whoever follows the other order could not
// come along then, and holds such a seal. Where it is not known yet where the orders part, there is none.
func (r *Replica) Left() (numbers []uint64) {
	from := uint64(1)
	for _, s := range r.successions {
		base := s.Motion.Base
		if number, sure := r.chain.undisputed(r.chain.linked[base-1].Notary, from, base); sure && 0 < number && number < base {
			numbers = append(numbers, number)
		}
		from = base + 1
	}
	return numbers
}

// AddNotaryProof takes in a proof against the game's notary that somebody else holds, which
// then shows among [Replica.NotaryForks]. It changes nothing else. The error is a [*Refusal].
func (r *Replica) AddNotaryProof(p NotaryProof) error {
	if err := p.Check(); err != nil {
		return err
	}
	first, err := openSeal(p.First)
	if err != nil {
		return err
	}
	second, err := openSeal(p.Second)
	if err != nil {
		return err
	}
	switch {
	case !r.settled:
		return refuse(CodeGenesis, "it is not known yet who the notary is")
	case first.Room != r.keys.ID:
		return refuse(CodeSealRoom, "the proof is of another room")
	case !r.wasNotary(first.Notary):
		return refuse(CodeNotary, "the proof is against a key that is not the game's notary")
	}
	if mine, ok := r.Seal(first.Number); ok && mine.Hash == second.Hash {
		first, second = second, first
	}
	r.version++
	r.chain.fork(first, second)
	return nil
}

// AddSeal takes in a seal. Seals may come in any order and before the genesis; one that does
// not follow yet is held. A seal that was added before is no error. The error is a
// [*Refusal], and then nothing changed but, perhaps, [Replica.NotaryForks].
//
// The replica keeps b.
func (r *Replica) AddSeal(b []byte) error {
	s, err := judgeSeal(r.known.OpenSeal(b))
	if err != nil {
		return err
	}
	return r.addSeal(s)
}

func (r *Replica) addSeal(s wire.SignedSeal) error {
	if s.Room != r.keys.ID {
		return refuse(CodeSealRoom, "the seal is of another room")
	}
	r.version++
	if !r.settled {
		return r.addEarlySeal(s)
	}
	if s.Game != GameID(r.game.id) {
		return refuse(CodeSealRoom, "the seal is of another game")
	}
	if s.Notary != r.chain.notary || s.Number < r.chain.from {
		return r.addStrange(s)
	}
	if err := r.chain.add(s); err != nil {
		return err
	}
	r.goOn()
	return nil
}

// addEarlySeal keeps a seal until it is known which game the room holds.
func (r *Replica) addEarlySeal(s wire.SignedSeal) error {
	if s.Number > MaxSealsAhead {
		return refuse(CodeSealAhead, "the seal's number is too far ahead")
	}
	var refusal error
	taken := false
	for _, c := range r.chains {
		if c.notary == s.Notary {
			if err := c.add(s); err != nil {
				refusal = err
			} else {
				taken = true
			}
		}
	}
	if refusal != nil && !taken {
		return refusal
	}
	if held, _ := r.HoldsSeal(s); held {
		return nil
	}
	switch {
	case !r.spokenFor(s.Notary):
		r.host(s)
		return nil
	case r.earlyCount[s.Notary] >= MaxHeldSeals:
		return refuse(CodeFull, "too many seals wait for the genesis")
	}
	r.keepEarly(s)
	r.settle()
	r.goOn()
	return nil
}

func (r *Replica) keepEarly(s wire.SignedSeal) {
	r.early[s.Number] = append(r.early[s.Number], s)
	r.earlyCount[s.Notary]++
}
