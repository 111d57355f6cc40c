package sync

import (
	"cmp"
	"maps"
	"reflect"
	"slices"
	"time"

	"peernomic/engine/ledger"
	"peernomic/engine/wire"
)

const (
	// announceAfter gathers changes before peers are told of them.
	announceAfter = 150 * time.Millisecond
	// AskAgain is how long a want that brought nothing counts as under way. Once everything was asked for in vain, the
	// next waits for askSeldom.
	AskAgain  = 5 * time.Second
	askSeldom = time.Minute
	// HaveAgain is when a peer is told what we have though nothing has changed. A link loses nothing, and a device asks
	// for what it lacks, so nothing is known that this mends: it bounds for how long a mistake of either program
	// can keep two devices apart.
	HaveAgain = 5 * time.Minute
	// A peer that sends more messages a second, or more refused things, than these does not keep to the protocol. Its
	// link is ended.
	maxMessages = 2000
	MaxRefused  = 32
	// answerSeals is how many seals one answer to a want carries.
	answerSeals = 64
)

// peer is another member with a link to this one.
type peer struct {
	link     Link
	instance Instance
	device   ledger.DeviceKey // which one it says it is; zero as long as that is not known
	greeted  bool             // this device has shown the peer which one it is
	hello    *wire.Hello      // waits for the peer's enrolment
	proven   bool             // the peer has shown that it is that device

	have   *wire.Have // what it last said it has
	told   wire.Have  // what it was last told that we have
	toldAt time.Time
	asked  time.Time // when it was last asked for what is missing; zero if that brought something
	gained bool      // something new came from it since
	back   uint64    // how much earlier in all feeds it is asked, because asking brought nothing
	owed   []wire.EnvelopeHash

	compared wire.SealHash // the newest seal whose chain was compared with ours, and
	backTo   uint64        // from where
	warned   accusation    // the proof that it knows, that the notary signed two chains

	messages int // since second
	second   time.Time
	refused  int
	blamed   map[wire.EnvelopeHash]bool // refused envelopes that it sent, until it is clear whether a seal names them
}

// sharing is when peers are told what we have.
type sharing struct {
	announce bool      // they are to be told
	due      time.Time // when; zero if that is not settled
}

// inOrder returns the peers by their links.
func (n *Node) inOrder() []*peer {
	return slices.SortedFunc(maps.Values(n.peers), func(a, b *peer) int { return cmp.Compare(a.link, b.link) })
}

// PeerUp begins a link to another device, in place of one to the same program. The device is the one that it says it
// is; zero if it has not said so yet, see [Node.PeerIs].
func (n *Node) PeerUp(link Link, instance Instance, device ledger.DeviceKey, now Time) {
	n.call(now)
	for _, old := range n.inOrder() {
		if old.instance == instance {
			n.hangUp(old.link)
			delete(n.peers, old.link)
		}
	}
	p := &peer{link: link, instance: instance, device: device}
	n.peers[link] = p
	n.greet(p)
	n.tell(p, n.Have())
	n.tellProof(p)
}

// PeerIs says which device a peer says it is.
func (n *Node) PeerIs(link Link, device ledger.DeviceKey) {
	if p := n.peers[link]; p != nil {
		p.device = device
	}
}

// PeerDown ends a link.
func (n *Node) PeerDown(link Link) { delete(n.peers, link) }

// tell tells a peer what we have.
func (n *Node) tell(p *peer, have wire.Have) {
	if n.storage != nil {
		return // what is not on the disk is not told of
	}
	p.told, p.toldAt = have, n.now.Steady
	n.send(p.link, have)
}

// Have describes the replica as far as its state has a digest.
func (n *Node) Have() wire.Have {
	replica := n.game.Replica()
	number, digest := n.Confirmed()
	seal, _ := replica.Seal(number)
	return wire.Have{Seals: number, SealHash: seal.Hash, Digest: digest, Feeds: replica.Feeds()}
}

// tellPeers announces what changed, a little later, so that a burst is one message.
func (n *Node) tellPeers() {
	s := &n.sharing
	switch {
	case !s.announce || len(n.peers) == 0:
	case s.due.IsZero():
		s.due = n.now.Steady.Add(announceAfter)
	case !n.now.Steady.Before(s.due):
		*s = sharing{}
		have := n.Have()
		for _, p := range n.inOrder() {
			n.greetAgain(p)
			if !reflect.DeepEqual(have, p.told) || n.now.since(p.toldAt) >= HaveAgain {
				n.tell(p, have)
			}
			n.tellProof(p)
		}
	}
}

// FromPeer carries out one message of a peer. Nothing in it is trusted: envelopes and seals prove themselves, and
// the rest only asks or informs.
func (n *Node) FromPeer(link Link, m wire.Message, now Time) {
	n.call(now)
	p := n.peers[link]
	if p == nil || !n.allowed(p) {
		return
	}
	switch m.(type) {
	case wire.Envelopes, wire.Seals:
	default:
		n.blame(p)
	}
	switch m := m.(type) {
	case wire.Hello:
		n.recognise(p, m)
	case wire.Have:
		p.have = &m
		if p.gained {
			p.gained, p.asked, p.back = false, time.Time{}, 0
		}
		n.compare(p)
		n.noteHeld(p)
		n.ask(p)
	case wire.Want:
		n.answer(p, m)
	case wire.Envelopes:
		n.envelopesFrom(p, m)
	case wire.Seals:
		n.sealsFrom(p, m)
	case wire.Ack:
		for _, h := range m.Hashes {
			if o := n.outgoing[h]; o != nil && p.proven {
				o.peers = true
			}
		}
	default:
		n.turnAway(unexpected)
		n.hangUp(p.link) // devices send each other nothing else
	}
}

// Garbled notes that a peer sent what is no message; its link has ended.
func (n *Node) Garbled() { n.turnAway(garbled) }

func (n *Node) envelopesFrom(p *peer, m wire.Envelopes) {
	before := len(n.fresh)
	for i, e := range m.Envelopes {
		if err := n.receiveEnvelope(e, p); isFault(err) && n.mayBeSealed(e) {
			n.suspect(p, e)
		} else {
			n.judge(p, err)
		}
		n.config.Pause(i+1, len(m.Envelopes))
	}
	p.gained = p.gained || len(n.fresh) > before
}

func (n *Node) sealsFrom(p *peer, m wire.Seals) {
	if proof, ok := proofIn(m); ok {
		err := n.receiveProof(proof)
		n.turnAway(err)
		n.judge(p, err)
		return
	}
	before := len(n.fresh)
	for i, b := range m.Seals {
		err := n.receiveSeal(b)
		n.judge(p, err)
		if !isFault(err) {
			p.excuse(b)
		}
		n.config.Pause(i+1, len(m.Seals))
	}
	n.blame(p)
	p.gained = p.gained || len(n.fresh) > before
}

// owe notes that a peer is to be told that its envelope is on the disk. The peer may be nil.
func (p *peer) owe(h wire.EnvelopeHash) {
	if p != nil && len(p.owed) < wire.MaxBatch {
		p.owed = append(p.owed, h)
	}
}

// acknowledge tells peers what of theirs is on the disk.
func (n *Node) acknowledge() {
	if len(n.fresh) > 0 || !n.writes {
		return
	}
	for _, p := range n.inOrder() {
		if len(p.owed) > 0 {
			n.send(p.link, wire.Ack{Hashes: p.owed})
			p.owed = nil
		}
	}
}

// noteHeld finds out from a peer's feeds that it holds this device's newest action. A stranger's word does not count.
func (n *Node) noteHeld(p *peer) {
	if p.have == nil || !p.proven {
		return
	}
	mine := n.config.Device.Key()
	for _, f := range p.have.Feeds {
		if f.Device == [32]byte(mine) {
			n.states.heldByPeers = max(n.states.heldByPeers, f.Seq)
		}
	}
}

// ask asks a peer for what it has and this device has not. If that brings nothing, it may be that a third device
// forked its feed and each of us has another branch: numbers do not show that. Then it is asked again for ever
// older actions, until what is missing is found.
func (n *Node) ask(p *peer) {
	patience := AskAgain
	if p.back == wire.MaxBatch {
		patience = askSeldom
	}
	if n.now.since(p.asked) < patience {
		return
	}
	replica := n.game.Replica()
	feeds := replica.Feeds()
	if p.have.Seals <= replica.OrderedSeals() && !lacks(feeds, p.have.Feeds) {
		return
	}
	if !p.asked.IsZero() {
		p.back = min(max(2*p.back, 1), wire.MaxBatch)
	}
	for i := range feeds {
		feeds[i].Seq -= min(p.back, feeds[i].Seq)
	}
	p.asked = n.now.Steady
	n.send(p.link, wire.Want{FromSeal: replica.OrderedSeals() + 1, Feeds: feeds})
}

// askOn asks those again whom asking brought nothing.
func (n *Node) askOn() {
	for _, p := range n.inOrder() {
		if !p.asked.IsZero() {
			n.ask(p)
		}
	}
}

// lacks reports whether other feeds go beyond mine.
func lacks(mine, other []wire.FeedPosition) bool {
	has := make(map[[32]byte]uint64, len(mine))
	for _, f := range mine {
		has[f.Device] = f.Seq
	}
	return slices.ContainsFunc(other, func(f wire.FeedPosition) bool { return f.Seq > has[f.Device] })
}

// parted reports whether a peer has another chain than ours, by a notary that has signed two: then our seals do not
// follow its own, and what it lacks does not come with them.
func (n *Node) parted(p *peer) bool {
	if p.have == nil {
		return false
	}
	mine, ok := n.game.Replica().Seal(p.have.Seals)
	return ok && mine.Hash != p.have.SealHash
}

// answer sends a peer one batch of what it lacks, and then what we have, so that it asks again if that was not all.
func (n *Node) answer(p *peer, m wire.Want) {
	replica := n.game.Replica()
	size, sent := 0, false
	for _, seal := range replica.SealsFrom(m.FromSeal, answerSeals) {
		if seal.Number > replica.OrderedSeals() || (sent && size > frameBytes) {
			break
		}
		var envelopes [][]byte
		for _, h := range seal.Envelopes {
			if b, ok := replica.Envelope(h); ok {
				envelopes = append(envelopes, b)
				size += len(b)
			}
		}
		n.sendEnvelopes(p.link, envelopes)
		n.send(p.link, wire.Seals{Seals: [][]byte{seal.Bytes}})
		sent = true
	}
	if !sent || n.parted(p) {
		n.sendEnvelopes(p.link, replica.EnvelopesAfter(m.Feeds, wire.MaxBatch))
	}
	n.tell(p, n.Have())
}
