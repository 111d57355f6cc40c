package client

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"peernomic/engine/game"
	"peernomic/engine/ledger"
	"peernomic/engine/wire"
	relay "peernomic/signal/client"
)

// This file makes another relay the notary of a game, once enough players have signed for it, and
// follows the notary wherever the players let it go.

// heirs is what a machine can tell of who is to go on; a [game.Game] can.
type heirs interface {
	// Successor returns the proof for a new notary that has sealed nothing yet.
	Successor() (ledger.Proof, bool)
	Motions() []game.Motion
}

var _ heirs = (*game.Game)(nil)

// A device waits handOverAgain before it tries the new relay again: twice as long each time, up to
// handOverSeldom.
const (
	handOverAgain  = 3 * time.Second
	handOverSeldom = time.Minute
)

// follow goes where the notary is: to the relay that the newest change of notary in force names
// or, if a change is signed but not begun, there to begin it.
func (s *Session) follow() {
	m, ok := s.machine.(heirs)
	if !ok || s.release == nil || s.room.Practice || s.room.Relay == "" {
		return
	}
	switch all := s.machine.Replica().Successions(); {
	case len(all) > 0 && all[len(all)-1].ID != s.followed:
		newest := all[len(all)-1] // after as many as before, if a rival overruled one
		if s.room.Home == "" {
			s.room.Home = s.room.Relay
		}
		s.followed = newest.ID
		s.forgetAcks()
		s.useRelay(newest.Change.Relay)
	case len(all) == 0 && s.room.Home != "":
		home := s.room.Home // the change was taken back
		s.room.Home, s.followed = "", ledger.MotionID{}
		s.forgetAcks()
		s.useRelay(home)
	}
	p, ok := m.Successor()
	if !ok {
		s.heir, s.heirPause = nil, 0
		return
	}
	s.heir = &p
	s.handOver()
}

// forgetAcks takes it that the relay has nothing of what no seal names: what the one before has on its disk,
// it will not seal any more.
func (s *Session) forgetAcks() {
	for _, o := range s.outgoing {
		o.relay, o.refused = false, ""
	}
}

// useRelay makes an address the room's relay, and connects to it.
func (s *Session) useRelay(address string) {
	url, err := RelayURL(address)
	if err != nil || url == s.room.Relay {
		return
	}
	home := s.room.Home
	if err := s.keepRoom(s.ctx, func(r *roomRecord) { r.Relay, r.Home = url, home }); err != nil {
		s.storage, s.room.Relay = err, url
	}
	s.shareNews()
	s.hangUp()
	if s.endVisit != nil {
		s.endVisit()
	}
	select {
	case s.wakeup <- struct{}{}:
	default:
	}
}

// tryRelay makes an address, such as a new invite gives, the room's relay unless the one that it
// has is connected.
func (s *Session) tryRelay(ctx context.Context, url string) error {
	return s.do(ctx, func() {
		if s.release != nil && s.relay.state != RelayConnected && s.room.Relay != "" {
			s.useRelay(url)
		}
	})
}

// handOver begins a change of notary: it gives the new relay what it lacks of the history, and the
// proof. Every device that holds the proof tries; the first one's counts. As long as the change is due,
// it is tried again.
func (s *Session) handOver() {
	if s.handing || s.heir == nil || s.release == nil {
		return
	}
	s.handing = true
	p := *s.heir
	s.wg.Add(1)
	s.config.aside(func() {
		defer s.wg.Done()
		url, err := RelayURL(p.Change.Relay)
		if err == nil {
			err = s.beginHeir(url, p)
		}
		s.post(func() { s.handedOver(err) })
	})
}

// handedOver is the end of a try. Where the relay showed that it goes on, the device has followed it.
func (s *Session) handedOver(err error) {
	if err != nil {
		s.relay.problem = fmt.Sprintf("the new relay cannot go on yet: %v", err)
	}
	s.heirPause = min(max(2*s.heirPause, handOverAgain), handOverSeldom)
	s.config.later(s.heirPause, func() { s.post(func() { s.handing = false; s.handOver() }) })
}

// beginHeir makes a relay go on with the game, if nobody has yet, and hears from it that it does: only then the
// device turns to it, and away from the one that it has.
func (s *Session) beginHeir(url string, p ledger.Proof) error {
	ctx, cancel := context.WithTimeout(s.ctx, dialTime)
	defer cancel()
	conn, w, err := s.config.Dial(ctx, url, s.keys.Sign, true)
	if err != nil {
		return err
	}
	defer conn.Close()
	if w.Notary != p.Change.Notary || w.Anchor != p.Change.Anchor {
		return errors.New("it has another key than the players signed for")
	}
	if w.Seals > p.Motion.Base {
		return s.hearHeir(ctx, conn, w.Seals, p)
	}
	if err := s.giveHistory(ctx, conn, w, p.Motion.Base); err != nil {
		return err
	}
	m := wire.Continue{Base: p.Motion.BaseHash}
	var last wire.EnvelopeHash
	err = s.do(ctx, func() {
		for _, h := range p.Envelopes {
			if b, ok := s.machine.Replica().Envelope(h); ok {
				m.Envelopes, last = append(m.Envelopes, b), h
			}
		}
	})
	if err != nil {
		return err
	}
	if err := conn.Send(ctx, m); err != nil {
		return err
	}
	if err := awaitAck(ctx, conn, last); err != nil { // refused if somebody was faster, which the next try hears
		return err
	}
	return s.hearHeir(ctx, conn, p.Motion.Base+1, p)
}

// hearHeir takes in what a relay has after the seal from which it is to go on, up to its newest seal, until that shows
// that somebody has made it go on. It may be something else: more of the history before, given to it for a
// convention with a later base, or seals that prove nothing, as anybody with the invite can have it cut.
// From such a relay the game does not go on.
func (s *Session) hearHeir(ctx context.Context, conn Conn, newest uint64, p ledger.Proof) error {
	if err := conn.Send(ctx, wire.Want{FromSeal: p.Motion.Base + 1, Feeds: []wire.FeedPosition{}}); err != nil {
		return err
	}
	for heard := p.Motion.Base; heard < newest; {
		m, err := conn.Receive(ctx)
		if err != nil {
			return err
		}
		begun := false
		switch m := m.(type) {
		case wire.Envelopes:
			err = s.do(ctx, func() {
				for _, b := range m.Envelopes {
					_ = s.receiveEnvelope(b, nil)
				}
			})
		case wire.Seals:
			heard += uint64(len(m.Seals))
			err = s.do(ctx, func() {
				for _, b := range m.Seals {
					_, _ = s.receiveSeal(b)
				}
				begun = s.machine.Replica().Begun(p.ID)
			})
		default:
			err = answerOr(ctx, conn, m)
		}
		if err != nil || begun {
			return err
		}
	}
	return errOtherHistory
}

// answerOr keeps a connection alive on which something else is awaited. A refusal is the error.
func answerOr(ctx context.Context, conn Conn, m wire.Message) error {
	switch m := m.(type) {
	case wire.Refusal:
		return &relay.RefusedError{Code: relayCode(m.Code), Text: m.Text}
	case wire.Ping:
		return conn.Send(ctx, wire.Pong{})
	}
	return nil
}

// prepareHeir opens the room at another relay, gives it the history up to a seal, and returns
// what its notary is.
func (s *Session) prepareHeir(ctx context.Context, url string, base uint64) (ledger.NotaryChange, error) {
	conn, w, err := s.config.Dial(ctx, url, s.keys.Sign, true)
	if err != nil {
		return ledger.NotaryChange{}, err
	}
	defer conn.Close()
	if err := s.giveHistory(ctx, conn, w, base); err != nil {
		return ledger.NotaryChange{}, err
	}
	return ledger.NotaryChange{Notary: w.Notary, Anchor: w.Anchor, Relay: url}, nil
}

// errOtherHistory reports a relay that has other seals of the room.
var errOtherHistory = errors.New("the relay has other seals of this game: choose one that does not know it")

// giveHistory gives a relay what it lacks of the seals up to a number.
func (s *Session) giveHistory(ctx context.Context, conn Conn, w wire.Welcome, base uint64) error {
	next := w.Seals + 1
	var err error
	doErr := s.do(ctx, func() {
		if mine, ok := s.machine.Replica().Seal(w.Seals); w.Seals > base || w.Seals > 0 && (!ok || mine.Hash != w.SealHash || mine.Notary == w.Notary) {
			err = errOtherHistory
		}
	})
	if err = errors.Join(doErr, err); err != nil {
		return err
	}
	for next <= base {
		var pieces []wire.Adopt
		from := next
		if err := s.do(ctx, func() { pieces, next = s.pieces(from, base) }); err != nil {
			return err
		}
		if len(pieces) == 0 {
			return errNoSeal
		}
		for _, m := range pieces {
			if err := conn.Send(ctx, m); err != nil {
				return err
			}
			if err := awaitAck(ctx, conn, lastOf(m)); err != nil {
				return err
			}
		}
	}
	return nil
}

// pieces returns some of the history from a seal on, and the seal after it. It returns nothing if
// an envelope is missing.
func (s *Session) pieces(from, base uint64) (pieces []wire.Adopt, next uint64) {
	replica := s.machine.Replica()
	var piece wire.Adopt
	size := 0
	for next = from; next <= base; next++ {
		seal, ok := replica.Seal(next)
		if !ok {
			return nil, from
		}
		for _, h := range seal.Envelopes {
			b, ok := replica.Envelope(h)
			if !ok {
				return nil, from
			}
			if size+len(b) > frameBytes || len(piece.Envelopes) == wire.MaxBatch {
				pieces = append(pieces, piece)
				piece, size = wire.Adopt{}, 0
			}
			piece.Envelopes, size = append(piece.Envelopes, b), size+len(b)
		}
		piece.Seals, size = append(piece.Seals, seal.Bytes), size+len(seal.Bytes)
		if len(piece.Seals) == wire.MaxBatch || size > frameBytes {
			next++
			break
		}
	}
	return append(pieces, piece), next
}

// lastOf returns what the relay acknowledges a piece of history by.
func lastOf(m wire.Adopt) wire.EnvelopeHash {
	if n := len(m.Seals); n > 0 {
		if seal, err := wire.ParseSeal(m.Seals[n-1]); err == nil {
			return wire.EnvelopeHash(seal.Hash)
		}
	}
	return wire.HashEnvelope(m.Envelopes[len(m.Envelopes)-1])
}

// awaitAck waits until a relay has something on its disk.
func awaitAck(ctx context.Context, conn Conn, h wire.EnvelopeHash) error {
	for {
		m, err := conn.Receive(ctx)
		if err != nil {
			return err
		}
		if ack, ok := m.(wire.Ack); ok && slices.Contains(ack.Hashes, h) {
			return nil
		}
		if err := answerOr(ctx, conn, m); err != nil {
			return err
		}
	}
}

// wantFrom returns the first seal that others are asked for. While players sign for another
// notary, that is the one after its base: the chain may go on from there.
func (s *Session) wantFrom() uint64 {
	from := s.machine.Replica().OrderedSeals() + 1
	if m, ok := s.machine.(heirs); ok {
		for _, motion := range m.Motions() {
			if motion.Kind == ledger.MotionNotary && motion.Status == game.MotionOpen && !motion.Begun {
				from = min(from, motion.Base+1)
			}
		}
	}
	return from
}
