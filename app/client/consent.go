package client

import (
	"context"
	"slices"

	"peernomic/engine/ledger"
	"peernomic/engine/wire"
)

// This file is about what the person alone decides: whether their order of the game is given up for another notary's.

// decision is what the person thinks of a change of notary. It is in the log.
type decision struct {
	_      struct{}      `cbor:",toarray"`
	First  wire.SealHash // the successor's first seal
	Agreed bool
}

// How a person stands to a change of notary.
const (
	CrossingAsked    = "asked"
	CrossingRefused  = "refused"
	CrossingFollowed = "followed"
)

// Crossing is a change of notary that the person has a say in.
type Crossing struct {
	ledger.PendingSuccession
	State string
}

// Crossings returns the changes of notary that wait for the person, those that they have refused, and the newest that
// the device follows.
func Crossings(r *ledger.Replica) (all []Crossing) {
	for _, p := range r.Pending() {
		all = append(all, Crossing{p, CrossingAsked})
	}
	for _, p := range r.Refused() {
		all = append(all, Crossing{p, CrossingRefused})
	}
	if s := r.Successions(); len(s) > 0 {
		newest := s[len(s)-1]
		first, _ := r.Seal(newest.Motion.Base + 1)
		all = append(all, Crossing{ledger.PendingSuccession{Succession: newest, First: first.Hash}, CrossingFollowed})
	}
	return all
}

// Choices returns of the [Crossings] those that this device can decide: it cannot go back to where it never was, because it
// came to the game by an invite to the relay that goes on. It is called within [Session.Do].
func (s *Session) Choices(r *ledger.Replica) []Crossing {
	return slices.DeleteFunc(Crossings(r), func(c Crossing) bool {
		url, err := RelayURL(c.Change.Relay)
		return c.State == CrossingFollowed && (err != nil || s.room.Home == "" || s.room.Home == url)
	})
}

// Decide says whether the person agrees to a change of notary that another relay has begun with a seal: who does not
// agree stays with the relay before, or goes back to it.
func (s *Session) Decide(ctx context.Context, first wire.SealHash, agreed bool) error {
	return s.do(ctx, func() { s.decide(decision{First: first, Agreed: agreed}) })
}

func (s *Session) decide(d decision) {
	b, err := wire.Encode(d)
	switch {
	case err != nil:
		s.storage = err
	case s.release == nil:
		s.toTabs(tabMessage{Kind: tabDecide, Data: b})
	default:
		s.fresh = append(s.fresh, logItem{Kind: itemDecision, Bytes: b})
		s.restoreDecision(b)
		s.changed = true
	}
}

// restoreDecision takes in a decision of the log.
func (s *Session) restoreDecision(b []byte) {
	var d decision
	if wire.Decode(b, &d) == nil {
		s.machine.Decide(d.First, d.Agreed)
	}
}

// agree decides what the person need not be asked: where they have signed themselves.
func (s *Session) agree() {
	if s.release == nil || s.checks.over != nil {
		return
	}
	r := s.machine.Replica()
	for _, p := range r.Pending() {
		if r.SignedFor(p, s.identity.Key()) {
			s.decide(decision{First: p.First, Agreed: true})
			break // what is pending is another now
		}
	}
}

// newReplica makes the game anew, without anything of its log.
func (s *Session) newReplica() {
	s.machine = s.config.newMachine(s.keys)
	r := s.machine.Replica()
	r.AskFirst()
	if s.room.Game != (ledger.GameID{}) {
		r.Expect(s.room.Game)
	}
}
