package client

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"peernomic/engine/ledger"
	"peernomic/signal/refusal"
)

// What becomes of another device that does not keep to the protocol.
var (
	garbled    = &ledger.Refusal{Code: ledger.Code(refusal.Garbled), Text: "another device sent something that is not a message, and its link was ended"}
	unexpected = &ledger.Refusal{Code: ledger.Code(refusal.Unexpected), Text: "another device sent what only a relay sends, and its link was ended"}
)

// turnAway counts what was refused and of which nothing is kept. What the replica remembers
// is counted there.
func (s *Session) turnAway(err error) {
	var why *ledger.Refusal
	if !errors.As(err, &why) {
		return
	}
	s.turnedAway[ledger.Finding{Code: why.Code, Text: why.Text}]++
	s.refusals++
}

// Findings sums up what reached this device and does not count: what was refused, what is void,
// and who may not seal. What was refused without a trace is counted since the start.
func (s *Session) Findings(ctx context.Context) ([]ledger.Finding, error) {
	var found []ledger.Finding
	err := s.do(ctx, func() {
		found = s.game.Replica().Findings()
		for f, n := range s.turnedAway {
			f.Count = n
			found = append(found, f)
		}
	})
	slices.SortFunc(found, func(a, b ledger.Finding) int { return cmp.Or(cmp.Compare(a.Code, b.Code), cmp.Compare(a.Text, b.Text)) })
	return found, err
}
