// Package sync keeps one device in step with the others in a room. It is pure, as the core of etcd's raft is: what
// arrives and the time go in; log items, messages and hang-ups come out as a [Ready]. It has no goroutine, socket,
// clock or disk of its own, so the simulator (app/simtest) drives the same code as the app.
//
// Vocabulary:
//
//   - A [Node] is one program's part in one room. Either it writes, and alone signs, stores and sends for its
//     device; or it reads, and follows the log that the writer keeps.
//   - A link is a connection: to the relay ([Relay]), or to another device.
//   - Unsealed is an envelope that no seal names yet. What nobody else is known to hold is unsent.
package sync

import (
	"slices"
	"time"

	"peernomic/engine/game"
	"peernomic/engine/ledger"
	"peernomic/engine/wire"
)

const (
	// advanceEvery is how often the game is advanced though nothing arrived: what is tentative, and what is open,
	// depends on the time.
	advanceEvery = 15 * time.Second
	// frameBytes is about how much one message carries.
	frameBytes = 512 << 10
	// step is how many actions are carried out between two pauses.
	step = 4
	// atOnce is how many actions are too few to pause between them.
	atOnce = 16
)

// Link names a connection of a node. The program around the node numbers them; a number is never used again.
type Link uint64

// Relay is the link to the room's relay. It is the only one whose number is used again.
const Relay Link = 0

// Instance names a program to the other members of the room: another one at each start.
type Instance [16]byte

// Time is when a node is called.
type Time struct {
	Steady time.Time // for timeouts: whoever sets the device's clock does not move it
	Clock  int64     // the device's clock, Unix ms
}

// since returns how long something is past that happened at a steady time.
func (t Time) since(then time.Time) time.Duration { return t.Steady.Sub(then) }

// Config is what a node begins with.
type Config struct {
	Keys     ledger.RoomKeys
	Game     *game.Game // empty; the node owns it
	Identity *ledger.Identity
	Device   *ledger.Device
	Pen      *ledger.Pen // made when first needed, if nil
	Instance Instance
	// Pause is called between pieces of long work, each of which takes a millisecond or two, with how much of it is
	// done. Nothing that a node does depends on it.
	Pause func(done, total int)
	// Confirmed is [game.Game.Confirmed] unless a test has the device see another state.
	Confirmed func(*game.Game) (uint64, [32]byte)
}

// Kind says what an item of the log is. It is in the log's format; only append.
type Kind uint8

// The kinds of items.
const (
	KindInvalid     Kind = iota
	KindEnvelope         // an envelope that was accepted
	KindSeal             // a seal that was accepted
	KindNotaryProof      // a [ledger.NotaryProof]
	KindJunk             // an envelope that was refused, kept because a seal may name it
)

// Item is one thing in a device's log of a room.
type Item struct {
	_     struct{} `cbor:",toarray"`
	Kind  Kind
	Bytes []byte
}

// Mark names the newest action of a device in a room. It is written after the action, and kept with the keys: a
// device that finds less in its log than the mark says has lost something, and must not sign before it has it back.
type Mark struct {
	_   struct{} `cbor:",toarray"`
	Seq uint64
	ID  ledger.ActionID
}

// Message is a message on its way out.
type Message struct {
	To      Link
	Content wire.Message
}

// Ready is what a node wants done: either something is to be stored, or something to be sent. The program around the
// node appends Items to the log, with Mark after them, and reports what came of that to [Node.Stored]. It sends
// Messages and ends the links in HangUp. A node never gives out messages as long as there is something to be
// stored, so no message is ahead of the disk.
type Ready struct {
	Items    []Item
	Mark     *Mark // nil unless Items hold an own action
	Messages []Message
	HangUp   []Link
	// Advanced reports whether the game may have changed.
	Advanced bool
	// Placed are the actions of this device that have got their place, and were carried out, since the last Ready.
	Placed []ledger.ActionID
	// Wake is when [Node.Tick] is to be called at the latest; zero for no hurry.
	Wake time.Time
}

// Node is one program's part in one room. Its methods are called one at a time; after each call, or after several,
// comes [Node.Ready], until it has nothing more to do.
//
// Invariants:
//
//   - What the game holds is in the log or in fresh, but for junk that no seal names (see findings.unkept).
//   - An own action is in own until it is on the disk. Only then is it in the game, and sent.
//   - A node that reads has no links, and neither signs nor stores.
type Node struct {
	config Config
	now    Time // of the call under way
	game   *game.Game
	name   string // what the person wants to be called; empty to only read
	writes bool

	changed  bool // the game has changed since it was last advanced
	advanced time.Time
	offset   int64 // the relay's clock minus ours, ms
	seen     int   // how many placed actions were looked at for Ready.Placed

	fresh   []Item // taken in, and not in the log
	storage error  // why the disk did not take fresh; tried again
	stalled bool   // fresh waits for the next call
	out     Ready  // being gathered

	own      own
	relay    relay
	outgoing map[wire.EnvelopeHash]*outgoing
	peers    map[Link]*peer
	sharing  sharing
	states   states
	proof    proof
	findings findings
	asked    reminded
}

// New returns a node that reads.
func New(c Config) *Node {
	if c.Pause == nil {
		c.Pause = func(int, int) {}
	}
	if c.Confirmed == nil {
		c.Confirmed = (*game.Game).Confirmed
	}
	return &Node{
		config: c, game: c.Game,
		own:      own{pen: c.Pen},
		outgoing: map[wire.EnvelopeHash]*outgoing{},
		peers:    map[Link]*peer{},
		states:   states{ignored: map[Instance]bool{}},
		findings: findings{unkept: map[wire.EnvelopeHash]bool{}, turnedAway: map[ledger.Finding]int{}},
	}
}

// Game returns the game. Its owner may read it, and resume it from a snapshot when the log has been restored.
func (n *Node) Game() *game.Game { return n.game }

// SetName says what the person wants to be called; empty to only read.
func (n *Node) SetName(name string) { n.name, n.changed = name, true }

// SetMark says which own action is the newest that the device has signed.
func (n *Node) SetMark(m Mark) { n.own.mark = m }

// SetOffset says how far the relay's clock is ahead of the device's, in a node that reads: it hears so from the writer.
func (n *Node) SetOffset(ms int64) { n.offset = ms }

// Restore takes in an item of the log. Its signature was judged when it came in; only junk is judged again, as it
// has to be refused again.
func (n *Node) Restore(item Item) {
	n.changed = true
	switch item.Kind {
	case KindEnvelope:
		_, _ = n.game.Restore(item.Bytes) // it was accepted once
	case KindJunk:
		_, _ = n.game.Receive(item.Bytes)
	case KindSeal:
		_ = n.game.RestoreSeal(item.Bytes)
	case KindNotaryProof:
		n.restoreProof(item.Bytes)
	}
}

// Mode is how a node that writes reaches others.
type Mode int

// The modes.
const (
	Alone    Mode = iota // there is no relay
	Practice             // the device is its own notary
	Online               // by a relay
)

// Write makes a node the writer, once the whole log is restored.
func (n *Node) Write(mode Mode, now Time) {
	n.now, n.writes, n.changed = now, true, true
	for _, h := range n.game.Replica().Unsealed() {
		// Ours, or what we were the last to know of: sent again.
		n.outgoing[h] = &outgoing{since: now.Steady, own: true}
	}
	n.relay.mode = mode
	if mode == Practice {
		n.own.halted = n.resumeNotary()
	}
}

// Writes reports whether the node writes.
func (n *Node) Writes() bool { return n.writes }

// Clock returns the time by the relay's clock, as far as it is known: Unix ms.
func (n *Node) Clock(now Time) int64 { return now.Clock + n.offset }

// Confirmed returns the newest seal that has been carried out, and the digest of the state after it.
func (n *Node) Confirmed() (seal uint64, digest [32]byte) { return n.config.Confirmed(n.game) }

// Pending reports whether something waits for [Node.Ready].
func (n *Node) Pending() bool {
	return n.changed || len(n.fresh) > 0 && !n.stalled || len(n.own.unstored) > 0 || len(n.out.Messages) > 0 || len(n.out.HangUp) > 0
}

// Tick is called about every second, and at [Ready.Wake].
func (n *Node) Tick(now Time) {
	n.call(now)
	if now.since(n.advanced) >= advanceEvery {
		n.changed = true
	}
	if !n.writes {
		return
	}
	n.relayOverdue()
	n.askForMissing()
	n.askOn()
	n.endWait()
}

// call begins a call.
func (n *Node) call(now Time) { n.now, n.stalled = now, false }

// Ready returns what is to be done now.
func (n *Node) Ready(now Time) Ready {
	n.now = now
	n.accuse()
	n.keepJunk()
	n.acknowledge()
	if n.changed {
		n.advance()
		n.introduce()
		n.witness()
		n.sharing.announce = true
	}
	if n.writes {
		n.sendOutgoing()
		n.tellPeers()
	}
	r := n.out
	n.out = Ready{}
	r.Wake = n.sharing.due
	if n.writes && !n.stalled {
		r.Items, r.Mark = n.fresh[:len(n.fresh):len(n.fresh)], n.ownMark()
		for _, w := range n.own.unstored {
			r.Items = append(r.Items, w.items...)
		}
	}
	if len(r.Items) > 0 {
		n.out.Messages, r.Messages = r.Messages, nil
	}
	return r
}

// Stored says whether all of a [Ready]'s items, and its mark, are on the disk. If not, what came from others is tried
// again; but nothing is signed any more before the next start if an own action was among it: it may be on the disk,
// and to sign another with its number would be a fork.
func (n *Node) Stored(err error, now Time) {
	n.now, n.storage = now, err
	own := n.own.unstored
	n.own.unstored = nil
	if err != nil {
		n.stalled = true
		n.out.Messages = slices.DeleteFunc(n.out.Messages, func(m Message) bool { _, have := m.Content.(wire.Have); return have })
		n.notStored(own, err)
		return
	}
	n.fresh = nil
	for _, w := range own {
		n.adopt(w)
	}
}

// advance brings the game up to what the node holds and to the present time.
func (n *Node) advance() {
	n.changed, n.advanced, n.out.Advanced = false, n.now.Steady, true
	_, _, sealed := n.game.Replica().LastSeal()
	// The relay's clock is at least at its newest seal.
	n.offset = max(n.offset, sealed-n.now.Clock)
	n.sealPractice()
	n.CatchUp()
	n.game.Advance(n.Clock(n.now))
	if seal, digest := n.Confirmed(); seal > 0 {
		n.states.put(seal, digest)
		n.compareAll()
	}
	n.notePlaced()
}

// CatchUp carries out what the order has and the game has not, with pauses.
func (n *Node) CatchUp() {
	if n.game.Behind() <= atOnce {
		return
	}
	for done, before := 0, -1; done > before; {
		var total int
		before = done
		done, total = n.game.CatchUp(step)
		n.config.Pause(done, total)
	}
}

// notePlaced finds which own actions have been carried out in their place.
func (n *Node) notePlaced() {
	placed := n.game.Replica().Placed()
	done := len(placed) - n.game.Behind()
	for _, p := range placed[min(n.seen, done):done] {
		if p.Action.Action().Device == n.config.Device.Key() {
			n.out.Placed = append(n.out.Placed, p.Action.ID())
		}
	}
	n.seen = done
}

// Settled reports whether an action has its place and was carried out there.
func (n *Node) Settled(id ledger.ActionID) bool {
	placed := n.game.Replica().Placed()
	for _, p := range slices.Backward(placed[:len(placed)-n.game.Behind()]) {
		if p.Action.ID() == id {
			return true
		}
	}
	return false
}

// send gives out a message.
func (n *Node) send(to Link, m wire.Message) {
	n.out.Messages = append(n.out.Messages, Message{To: to, Content: m})
}

// hangUp ends a link.
func (n *Node) hangUp(link Link) { n.out.HangUp = append(n.out.HangUp, link) }

// sendEnvelopes gives out envelopes in messages that are not too long.
func (n *Node) sendEnvelopes(to Link, envelopes [][]byte) {
	for len(envelopes) > 0 {
		count, size := 0, 0
		for count < len(envelopes) && count < wire.MaxBatch && (count == 0 || size+len(envelopes[count]) <= frameBytes) {
			size += len(envelopes[count])
			count++
		}
		n.send(to, wire.Envelopes{Envelopes: envelopes[:count]})
		envelopes = envelopes[count:]
	}
}
