package sealing

import (
	"slices"

	"peernomic/engine/wire"
	"peernomic/signal/code"
	"peernomic/signal/notary"
	"peernomic/signal/store"
)

// This file takes over a room that another relay sealed: engine/ledger/SPEC.md, 10.3.

// History is a piece of a room's history. Its envelopes have passed [Judge], and its seals'
// form and signatures are good.
type History struct {
	Seals     []wire.SignedSeal
	Envelopes []store.Envelope
}

// adopt takes in a piece of history, or refuses the message.
func (b *Batch) adopt(st store.Store, m *Message, quota uint64) error {
	a := &b.Added
	next := a.Next
	known := map[wire.EnvelopeHash]bool{}
	for _, e := range a.Envelopes {
		known[e.Hash] = true
	}
	has, err := st.Has(b.Room, hashesOf(m.History.Envelopes))
	if err != nil {
		return err
	}
	var fresh []store.Envelope
	for i, e := range m.History.Envelopes {
		if has[i] || known[e.Hash] {
			continue
		}
		known[e.Hash] = true
		fresh = append(fresh, e)
		next.Envelopes++
		next.Bytes += uint64(len(e.Bytes)) + store.Overhead
	}
	if next.Bytes > quota {
		m.Refusal = code.RoomFull
		return nil
	}
	if !b.Adopting && next.Head.Number > 0 {
		m.Refusal = code.History
		return nil
	}
	for _, s := range m.History.Seals {
		follows := s.Room == b.Room && s.Number == next.Head.Number+1 && s.Prev == next.Head.Hash && s.Time >= next.Head.Time
		if !follows {
			m.Refusal = code.History
			return nil
		}
		has, err := st.Has(b.Room, s.Envelopes)
		if err != nil {
			return err
		}
		for i, h := range s.Envelopes {
			if !has[i] && !known[h] {
				m.Refusal = code.History
				return nil
			}
		}
		next.Head = notary.HeadOf(s)
	}
	m.Ack = hashesOf(m.History.Envelopes)
	if n := len(m.History.Seals); n > 0 {
		m.Ack = []wire.EnvelopeHash{wire.EnvelopeHash(m.History.Seals[n-1].Hash)}
		b.Adopting = true
	}
	a.Next, a.Envelopes, a.Seals = next, append(a.Envelopes, fresh...), append(a.Seals, m.History.Seals...)
	b.Adopted = b.Adopted || len(fresh) > 0 || len(m.History.Seals) > 0
	return nil
}

// goOn makes the notary go on with the history that was adopted: it cuts its first seal, over
// the message's envelopes, or refuses the message. The history may have one of these: what a seal named before all
// that it depends on has its place only now.
func (b *Batch) goOn(st store.Store, m *Message, quota uint64, now int64) error {
	a := &b.Added
	if !b.Adopting || a.Next.Head.Hash != *m.Continue || len(m.Envelopes) > wire.MaxSealEnvelopes {
		m.Refusal = code.History
		return nil
	}
	hashes := hashesOf(m.Envelopes)
	has, err := st.Has(b.Room, hashes)
	if err != nil {
		return err
	}
	known := map[wire.EnvelopeHash]bool{}
	for _, e := range a.Envelopes {
		known[e.Hash] = true
	}
	next := a.Next
	var fresh []store.Envelope
	for i, e := range m.Envelopes {
		if slices.Contains(hashes[:i], e.Hash) {
			m.Refusal = code.History
			return nil
		}
		if has[i] || known[e.Hash] {
			continue
		}
		fresh = append(fresh, e)
		next.Envelopes++
		next.Bytes += uint64(len(e.Bytes)) + store.Overhead
	}
	if next.Bytes > quota {
		m.Refusal = code.RoomFull
		return nil
	}
	b.Notary.GoOnFrom(next.Head.Number)
	seal, err := b.Notary.Seal(next.Head, now, hashes)
	if err != nil {
		return err
	}
	next.Head = notary.HeadOf(seal)
	a.Next, a.Envelopes, a.Seals = next, append(a.Envelopes, fresh...), append(a.Seals, seal)
	b.Adopting, b.Adopted = false, true
	m.Ack = hashes
	return nil
}

// FindBase tells where a room's own notary began: the number of the last seal that was adopted, 0
// if there is none; and whether the notary has yet to begin.
func FindBase(st store.Store, room wire.RoomID, own wire.NotaryKey, head uint64) (base uint64, adopting bool, err error) {
	foreign := func(number uint64) (is bool, err error) {
		readErr := st.Read(room, number, func(seal []byte, _ [][]byte) bool {
			var s wire.SignedSeal
			s, err = wire.ParseSeal(seal)
			is = s.Notary != own
			return false
		})
		if readErr != nil {
			err = readErr
		}
		return is, err
	}
	if head == 0 {
		return 0, false, nil
	}
	if first, err := foreign(1); err != nil || !first {
		return 0, false, err
	}
	low, high := uint64(1), head // low is foreign; the own ones, if any, begin after it
	for low < high {
		middle := low + (high-low+1)/2
		is, err := foreign(middle)
		if err != nil {
			return 0, false, err
		}
		if is {
			low = middle
		} else {
			high = middle - 1
		}
	}
	return low, low == head, nil
}
