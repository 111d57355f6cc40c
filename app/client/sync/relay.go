package sync

import (
	"errors"
	"time"

	"peernomic/engine/wire"
	"peernomic/signal/refusal"
)

const (
	// pingEvery keeps the connection open and the clock right (the relay's may jump); silence is how long nothing may
	// come before it counts as lost.
	pingEvery = 10 * time.Second
	silence   = 45 * time.Second
	// wakeTime is how long a pong may take after the page came back to the front.
	wakeTime = 2 * time.Second
	// resendAfter is when an envelope without acknowledgement is sent again; foreignAfter, when somebody else's that no
	// seal names is sent at all: its author will do so unless they are cut off.
	resendAfter  = 10 * time.Second
	foreignAfter = 3 * time.Second
)

// ErrOtherRelay reports a relay that does not continue the game's chain of seals.
var ErrOtherRelay = errors.New("the relay does not have the seals of this game: it has lost data, or is another relay")

// relay is what a node knows of its relay.
//
// Invariants: caughtUp implies connected. While suspect, the relay is only asked for seals that prove what its notary
// did, and nothing else of it is used.
type relay struct {
	mode      Mode
	connected bool
	suspect   bool // its chain is not ours
	problem   string
	goal      uint64 // the seal up to which the node is being caught up
	caughtUp  bool
	heard     time.Time // when the last message came
	pinged    time.Time // when the last ping went
	deadline  time.Time // by when a pong must come, if set
	asked     time.Time // when the log was last asked for
	backTo    uint64    // the earliest seal that it was asked for to prove what its notary did; 0 for none
}

// outgoing is an envelope that no seal names yet.
type outgoing struct {
	since   time.Time // known here
	own     bool      // of this device: sent at once
	sent    time.Time // to the relay
	relay   bool      // the relay has it on its disk
	peers   bool      // another member has it on its disk
	refused string    // why the relay will not have it
}

func (o *outgoing) due(now time.Time) bool {
	if o.relay || o.refused != "" || now.Sub(o.sent) < resendAfter {
		return false
	}
	return o.own || now.Sub(o.since) >= foreignAfter
}

// toRelay gives out a message for the relay, if it is connected.
func (n *Node) toRelay(m wire.Message) {
	if n.relay.connected {
		n.send(Relay, m)
	}
}

func (n *Node) hangUpRelay() {
	if n.relay.connected {
		n.relay.connected, n.relay.caughtUp = false, false
		n.hangUp(Relay)
	}
}

// RelayUp begins a connection to the relay. It fails with [ErrOtherRelay].
func (n *Node) RelayUp(w wire.Welcome, now Time) error {
	n.call(now)
	n.offset = w.Time - now.Clock
	r := relay{mode: n.relay.mode, connected: true, heard: now.Steady, pinged: now.Steady, asked: now.Steady}
	if err := n.checkWelcome(w); err != nil {
		_, unsure := n.beforeParting()
		if !n.contradicts(w) || n.proof.named != (accusation{}) && !unsure {
			return err
		}
		// Not used, but asked for the seal that proves that its notary signed two chains.
		r.suspect, r.problem = true, err.Error()
		n.relay = r
		n.askBack(w.Seals)
		return nil
	}
	r.goal = w.Seals
	n.relay = r
	for _, o := range n.outgoing {
		o.sent = time.Time{} // what the last connection did with it is unknown
	}
	n.toRelay(n.wantMore())
	n.toRelay(wire.Ping{})
	n.changed = true
	n.checkCaughtUp()
	return nil
}

// wantMore asks the relay for what follows what the node holds.
func (n *Node) wantMore() wire.Want {
	return wire.Want{FromSeal: n.game.Replica().OrderedSeals() + 1, Feeds: []wire.FeedPosition{}}
}

// checkWelcome tells whether a relay goes on from the seals that this device has.
func (n *Node) checkWelcome(w wire.Welcome) error {
	replica := n.game.Replica()
	if genesis, ok := replica.Genesis(); ok && (genesis.Notary != w.Notary || genesis.Anchor != w.Anchor) {
		return ErrOtherRelay
	}
	if w.Seals < replica.Seals() {
		return ErrOtherRelay
	}
	if mine, ok := replica.Seal(w.Seals); ok && mine.Hash != w.SealHash {
		return ErrOtherRelay
	}
	return nil
}

// contradicts reports whether a relay's newest seal is another one than ours of that number, by the same notary: the
// two together prove what it did.
func (n *Node) contradicts(w wire.Welcome) bool {
	mine, ok := n.game.Replica().Seal(w.Seals)
	return ok && mine.Notary == w.Notary && mine.Hash != w.SealHash
}

// RelayDown ends a connection.
func (n *Node) RelayDown(now Time) {
	n.call(now)
	n.relay = relay{mode: n.relay.mode, goal: n.relay.goal}
}

// HangUpRelay gives up the connection to the relay.
func (n *Node) HangUpRelay(now Time) {
	n.call(now)
	n.hangUpRelay()
}

// FromRelay carries out one message of the relay.
func (n *Node) FromRelay(m wire.Message, now Time) {
	n.call(now)
	if !n.relay.connected {
		return
	}
	n.relay.heard = now.Steady
	if n.relay.suspect {
		n.fromSuspect(m)
		return
	}
	switch m := m.(type) {
	case wire.Envelopes:
		for i, e := range m.Envelopes {
			_ = n.receiveEnvelope(e, nil) // a refused one is remembered by the replica
			n.config.Pause(i+1, len(m.Envelopes))
		}
	case wire.Seals:
		for i, b := range m.Seals {
			if err := n.receiveSeal(b); err != nil {
				n.relay.problem = err.Error()
				n.probe(err)
			}
			n.config.Pause(i+1, len(m.Seals))
		}
	case wire.Ack:
		for _, h := range m.Hashes {
			if o := n.outgoing[h]; o != nil {
				o.relay = true
			}
		}
	case wire.Refusal:
		n.relayRefuses(m)
	case wire.Ping:
		n.toRelay(wire.Pong{Time: now.Clock})
	case wire.Pong:
		n.pong(m)
	}
	n.checkCaughtUp()
}

func (n *Node) pong(m wire.Pong) {
	if !n.relay.pinged.IsZero() {
		half := n.now.since(n.relay.pinged).Milliseconds() / 2
		n.offset = m.Time + half - n.now.Clock
		n.changed = true
	}
	n.relay.deadline = time.Time{}
}

// checkCaughtUp notes when all that the relay had at the beginning is here. Before that nothing is sent: an own action
// may be among it.
func (n *Node) checkCaughtUp() {
	if n.relay.connected && !n.relay.suspect && n.game.Replica().HoldsSealsTo(n.relay.goal) {
		n.relay.caughtUp = true
	}
}

// CaughtUp reports whether the relay is connected and all is here that it had at the beginning.
func (n *Node) CaughtUp() bool { return n.relay.caughtUp }

func (n *Node) relayRefuses(m wire.Refusal) {
	o := n.outgoing[m.Subject]
	final := refusal.Code(m.Code).Final()
	switch {
	case o != nil && final:
		o.refused = m.Text
	case o != nil:
		o.sent = n.now.Steady.Add(2*time.Second - resendAfter) // again in a moment
	}
	if final {
		n.relay.problem = m.Text
	}
}

// sendOutgoing sends the relay what no seal names yet and it has not acknowledged.
func (n *Node) sendOutgoing() {
	replica := n.game.Replica()
	unsealed := replica.Unsealed()
	current := make(map[wire.EnvelopeHash]*outgoing, len(unsealed))
	var batch [][]byte
	for _, h := range unsealed {
		o := n.outgoing[h]
		if o == nil {
			o = &outgoing{since: n.now.Steady}
		}
		current[h] = o
		if !n.relay.caughtUp || !o.due(n.now.Steady) {
			continue
		}
		b, _ := replica.Envelope(h)
		batch = append(batch, b)
		o.sent = n.now.Steady
	}
	n.sendEnvelopes(Relay, batch)
	n.outgoing = current
}

// relayOverdue is called every tick of a writer.
func (n *Node) relayOverdue() {
	switch r := &n.relay; {
	case !r.connected:
	case n.now.since(r.heard) > silence, !r.deadline.IsZero() && n.now.Steady.After(r.deadline):
		n.hangUpRelay()
	case n.now.since(r.pinged) > pingEvery:
		n.ping()
	}
}

func (n *Node) ping() {
	n.relay.pinged = n.now.Steady
	n.toRelay(wire.Ping{})
}

// Wake makes sure that the connection to the relay still holds: a pong has to come soon. It reports whether there is one.
func (n *Node) Wake(now Time) bool {
	n.call(now)
	if n.relay.connected {
		n.relay.deadline = now.Steady.Add(wakeTime)
		n.ping()
	}
	return n.relay.connected
}

// askForMissing asks the relay again for what seals name and nobody has sent.
func (n *Node) askForMissing() {
	replica := n.game.Replica()
	behind := replica.Seals() < n.relay.goal || replica.OrderedSeals() < replica.Seals()
	if !n.relay.connected || !behind || n.now.since(n.relay.asked) < resendAfter {
		return
	}
	n.relay.asked = n.now.Steady
	n.toRelay(n.wantMore())
}
