package sync

import "peernomic/engine/ledger"

// Status says how a node stands to the others. It is a copy.
type Status struct {
	Connected bool   // the relay is, and is used
	Suspect   bool   // the relay is connected, and its chain is not ours
	CaughtUp  bool   // all is here that the relay had at the beginning
	Goal      uint64 // the number of its newest seal then
	Seals     uint64 // linked here
	Problem   string // what is wrong with the relay, in words for people
	TwoChains bool   // the notary is known to have signed two
	Unsent    int    // own actions that nobody else is known to hold
	NotTaken  string // why the relay does not take something of this device any more, in words; or empty
	Synced    bool   // others hold all that this device has done
	// Envelopes by the path on which they came first.
	EnvelopesDirect, EnvelopesRelay uint64
	Refusals                        uint64 // since the start; see [Node.Findings]
	Offset                          int64  // the relay's clock minus the device's, ms
	Diverged                        *Divergence
}

// Status returns how the node stands to the others.
func (n *Node) Status() Status {
	s := Status{
		Connected: n.relay.connected && !n.relay.suspect, Suspect: n.relay.suspect, CaughtUp: n.relay.caughtUp,
		Goal: n.relay.goal, Seals: n.game.Replica().Seals(), Problem: n.relay.problem, TwoChains: TwoChains(n.game.Replica()),
		EnvelopesDirect: n.findings.byDirect, EnvelopesRelay: n.findings.byRelay, Refusals: n.findings.refusals,
		Offset: n.offset, Diverged: n.states.diverged,
	}
	s.Unsent, s.NotTaken = n.unsent()
	s.Synced = s.Unsent == 0 && (n.relay.caughtUp || len(n.peers) > 0 || n.own.notary != nil)
	return s
}

// TwoChains reports whether the notary of a game is known to have signed two chains.
func TwoChains(r *ledger.Replica) bool { return len(r.NotaryForks()) > 0 }

// Proven reports whether a peer has shown that it is the device that it says it is.
func (n *Node) Proven(link Link) bool {
	p := n.peers[link]
	return p != nil && p.proven
}

// unsent counts this device's actions that neither the relay nor a peer is known to hold, and says why the relay takes
// one of them no more.
func (n *Node) unsent() (count int, notTaken string) {
	mine := n.config.Device.Key()
	for _, p := range n.game.Replica().Tentative() {
		a := p.Action.Action()
		if a.Device != mine {
			continue
		}
		o := n.outgoing[p.Envelope]
		if a.Seq > n.states.heldByPeers && (o == nil || !o.relay && !o.peers) {
			count++
		}
		if o != nil && o.refused != "" {
			notTaken = o.refused
		}
	}
	return count, notTaken
}
