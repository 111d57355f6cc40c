package ledger

import (
	"cmp"
	"errors"
	"slices"

	"peernomic/engine/wire"
)

// sealChain is the chain of a game's notary, grown from one anchor. Seals may be added in any
// order. Each is linked as soon as the chain reaches its number.
type sealChain struct {
	notary wire.NotaryKey
	anchor wire.Link
	linked []wire.SignedSeal // seal n is linked[n-1]
	held   map[uint64][]wire.SignedSeal
	count  int           // seals in held
	forks  []NotaryProof // in ascending order of numbers, at most maxNotaryForks
}

// maxNotaryForks is how many proofs against a notary a replica keeps. It keeps those of the
// smallest numbers: they say where the two chains part.
const maxNotaryForks = 16

func newSealChain(notary wire.NotaryKey, anchor wire.Link) *sealChain {
	return &sealChain{notary: notary, anchor: anchor, held: map[uint64][]wire.SignedSeal{}}
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

// fork keeps the proof that the notary signed two seals with one number.
func (c *sealChain) fork(first, second wire.SignedSeal) {
	i, known := slices.BinarySearchFunc(c.forks, first.Number, func(f NotaryProof, number uint64) int { return cmp.Compare(f.Number, number) })
	if known {
		return
	}
	c.forks = slices.Insert(c.forks, i, NotaryProof{Notary: first.Notary, Number: first.Number, First: first.Bytes, Second: second.Bytes})
	c.forks = c.forks[:min(len(c.forks), maxNotaryForks)]
}

// Undisputed returns the number of the newest linked seal that all known chains of the notary
// share. Members who follow another of these chains hold that seal, too. Without a proof against the
// notary it is the newest seal. Sure is false if the chains may have parted earlier: the proofs then
// show seals that differ, but perhaps not the first ones.
func (r *Replica) Undisputed() (number uint64, sure bool) {
	last := r.Seals()
	if r.chain == nil {
		return 0, true
	}
	number, sure = last+1, true
	for _, f := range r.chain.forks {
		first, err := wire.ParseSeal(f.First)
		second, secondErr := wire.ParseSeal(f.Second)
		if err != nil || secondErr != nil {
			continue // cannot happen: both were judged before
		}
		for _, s := range []wire.SignedSeal{first, second} {
			shared, known := s.Number-1, true
			switch {
			case s.Number <= last && r.chain.linked[s.Number-1].Hash == s.Hash:
				continue // it is ours
			case s.Number-1 > last:
				shared, known = last, first.Prev == second.Prev
			case s.Number > 1 && r.chain.linked[s.Number-2].Hash != s.Prev:
				shared, known = s.Number-2, false
			}
			if shared < number || shared == number && known {
				number, sure = shared, known
			}
		}
	}
	if number > last {
		return last, true // no proof concerns our chain
	}
	return number, sure
}

// AddNotaryProof adds a proof against the game's notary to [Replica.NotaryForks]. It changes
// nothing else. The error is a [*Refusal].
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
	case r.chain == nil:
		return refuse(CodeGenesis, "it is not known yet who the notary is")
	case first.Room != r.keys.ID:
		return refuse(CodeSealRoom, "the proof is of another room")
	case first.Notary != r.chain.notary:
		return refuse(CodeNotary, "the proof is against a key that is not the game's notary")
	}
	if mine, ok := r.Seal(first.Number); ok && mine.Hash == second.Hash {
		first, second = second, first
	}
	r.version++
	r.chain.fork(first, second)
	return nil
}

// AddSeal adds a seal. Seals may come in any order, and before the genesis. A seal whose predecessor
// is missing waits for it. Adding a seal twice is no error. The error is a [*Refusal]; then nothing
// changed but, perhaps, [Replica.NotaryForks].
//
// The replica keeps b.
func (r *Replica) AddSeal(b []byte) error {
	s, err := judgeSeal(r.known.OpenSeal(b))
	if err != nil {
		return err
	}
	return r.addSeal(s)
}

// RestoreSeal is [Replica.AddSeal] without judging the signature. Call it only for seals of this
// device's own log, which were judged when they came in.
func (r *Replica) RestoreSeal(b []byte) error {
	s, err := judgeSeal(wire.ParseSeal(b))
	if err != nil {
		return err
	}
	return r.addSeal(s)
}

func (r *Replica) addSeal(s wire.SignedSeal) error {
	if s.Room != r.keys.ID {
		return refuse(CodeSealRoom, "the seal is of another room")
	}
	if s.Game != r.game {
		return refuse(CodeSealRoom, "the seal is of another game")
	}
	r.version++
	if r.chain == nil {
		return r.addEarlySeal(s)
	}
	if err := r.addToChain(s); err != nil {
		return err
	}
	r.extend()
	return nil
}

func (r *Replica) addToChain(s wire.SignedSeal) error {
	if s.Notary != r.chain.notary {
		return refuse(CodeNotary, "the seal is signed by a key that is not the game's notary")
	}
	return r.chain.add(s)
}

// addEarlySeal keeps a seal until the genesis names the notary.
func (r *Replica) addEarlySeal(s wire.SignedSeal) error {
	switch {
	case slices.ContainsFunc(r.early, sameSeal(s)):
		return nil
	case s.Number > MaxSealsAhead:
		return refuse(CodeSealAhead, "the seal's number is too far ahead")
	case len(r.early) >= MaxHeldSeals:
		return refuse(CodeFull, "too many seals wait for the genesis")
	}
	r.early = append(r.early, s)
	return nil
}

// sameSeal returns a test for one seal. It compares the keys as well, since the hash does not cover the key.
func sameSeal(s wire.SignedSeal) func(wire.SignedSeal) bool {
	return func(o wire.SignedSeal) bool { return o.Hash == s.Hash && o.Notary == s.Notary }
}

// HoldsSeal reports whether a seal is held: linked, or waiting for its predecessor.
func (r *Replica) HoldsSeal(s wire.SignedSeal) bool {
	if r.chain == nil {
		return slices.ContainsFunc(r.early, sameSeal(s))
	}
	mine, linked := r.Seal(s.Number)
	return linked && sameSeal(mine)(s) || slices.ContainsFunc(r.chain.held[s.Number], sameSeal(s))
}

// HoldsSealsTo reports whether seals with all numbers up to one are held. Before the genesis
// none is linked.
func (r *Replica) HoldsSealsTo(number uint64) bool {
	if r.chain != nil {
		return r.Seals() >= number
	}
	held := map[uint64]bool{}
	for _, s := range r.early {
		if s.Number <= number {
			held[s.Number] = true
		}
	}
	return uint64(len(held)) == number
}
