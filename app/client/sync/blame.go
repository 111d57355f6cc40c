package sync

import (
	"time"

	"peernomic/engine/ledger"
	"peernomic/engine/wire"
)

// This file ends the links of devices that send what is refused, or too much of anything.

// allowed counts a peer's messages, and ends its link when it sends too many.
func (n *Node) allowed(p *peer) bool {
	if n.now.since(p.second) > time.Second {
		p.second, p.messages = n.now.Steady, 0
	}
	p.messages++
	if p.messages > maxMessages {
		n.hangUp(p.link)
		return false
	}
	return true
}

// judge notes that a peer sent what is refused.
func (n *Node) judge(p *peer, err error) {
	if isFault(err) {
		n.count(p, 1)
	}
}

// count counts what a peer sent that is refused, and ends the link when that is too much.
func (n *Node) count(p *peer, refused int) {
	if p.refused += refused; p.refused >= MaxRefused {
		n.hangUp(p.link)
	}
}

// isFault reports whether what a peer sent was refused for what is its fault. Seals that do not fit together are not:
// the notary alone can sign them. Nor is what belongs to a rival game: the peer may not know better yet.
func isFault(err error) bool {
	switch ledger.CodeOf(err) {
	case ledger.CodeNotaryFork, ledger.CodeSealPrev, ledger.CodeGenesis, ledger.CodeGame, ledger.CodeDepends:
		return false
	}
	return err != nil
}

// mayBeSealed reports whether a relay seals an envelope, whatever it holds.
func (n *Node) mayBeSealed(envelope []byte) bool {
	e, err := wire.ParseEnvelope(envelope)
	return err == nil && e.Room == n.config.Keys.ID
}

// suspect notes that a peer sent an envelope that is refused: it is the peer's fault, unless a seal that comes with it
// names it.
func (n *Node) suspect(p *peer, envelope []byte) {
	h := wire.HashEnvelope(envelope)
	switch {
	case p.blamed[h]:
		n.count(p, 1)
	case len(p.blamed) == wire.MaxSealEnvelopes:
		n.blame(p) // more than the next seal can name
	case p.blamed == nil:
		p.blamed = map[wire.EnvelopeHash]bool{h: true}
	default:
		p.blamed[h] = true
	}
}

// excuse takes back the blame for envelopes that a seal names, in whichever order of the notary: they were asked for
// with it.
func (p *peer) excuse(seal []byte) {
	s, err := wire.ParseSeal(seal)
	if err != nil {
		return // it was judged
	}
	for _, h := range s.Envelopes {
		delete(p.blamed, h)
	}
}

// blame notes that a peer sent envelopes that are refused and that the seal which came with them does not name.
func (n *Node) blame(p *peer) {
	n.count(p, len(p.blamed))
	clear(p.blamed)
}
