package client

import (
	"context"
	"fmt"
	"time"

	"peernomic/engine/ledger"
	"peernomic/engine/wire"
)

// This file lets a game open before every signature in it is judged, which takes most of the time
// that opening takes. What comes from the disk, and all that the relay has at the beginning, is
// taken in on credit: only the newest signatures are judged at once, which by hash links stand for
// those before them. The rest is judged beside the page, in batches, and shown.
//
// No verdict depends on it. Until all is judged nothing is signed, sealed, exported, or told to
// others as the game's state. If a signature is bad, the replica is made anew with that
// one judged when it is taken in, and then is what it had been if all were judged first.

const (
	// checkBatch is how many signatures are judged before the progress is shown.
	checkBatch = 128
	// checkPause is how long the page that opens has for itself before the first.
	checkPause = 300 * time.Millisecond
	// checkAtOnce is how many are too few to make a fuss of: some 30 ms in a browser.
	checkAtOnce = 64
)

// checks is what a session still has to judge. The zero value owes nothing.
type checks struct {
	owed    []ledger.Owed
	running bool
	done    int // of this check, and
	total   int // with what is owed
	over    chan struct{}
	good    map[[32]byte]bool // judged in this check
	doubt   map[[32]byte]bool // bad once: judged whenever it is taken in
	dirty   bool              // something was taken in on credit that turned out bad
}

// Checking says how far the check of a game's signatures has come.
type Checking struct{ Done, Total int }

// key names what a signature is of.
func key(o ledger.Owed) [32]byte {
	if o.Seal != (wire.SealHash{}) {
		return [32]byte(o.Seal)
	}
	return [32]byte(o.Envelope)
}

// restoreEnvelope takes in an envelope, on credit unless there is reason to doubt it.
func (s *Session) restoreEnvelope(b []byte) error {
	var err error
	if s.checks.doubt[[32]byte(wire.HashEnvelope(b))] {
		_, err = s.machine.Receive(b)
	} else {
		_, err = s.machine.Restore(b)
	}
	return err
}

func (s *Session) restoreSeal(b []byte) error {
	seal, err := wire.ParseSeal(b)
	switch {
	case err != nil:
		return err
	case s.checks.doubt[[32]byte(seal.Hash)]:
		return s.machine.ReceiveSeal(b)
	default:
		return s.machine.RestoreSeal(b)
	}
}

// takeEnvelope takes in an envelope from the relay (p is nil) or from a peer: on credit if it is
// among what the relay has at the beginning, which may be a whole game.
func (s *Session) takeEnvelope(b []byte, p *peer) error {
	if p == nil && !s.relay.caughtUp {
		return s.restoreEnvelope(b)
	}
	_, err := s.machine.Receive(b)
	return err
}

// takeSeal does the same for a seal. One that could prove something against the notary is
// judged.
func (s *Session) takeSeal(seal wire.SignedSeal) error {
	if !s.relay.caughtUp && s.relay.conn != nil && seal.Number > s.machine.Replica().Seals() {
		return s.restoreSeal(seal.Bytes)
	}
	return s.machine.ReceiveSeal(seal.Bytes)
}

// check begins to judge what the replica owes. The newest signatures are judged before it returns.
func (s *Session) check() {
	fresh := s.takeOwed()
	if len(fresh) == 0 {
		return
	}
	c := &s.checks
	if c.over == nil {
		c.over, c.good, c.done, c.total = make(chan struct{}), map[[32]byte]bool{}, 0, 0
	}
	c.owed = append(c.owed, fresh...)
	c.total += len(fresh)
	s.beSureOfNewest()
	switch {
	case c.running:
	case len(c.owed) <= checkAtOnce:
		all := c.owed
		c.owed = nil
		s.judged(all, judgeHere(all), nil)
	default:
		c.running = true
		s.config.aside(func() {
			s.config.wait(checkPause)
			s.post(s.checkSome)
		})
	}
}

// judgeHere judges some signatures without anybody's help.
func judgeHere(owed []ledger.Owed) []bool {
	verdicts := make([]bool, len(owed))
	for i, o := range owed {
		claim, err := o.Claim()
		verdicts[i] = err == nil && claim.Holds()
	}
	return verdicts
}

// takeOwed returns what the replica owes and this check has not judged yet.
func (s *Session) takeOwed() []ledger.Owed {
	var fresh []ledger.Owed
	for _, o := range s.machine.Replica().Owed() {
		if !s.checks.good[key(o)] {
			fresh = append(fresh, o)
		}
	}
	return fresh
}

// beSureOfNewest judges the newest signatures, and starts over without those that are bad.
func (s *Session) beSureOfNewest() {
	for {
		for _, o := range s.machine.Replica().Newest() {
			if s.checks.good[key(o)] {
				continue
			}
			if judgeHere([]ledger.Owed{o})[0] {
				s.checks.good[key(o)] = true
			} else {
				s.doubtful(o)
			}
		}
		if !s.checks.dirty {
			return
		}
		s.startOver()
	}
}

func (s *Session) doubtful(o ledger.Owed) {
	s.checks.doubt[key(o)] = true
	s.checks.dirty = true
}

// checkSome judges the next batch, beside the owner.
func (s *Session) checkSome() {
	c := &s.checks
	some := c.owed[:min(len(c.owed), checkBatch)]
	c.owed = c.owed[len(some):]
	s.config.aside(func() {
		verdicts, err := s.judgeAll(some)
		s.config.rest(turnRest)
		s.post(func() { s.judged(some, verdicts, err) })
	})
}

func (s *Session) judgeAll(owed []ledger.Owed) ([]bool, error) {
	claims := make([]wire.Claim, len(owed))
	for i, o := range owed {
		var err error
		if claims[i], err = o.Claim(); err != nil {
			return nil, err // the replica has parsed it
		}
	}
	return s.config.judge(s.ctx, claims)
}

// judged notes verdicts and goes on, or ends the check.
func (s *Session) judged(some []ledger.Owed, verdicts []bool, err error) {
	c := &s.checks
	if err != nil {
		if s.ctx.Err() == nil {
			s.halted = fmt.Errorf("the signatures of this game cannot be checked: %w", err)
		}
		return
	}
	for i, o := range some {
		if verdicts[i] {
			c.good[key(o)] = true
		} else if !c.doubt[key(o)] {
			s.doubtful(o)
		}
	}
	c.done += len(some)
	if len(c.owed) > 0 {
		s.checkSome()
		return
	}
	if c.dirty {
		s.startOver()
		s.beSureOfNewest()
		if c.owed = append(c.owed, s.takeOwed()...); len(c.owed) > 0 {
			c.total += len(c.owed)
			c.running = true
			s.checkSome()
			return
		}
	}
	close(c.over)
	c.over, c.good, c.running = nil, nil, false
	s.changed = true
}

// startOver makes the replica anew from the log, with what is doubtful judged as it comes.
func (s *Session) startOver() {
	s.checks.dirty = false
	if s.release != nil {
		// If it is not remembered, it is found again at the next start.
		_ = s.store.putDoubts(s.ctx, s.keys.ID, s.checks.doubt)
	}
	before := s.machine.Replica()
	s.newReplica()
	s.digests, s.snapshots, s.changed = digestLog{}, snapshots{made: s.config.steady()}, true
	next, err := s.readLog(s.ctx, 0, nil)
	if err != nil {
		s.halted = err
		return
	}
	s.next = next
	for _, item := range s.fresh {
		s.restore(item)
	}
	for _, p := range before.NotaryForks() {
		_ = s.machine.Replica().AddNotaryProof(p) // judged there
	}
	// Junk of peers is not in the log, and a seal may name it.
	for _, h := range s.machine.Replica().MissingEnvelopes() {
		if b, ok := before.Envelope(h); ok {
			_, _ = s.machine.Receive(b)
		}
	}
	if s.notary != nil {
		if err := s.resumeNotary(); err != nil {
			s.halted = err
		}
	}
}

// whenChecked calls a function, on the owner, when every signature is judged.
func (s *Session) whenChecked(f func()) {
	over := s.checks.over
	s.config.aside(func() {
		select {
		case <-over:
			s.post(f)
		case <-s.ctx.Done():
		}
	})
}

// checked waits until every signature is judged.
func (s *Session) checked(ctx context.Context) error {
	for {
		var over chan struct{}
		if err := s.do(ctx, func() { over = s.checks.over }); err != nil || over == nil {
			return err
		}
		select {
		case <-over:
		case <-ctx.Done():
			return ctx.Err()
		case <-s.ctx.Done():
			return ErrClosed
		}
	}
}
