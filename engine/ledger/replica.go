package ledger

import (
	"fmt"

	"peernomic/engine/wire"
)

// Replica is one copy of a game's log. Envelopes and seals go in, in any order and any number
// of times; the one order of all actions comes out. Two replicas that were given the same
// envelopes and seals hold the same placements, however they arrived.
//
// Invariant: [Replica.Placed] only grows. A placed action never moves and never changes.
//
// A Replica is not safe for concurrent use. Slices and values that it returns must not be
// changed.
type Replica struct {
	keys   RoomKeys
	game   GameID
	opener opener
	known  wire.KeyCache

	store
	graph
	forecast
	genesis *Genesis          // once its action is complete
	early   []wire.SignedSeal // seals that wait for the genesis, in the order of arrival
	chain   *sealChain        // of the genesis's notary, once it is known
	walk    walk              // along the chain
	version uint64            // counts changes; the forecast is valid for one version
}

// store holds a replica's envelopes, junk included.
type store struct {
	envelopes map[wire.EnvelopeHash]*envelope
	unnamed   int                 // how many of them no linked seal names
	junk      []wire.EnvelopeHash // refused and unnamed, oldest first
}

// graph holds a replica's actions and parts, with their dependencies.
type graph struct {
	actions    map[ActionID]*node
	parts      map[PartID]*part
	waitAction map[ActionID][]*node  // which nodes wait for an action to become complete
	waitPart   map[PartID][]*node    // which nodes wait for a part to be held
	admitted   []*node               // every complete action, after all that it depends on
	loose      []*node               // complete and not placed; placed ones are removed later
	tips       map[ActionID]*node    // complete, and no complete action names them yet
	devices    map[DeviceKey]*device // of all complete actions
	forks      map[feedPlace][]*node // complete actions that share a device and a number
}

// forecast is the tentative order of one version of the replica.
type forecast struct {
	tentative   []Placement
	tentativeAt uint64
}

// envelope is one held envelope.
type envelope struct {
	hash    wire.EnvelopeHash
	bytes   []byte
	named   bool     // whether a linked seal names it
	refused *Refusal // why it is junk, if it is
	action  Verified // as this envelope holds it
	node    *node    // set for actions
	part    *part    // set for parts
}

// part is a part of a body, by content.
type part struct {
	id       PartID
	content  []byte
	envelope *envelope
	placed   bool
}

type state uint8

const (
	waiting  state = iota // something that it depends on is not complete
	complete              // its form, signature and feed are good, and all that it depends on is complete
	refused
)

// node is an action that the replica holds, by its id. Several envelopes may hold one action,
// because a device can sign the same payload in several ways.
type node struct {
	Verified
	envelope *envelope // the first one held, until a seal names one
	state    state
	waits    int // how many dependencies and parts are missing before it can be complete

	// Of a complete action:
	rank int // place in Replica.admitted
	prev *node

	position position // where a linked seal names it first; zero if nowhere
	visited  bool     // whether the walk has come to it
	unplaced int      // how many of its dependencies have no place yet
	placed   bool
	dead     *Void // set if the node, or an earlier one of its feed, lost a fork

	expanded bool  // whether the parts were judged
	bodyErr  error // why they do not expand
}

// device is a device's feed in a replica.
type device struct {
	feed    []*node // complete actions by number; of several, the one that became complete first
	counted []*node // placed actions by number; of several, the one placed first
	forked  bool
}

type feedPlace struct {
	device DeviceKey
	seq    uint64
}

// NewReplica returns the empty replica of a game in its room.
func NewReplica(keys RoomKeys, game GameID) *Replica {
	return &Replica{
		keys:   keys,
		game:   game,
		opener: newOpener(keys),
		store:  store{envelopes: map[wire.EnvelopeHash]*envelope{}},
		graph: graph{
			actions:    map[ActionID]*node{},
			parts:      map[PartID]*part{},
			waitAction: map[ActionID][]*node{},
			waitPart:   map[PartID][]*node{},
			tips:       map[ActionID]*node{},
			devices:    map[DeviceKey]*device{},
			forks:      map[feedPlace][]*node{},
		},
		walk: newWalk(),
	}
}

// Keys returns the keys of the room.
func (r *Replica) Keys() RoomKeys { return r.keys }

// Game returns the game's id.
func (r *Replica) Game() GameID { return r.game }

// AddEnvelope adds an envelope. An action whose dependencies or parts are missing waits for them.
// Adding an envelope twice is no error. The error is a [*Refusal]. The replica remembers a refused
// envelope, so that the order does not wait for it if a seal names it. Nothing else changes.
//
// The replica keeps b.
func (r *Replica) AddEnvelope(b []byte) (wire.EnvelopeHash, error) {
	return r.addEnvelope(b, func(p Parsed) (Verified, error) { return p.verify(&r.known) })
}

// RestoreEnvelope is [Replica.AddEnvelope] without judging the signature of an action. Call it only
// for envelopes of this device's own log, which were judged when they came in.
func (r *Replica) RestoreEnvelope(b []byte) (wire.EnvelopeHash, error) {
	return r.addEnvelope(b, func(p Parsed) (Verified, error) { return Verified(p), nil })
}

func (r *Replica) addEnvelope(b []byte, verify func(Parsed) (Verified, error)) (wire.EnvelopeHash, error) {
	if len(b) > wire.MaxEnvelope {
		return wire.EnvelopeHash{}, refuse(CodeSize, fmt.Sprintf("an envelope has at most %d bytes", wire.MaxEnvelope))
	}
	hash := wire.HashEnvelope(b)
	if e := r.envelopes[hash]; e != nil {
		return hash, e.err()
	}
	e := &envelope{hash: hash, bytes: b, named: r.isNamed(hash)}
	if !e.named && r.unnamed >= MaxHeldEnvelopes {
		return hash, refuse(CodeFull, "too many envelopes wait for a seal")
	}
	r.version++
	r.envelopes[hash] = e
	if !e.named {
		r.unnamed++
	}
	if err := r.open(e, verify); err != nil {
		r.refuseEnvelope(e, err)
	}
	r.extend()
	return hash, e.err()
}

func (e *envelope) err() error {
	if e.refused == nil {
		return nil
	}
	return e.refused
}

// open decrypts an envelope and adds its action or part.
func (r *Replica) open(e *envelope, verify func(Parsed) (Verified, error)) *Refusal {
	o, err := r.opener.open(e.bytes)
	if err != nil {
		return asRefusal(err)
	}
	if o.Content == ContentPart {
		r.addPart(e, o.Data)
		return nil
	}
	parsed, err := Parse(o.Data)
	if err != nil {
		return asRefusal(err)
	}
	if e.action, err = verify(parsed); err != nil {
		return asRefusal(err)
	}
	if n := r.actions[e.action.id]; n != nil {
		e.node = n
		if p := r.walk.named[e.hash]; p != 0 && !n.visited && (n.position == 0 || p < n.position) {
			n.position = p
		}
		if n.state == refused {
			return n.envelope.refused
		}
		return nil
	}
	return r.addAction(e)
}

func asRefusal(err error) *Refusal {
	if r, ok := err.(*Refusal); ok {
		return r
	}
	return refuseFor(CodeDecrypt, "the envelope cannot be read", err)
}

// refuseEnvelope marks an envelope as junk. Of junk that no seal names it keeps the newest
// [MaxJunk] and forgets the rest.
func (r *Replica) refuseEnvelope(e *envelope, why *Refusal) {
	if e.refused != nil {
		return
	}
	e.refused = why
	if e.named {
		return
	}
	r.junk = append(r.junk, e.hash)
	if len(r.junk) <= MaxJunk {
		return
	}
	oldest := r.junk[0]
	r.junk = r.junk[1:]
	if old := r.envelopes[oldest]; old != nil && !old.named {
		delete(r.envelopes, oldest)
		if old.node != nil && old.node.state == refused {
			delete(r.actions, old.node.id)
		}
		r.unnamed--
	}
}

func (r *Replica) addPart(e *envelope, content []byte) {
	id := HashPart(content)
	p := r.parts[id]
	if p == nil {
		p = &part{id: id, content: content, envelope: e}
		r.parts[id] = p
	}
	e.part = p
	waiters := r.waitPart[id]
	delete(r.waitPart, id)
	r.arrived(waiters)
}

// addAction adds an action that the replica did not hold. It refuses the action at once if the
// dependencies that are held suffice for that.
func (r *Replica) addAction(e *envelope) *Refusal {
	n := &node{Verified: e.action, envelope: e, position: r.walk.named[e.hash]}
	e.node = n
	if err := r.judge(n); err != nil {
		n.state = refused
		r.actions[n.id] = n
		r.refuseAfter(n)
		return asRefusal(err)
	}
	r.actions[n.id] = n
	for _, id := range r.after(n) {
		if dep := r.actions[id]; dep == nil || dep.state != complete {
			n.waits++
			r.waitAction[id] = append(r.waitAction[id], n)
		}
	}
	for _, id := range n.action.Parts {
		if r.parts[id] == nil {
			n.waits++
			r.waitPart[id] = append(r.waitPart[id], n)
		}
	}
	if n.waits == 0 {
		r.ready([]*node{n})
	}
	return e.refused
}

// after returns the actions that a node depends on: its heads, its predecessor, and the genesis.
// If the action names the genesis itself, the list holds the genesis twice.
func (r *Replica) after(n *node) []ActionID {
	a := n.action
	if a.Kind == KindGenesis {
		return nil
	}
	deps := append(a.Heads[:len(a.Heads):len(a.Heads)], ActionID(r.game))
	if a.Seq > 1 {
		deps = append(deps, a.Prev)
	}
	return deps
}
