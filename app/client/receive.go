package client

import (
	"bytes"
	"maps"
	"slices"
	"time"

	"peernomic/engine/wire"
)

// outgoing is an envelope that no seal names yet.
type outgoing struct {
	since   time.Time // known here
	own     bool      // of this device: sent at once
	sent    time.Time // to the relay
	relay   bool      // the relay has it on its disk
	peers   bool      // another member has it on its disk
	refused string    // why the relay will not have it
}

// receiveEnvelope takes in an envelope that came from the relay (p is nil) or from a
// peer. The error says why it was refused; the session goes on.
func (s *Session) receiveEnvelope(b []byte, p *peer) error {
	replica := s.game.Replica()
	h := wire.HashEnvelope(b)
	_, known := replica.Envelope(h)
	_, err := s.game.Receive(b)
	if known {
		if err == nil {
			s.owe(p, h)
		}
		if replica.Named(h) {
			return nil // whoever sends what a seal names does what was asked for
		}
		return err
	}
	_, held := replica.Envelope(h)
	switch {
	case !held:
		s.turnAway(err)
	case err != nil:
		s.refusals++
	}
	if !held || (err != nil && p != nil && replica.Settled()) {
		// What the relay sends is kept even if it is junk: a seal may name it, and
		// the order waits for what is missing. So is what anybody sends before it is
		// certain which game this is: it may be refused for belonging to the right one.
		if held {
			s.unkept[h] = true
		}
		return err
	}
	s.changed = true
	kind := itemEnvelope
	if err != nil {
		kind = itemJunk
	}
	s.fresh = append(s.fresh, logItem{Kind: kind, Bytes: b})
	if p == nil {
		s.byRelay++
	} else {
		s.byDirect++
	}
	if err == nil {
		s.owe(p, h)
	}
	return err
}

// keepJunk stores what was refused when a peer sent it, once a seal names it: at the next start the order
// would end before it.
func (s *Session) keepJunk() {
	replica := s.game.Replica()
	for _, h := range slices.SortedFunc(maps.Keys(s.unkept), func(a, b wire.EnvelopeHash) int { return bytes.Compare(a[:], b[:]) }) {
		if !replica.Named(h) {
			continue
		}
		delete(s.unkept, h)
		if b, held := replica.Envelope(h); held {
			s.fresh = append(s.fresh, logItem{Kind: itemJunk, Bytes: b})
		}
	}
}

// receiveSeal takes in a seal. The error says why it was refused.
func (s *Session) receiveSeal(b []byte) error {
	if seal, err := wire.ParseSeal(b); err == nil {
		if held, _ := s.game.Replica().HoldsSeal(seal); held {
			return nil
		}
	}
	if err := s.game.ReceiveSeal(b); err != nil {
		s.turnAway(err)
		s.changed = s.changed || len(s.game.Replica().NotaryForks()) > 0
		return err
	}
	s.changed = true
	s.fresh = append(s.fresh, logItem{Kind: itemSeal, Bytes: b})
	return nil
}

// owe notes that a peer is to be told that its envelope is on the disk.
func (s *Session) owe(p *peer, h wire.EnvelopeHash) {
	if p != nil && len(p.owed) < wire.MaxBatch {
		p.owed = append(p.owed, h)
	}
}

// acknowledge tells peers what of theirs is on the disk.
func (s *Session) acknowledge() {
	if len(s.fresh) > 0 {
		return
	}
	for _, p := range s.peers {
		if len(p.owed) > 0 {
			p.send(wire.Ack{Hashes: p.owed})
			p.owed = nil
		}
	}
}
