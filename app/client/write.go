package client

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"peernomic/engine/ledger"
	"peernomic/engine/wire"
)

// Why an action cannot be taken now.
var (
	// ErrBehind: the device has signed actions that its log does not hold. Signing
	// the next would fork its feed.
	ErrBehind = errors.New("this device has played further than it remembers; it has to reach the relay or another player first")
	// ErrDiverged: another device sees another game.
	ErrDiverged = errors.New("this device and another one do not see the same game; play stops until that is explained")
	// ErrNotHere: the game's beginning has not arrived yet.
	ErrNotHere = errors.New("the game has not arrived yet")
	// ErrNotIntroduced: the device has no part in the game yet.
	ErrNotIntroduced = errors.New("you have not introduced yourself in this game yet")
	// ErrNoWriter: the tab that writes did not answer.
	ErrNoWriter = errors.New("the tab that writes does not answer; look whether the action was taken before you repeat it")
)

// patience is how long an action waits for the first try to reach the relay: an
// action of this device that only the relay knows must be known before the next.
const patience = 5 * time.Second

// write signs an action, stores it, and then sends it. In a reader it is the writer who
// does so.
func (s *Session) write(ctx context.Context, kind ledger.Kind, body []byte) (ledger.ActionID, error) {
	timer := time.NewTimer(patience)
	defer timer.Stop()
	select {
	case <-s.ready:
	case <-timer.C:
	case <-ctx.Done():
		return ledger.ActionID{}, ctx.Err()
	}
	var id ledger.ActionID
	var err error
	var forwarded chan actAnswer
	doErr := s.do(ctx, func() {
		if s.release == nil {
			forwarded, err = s.forward(kind, body)
			return
		}
		id, err = s.writeNow(kind, body)
		s.settle() // who asked sees what came of it
	})
	if err = errors.Join(doErr, err); err != nil || forwarded == nil {
		return id, err
	}
	return s.awaitAnswer(ctx, forwarded)
}

// writeNow signs and stores on the owner goroutine; settle sends.
func (s *Session) writeNow(kind ledger.Kind, body []byte) (ledger.ActionID, error) {
	if err := s.guard(); err != nil {
		return ledger.ActionID{}, err
	}
	at := s.game.Replica().Position(s.device.Key())
	if at.Seq == 0 {
		return ledger.ActionID{}, ErrNotIntroduced
	}
	pen, err := s.takePen()
	if err != nil {
		return ledger.ActionID{}, err
	}
	entry, err := pen.Write(at, kind, body, s.claim())
	if err != nil {
		return ledger.ActionID{}, err
	}
	return entry.Action.ID(), s.adopt(entry)
}

// claim returns the time that an action of this device claims: by its clock, but not ahead of
// the relay's as far as that is known. An action that claims a time to come does not count; one
// that claims a time past does.
func (s *Session) claim() int64 {
	return min(s.config.now().UnixMilli(), s.clock())
}

// guard says why this device must not sign now, or nil.
func (s *Session) guard() error {
	replica := s.game.Replica()
	if _, _, ok := replica.Genesis(); !ok {
		return ErrNotHere
	}
	if s.diverged != nil {
		return ErrDiverged
	}
	if seq, _, _ := replica.Feed(s.device.Key()); seq < s.mark.Seq {
		return ErrBehind
	}
	return cmp.Or(s.halted, s.storage)
}

// adopt makes an entry of this device part of the game: first on the disk, with all
// that it may depend on, then in the replica. It is sent from there.
func (s *Session) adopt(entry ledger.Entry) error {
	items := s.fresh
	for _, e := range entry.Envelopes {
		items = append(items, logItem{Kind: itemEnvelope, Bytes: e})
	}
	next, err := s.store.appendLog(s.ctx, s.keys.ID, s.next, items)
	s.next = next
	if err != nil {
		// It may be on the disk or not. If it is, the next start finds it; signing
		// another action with its number before that would be a fork.
		s.halted = fmt.Errorf("the disk did not take an action; start the program again: %w", err)
		return s.halted
	}
	s.fresh = nil
	s.mark = ownMark{Seq: entry.Action.Action().Seq, ID: entry.Action.ID()}
	if err := s.store.putOwnMark(s.ctx, s.keys.ID, s.mark); err != nil {
		s.halted = fmt.Errorf("the disk did not take an action; start the program again: %w", err)
	}
	for _, e := range entry.Envelopes {
		if _, err := s.game.Receive(e); err != nil {
			return fmt.Errorf("own action: %w", err)
		}
		s.outgoing[wire.HashEnvelope(e)] = &outgoing{since: s.config.steady(), own: true}
	}
	s.changed = true
	s.push(entry.Envelopes)
	s.shareNews()
	return s.halted
}

func (s *Session) takePen() (*ledger.Pen, error) {
	if s.pen == nil {
		pen, err := ledger.NewPen(s.keys, s.device)
		if err != nil {
			return nil, err
		}
		s.pen = pen
	}
	return s.pen, nil
}

// introduceSelf enrols the device as soon as the game is here, if its person has given
// a name.
func (s *Session) introduceSelf() {
	replica := s.game.Replica()
	_, game, ok := replica.Genesis()
	if s.release == nil || !ok || s.room.Name == "" || s.guard() != nil || !s.canIntroduce() {
		return
	}
	if seq, _, _ := replica.Feed(s.device.Key()); seq > 0 {
		return
	}
	pen, err := s.takePen()
	if err != nil {
		s.halted = err
		return
	}
	entry, err := pen.Enrol(s.identity, s.room.Name, game, replica.Heads(), s.claim())
	if err != nil {
		s.halted = err
		return
	}
	if s.adopt(entry) == nil {
		s.advance()
	}
}

// canIntroduce reports whether the room's first game is certain: an enrolment in a game
// that turns out to be another would be lost.
func (s *Session) canIntroduce() bool {
	return s.game.Replica().Settled()
}

// sealPractice seals what the device has written, in a game where it is its own notary.
func (s *Session) sealPractice() {
	if s.notary == nil {
		return
	}
	hashes := s.game.Replica().Unsealed()
	if len(hashes) == 0 {
		return
	}
	for len(hashes) > 0 {
		count := min(len(hashes), wire.MaxSealEnvelopes)
		seal, err := s.notary.Seal(s.config.now().UnixMilli(), hashes[:count])
		if err != nil {
			s.halted = err
			return
		}
		next, err := s.store.appendLog(s.ctx, s.keys.ID, s.next, []logItem{{Kind: itemSeal, Bytes: seal.Bytes}})
		s.next = next
		if err != nil {
			s.halted = err
			s.notary = nil // it has cut a seal that may be lost; the next start goes on
			return
		}
		if err := s.game.ReceiveSeal(seal.Bytes); err != nil {
			s.halted = err
			return
		}
		hashes = hashes[count:]
	}
	s.shareNews()
}
