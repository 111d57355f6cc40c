// Package sealing makes a relay's decisions: which envelopes a room takes in, in which order
// it seals them, and what it answers once they are stored. Except for the store it is pure:
// no clock, no connection, no goroutine. Package signal gathers rounds and sends the answers.
// The simulator does the same in its own time.
package sealing

import (
	"errors"

	"peernomic/engine/wire"
	"peernomic/signal/notary"
	"peernomic/signal/refusal"
	"peernomic/signal/store"
)

// Judge checks the unencrypted header and the length of an envelope for a room. It returns the code
// of a refusal, or none.
func Judge(room wire.RoomID, envelope []byte) refusal.Code {
	e, err := wire.ParseEnvelope(envelope)
	switch {
	case errors.Is(err, wire.ErrEnvelopeSize):
		return refusal.EnvelopeSize
	case err != nil:
		return refusal.EnvelopeVersion
	case e.Room != room:
		return refusal.EnvelopeRoom
	}
	return ""
}

// Message holds the envelopes of one message, which have passed [Judge], and the answers to
// them. The answers may be sent when [Commit] has returned without an error.
type Message struct {
	Envelopes []store.Envelope

	Ack      []wire.EnvelopeHash // stored, now or before
	Refused  []Refused
	Repeated int // how many of Ack were stored before
}

// Refused is an envelope that the room refuses, with the reason.
type Refused struct {
	Envelope wire.EnvelopeHash
	Code     refusal.Code
}

// Batch is what a room received for one round.
type Batch struct {
	Room     wire.RoomID
	Notary   *notary.Notary
	Base     store.State // where the room's log ends
	Messages []*Message
	// Added is what the round adds to the room; without seals if nothing.
	Added store.Append
}

// Commit makes a round durable: it decides about the envelopes of each room, cuts the seals,
// and stores everything in one append. After an error the caller must not answer anything,
// and must read the rooms again: the store holds all of the round or nothing.
func Commit(st store.Store, round []*Batch, quota uint64, now int64) error {
	var fresh []store.Append
	for _, b := range round {
		if err := b.prepare(st, quota, now); err != nil {
			return err
		}
		if len(b.Added.Seals) > 0 {
			fresh = append(fresh, b.Added)
		}
	}
	if len(fresh) == 0 {
		return nil
	}
	return st.Append(fresh)
}

// prepare decides about the envelopes of a room and cuts the seals of those that are new.
func (b *Batch) prepare(st store.Store, quota uint64, now int64) error {
	b.Added = store.Append{Room: b.Room, Base: b.Base, Next: b.Base}
	a := &b.Added
	if err := b.admit(st, quota); err != nil {
		return err
	}
	for rest := a.Envelopes; len(rest) > 0; {
		n := min(len(rest), wire.MaxSealEnvelopes)
		hashes := make([]wire.EnvelopeHash, n)
		for i, e := range rest[:n] {
			hashes[i] = e.Hash
		}
		seal, err := b.Notary.Seal(a.Next.Head, now, hashes)
		if errors.Is(err, notary.ErrChainEnd) {
			return b.refuseNew(st)
		}
		if err != nil {
			return err
		}
		a.Seals = append(a.Seals, seal)
		a.Next.Head = notary.HeadOf(seal)
		rest = rest[n:]
	}
	return nil
}

// admit takes the envelopes that the room does not have, as far as its quota allows. After
// one that does not fit, it refuses the rest of the message too, which may depend on it.
func (b *Batch) admit(st store.Store, quota uint64) error {
	a := &b.Added
	inRound := map[wire.EnvelopeHash]bool{}
	for _, m := range b.Messages {
		has, err := st.Has(b.Room, hashesOf(m.Envelopes))
		if err != nil {
			return err
		}
		full := false
		for k, e := range m.Envelopes {
			if has[k] || inRound[e.Hash] {
				m.Ack = append(m.Ack, e.Hash)
				m.Repeated++
				continue
			}
			size := uint64(len(e.Bytes)) + store.Overhead
			if full = full || a.Next.Bytes+size > quota; full {
				m.Refused = append(m.Refused, Refused{e.Hash, refusal.RoomFull})
				continue
			}
			inRound[e.Hash] = true
			a.Envelopes = append(a.Envelopes, e)
			a.Next.Envelopes++
			a.Next.Bytes += size
			m.Ack = append(m.Ack, e.Hash)
		}
	}
	return nil
}

// refuseNew refuses everything that is not stored already, because the notary's chain is
// used up.
func (b *Batch) refuseNew(st store.Store) error {
	b.Added = store.Append{}
	for _, m := range b.Messages {
		m.Ack, m.Refused, m.Repeated = nil, nil, 0
		hashes := hashesOf(m.Envelopes)
		has, err := st.Has(b.Room, hashes)
		if err != nil {
			return err
		}
		for k, h := range hashes {
			if has[k] {
				m.Ack = append(m.Ack, h)
				m.Repeated++
			} else {
				m.Refused = append(m.Refused, Refused{h, refusal.ChainEnd})
			}
		}
	}
	return nil
}

func hashesOf(envelopes []store.Envelope) []wire.EnvelopeHash {
	hashes := make([]wire.EnvelopeHash, len(envelopes))
	for i, e := range envelopes {
		hashes[i] = e.Hash
	}
	return hashes
}
