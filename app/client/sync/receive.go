package sync

import (
	"bytes"
	"cmp"
	"errors"
	"maps"
	"slices"

	"peernomic/engine/ledger"
	"peernomic/engine/wire"
	"peernomic/signal/refusal"
)

// What becomes of another device that does not keep to the protocol.
var (
	garbled    = &ledger.Refusal{Code: ledger.Code(refusal.Garbled), Text: "another device sent something that is not a message, and its link was ended"}
	unexpected = &ledger.Refusal{Code: ledger.Code(refusal.Unexpected), Text: "another device sent what only a relay sends, and its link was ended"}
)

// findings is what reached the node and does not count.
type findings struct {
	unkept     map[wire.EnvelopeHash]bool // what the game holds as refused and the log does not
	turnedAway map[ledger.Finding]int     // refused without a trace, without counts
	refusals   uint64                     // what was refused since the start
	byRelay    uint64                     // envelopes that came first by the relay, and
	byDirect   uint64                     // directly
}

// receiveEnvelope takes in an envelope that came from the relay (p is nil) or from a peer. The error says why it was
// refused.
func (n *Node) receiveEnvelope(b []byte, p *peer) error {
	replica := n.game.Replica()
	h := wire.HashEnvelope(b)
	_, known := replica.Envelope(h)
	_, err := n.game.Receive(b)
	if known {
		if err == nil {
			p.owe(h)
		}
		if replica.Named(h) {
			return nil // whoever sends what a seal names does what was asked for
		}
		return err
	}
	_, held := replica.Envelope(h)
	switch {
	case !held:
		n.turnAway(err)
	case err != nil:
		n.findings.refusals++
	}
	if !held || (err != nil && p != nil) {
		// What the relay sends is kept even if it is junk: a seal may name it, and
		// the order waits for what is missing.
		if held {
			n.findings.unkept[h] = true
		}
		return err
	}
	n.changed = true
	kind := KindEnvelope
	if err != nil {
		kind = KindJunk
	}
	n.fresh = append(n.fresh, Item{Kind: kind, Bytes: b})
	if p == nil {
		n.findings.byRelay++
	} else {
		n.findings.byDirect++
	}
	if err == nil {
		p.owe(h)
	}
	return err
}

// receiveSeal takes in a seal. The error says why it was refused.
func (n *Node) receiveSeal(b []byte) error {
	if seal, err := wire.ParseSeal(b); err == nil {
		if n.game.Replica().HoldsSeal(seal) {
			return nil
		}
	}
	if err := n.game.ReceiveSeal(b); err != nil {
		n.turnAway(err)
		n.changed = n.changed || len(n.game.Replica().NotaryForks()) > 0
		return err
	}
	n.changed = true
	n.fresh = append(n.fresh, Item{Kind: KindSeal, Bytes: b})
	return nil
}

// Receive takes in items that somebody has brought in a file, as if they had come from a peer.
func (n *Node) Receive(items []Item, now Time) {
	n.call(now)
	for i, item := range items {
		switch item.Kind {
		case KindEnvelope, KindJunk:
			_ = n.receiveEnvelope(item.Bytes, &peer{}) // what is refused is kept only if a seal names it
		case KindSeal:
			_ = n.receiveSeal(item.Bytes)
		}
		n.config.Pause(i+1, len(items))
	}
}

// keepJunk stores what was refused when a peer sent it, once a seal names it: at the next start the order would end
// before it.
func (n *Node) keepJunk() {
	replica := n.game.Replica()
	for _, h := range slices.SortedFunc(maps.Keys(n.findings.unkept), compareHashes) {
		if !replica.Named(h) {
			continue
		}
		delete(n.findings.unkept, h)
		if b, held := replica.Envelope(h); held {
			n.fresh = append(n.fresh, Item{Kind: KindJunk, Bytes: b})
		}
	}
}

func compareHashes(a, b wire.EnvelopeHash) int { return bytes.Compare(a[:], b[:]) }

// turnAway counts what was refused and of which nothing is kept. What the replica remembers is counted there.
func (n *Node) turnAway(err error) {
	var why *ledger.Refusal
	if !errors.As(err, &why) {
		return
	}
	n.findings.turnedAway[ledger.Finding{Code: why.Code, Text: why.Text}]++
	n.findings.refusals++
}

// Findings sums up what reached this device and does not count: what was refused and what is void. What was refused
// without a trace is counted since the start.
func (n *Node) Findings() []ledger.Finding {
	found := n.game.Replica().Findings()
	for f, count := range n.findings.turnedAway {
		f.Count = count
		found = append(found, f)
	}
	slices.SortFunc(found, func(a, b ledger.Finding) int { return cmp.Or(cmp.Compare(a.Code, b.Code), cmp.Compare(a.Text, b.Text)) })
	return found
}
