package ledger

import (
	"fmt"

	"peernomic/engine/wire"
)

// Replica is one copy of a game's log. Envelopes and seals go in, in any order and any
// number of times; the one order of all actions comes out. Two replicas that were given the same
// envelopes and seals hold the same placements, however they arrived.
//
// Invariant: [Replica.Placed] only grows. What was placed never changes and never moves, unless a
// convention lets another notary go on from a seal before; see [Replica.Generation].
//
// A Replica is not safe for concurrent use. Slices and values that it returns must not be
// changed.
type Replica struct {
	keys   RoomKeys
	opener opener
	known  wire.KeyCache

	envelopes map[wire.EnvelopeHash]*envelope
	unnamed   int                 // envelopes held that no linked seal names
	junk      []wire.EnvelopeHash // refused and unnamed, oldest first

	actions     map[ActionID]*node
	parts       map[PartID]*part
	waitAction  map[ActionID][]*node // who waits for an action to become complete
	waitPart    map[PartID][]*node   // who waits for a part to be held
	waitGame    []*node              // who waits for a genesis
	admitted    []*node              // every complete action, after all that it depends on
	ballots     []*node              // those of them that are ballots, likewise
	loose       []*node              // complete and not placed; may still hold placed ones
	tips        map[ActionID]*node   // complete and not yet named by a complete action
	devices     map[DeviceKey]*device
	forks       map[feedPlace][]*node // places in a feed that several complete actions claim
	version     uint64                // counts changes, so that views can be kept
	tentative   []Placement
	tentativeAt uint64
	proofs      map[MotionID]Proof // for new notaries, as they stood at a version
	proofsAt    uint64

	owed []Owed

	sound      map[ActionID]bool // geneses that were judged, which is for good
	candidates []*node           // well-formed geneses, while the game is not settled
	expect     *GameID
	game       *node // the genesis in force, if any
	genesis    Genesis
	settled    bool // whether a seal has placed the genesis, so that no other can be it

	early      map[uint64][]wire.SignedSeal // by keys that candidates name, while the game is not settled
	earlyCount map[wire.NotaryKey]int
	guests     []wire.SignedSeal // by keys that nothing speaks for, oldest first
	chains     []*sealChain      // one for each notary and anchor that a candidate names
	chain      *sealChain        // the game's, once settled
	walk       walk              // along the chain
	rebuilding bool

	asksFirst   bool
	decided     map[wire.SealHash]bool // what the person thinks of a successor's first seal
	pending     []PendingSuccession
	electorate  Electorate                                           // nil if changes of notary are not judged
	successions []Succession                                         // in force, along the chain
	strange     map[wire.NotaryKey]map[wire.SealHash]wire.SignedSeal // by others than the notary, once settled
	calls       map[wire.NotaryKey][]*call                           // for others to go on, by ballots that are held
	former      map[signedBy]bool                                    // that were linked until another notary went on
	proved      map[signedBy]Succession                              // by successors' first seals; what proves one stays
	unproved    map[signedBy]bool                                    // first seals that prove nothing, and never will
	generation  uint64
}

// envelope is one held envelope.
type envelope struct {
	hash    wire.EnvelopeHash
	bytes   []byte
	named   bool     // whether a linked seal names it
	refused *Refusal // why it is junk, if it is
	action  Verified // as it stands in this envelope
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
	waits    int // how many things it still waits for to become complete

	// Of a complete action:
	rank   int // place in Replica.admitted
	prev   *node
	causes []*node     // what it depends on
	person IdentityKey // whose device signed it, as the first action of its feed says
	ballot *Ballot     // what it says in a convention, if it is a ballot

	position position // where a linked seal names it first; zero if nowhere
	visited  bool     // whether the walk has come to it
	unplaced int      // how many of its dependencies have no place yet
	placed   bool
	seal     uint64 // the seal of its place
	dead     *Void  // set if it, or one before it in its feed, lost a fork

	expanded bool  // whether the parts were judged
	bodyErr  error // why they do not expand
}

// device is what a replica knows of a device.
type device struct {
	feed   []*node // complete actions by number, the first that became complete
	stands []*node // placed actions by number, the ones that count
	forked bool
}

type feedPlace struct {
	device DeviceKey
	seq    uint64
}

// NewReplica returns the empty replica of a room.
func NewReplica(keys RoomKeys) *Replica {
	return &Replica{
		keys:       keys,
		opener:     newOpener(keys),
		envelopes:  map[wire.EnvelopeHash]*envelope{},
		actions:    map[ActionID]*node{},
		parts:      map[PartID]*part{},
		waitAction: map[ActionID][]*node{},
		waitPart:   map[PartID][]*node{},
		tips:       map[ActionID]*node{},
		devices:    map[DeviceKey]*device{},
		forks:      map[feedPlace][]*node{},
		sound:      map[ActionID]bool{},
		early:      map[uint64][]wire.SignedSeal{},
		walk:       newWalk(),
		earlyCount: map[wire.NotaryKey]int{},
		strange:    map[wire.NotaryKey]map[wire.SealHash]wire.SignedSeal{},
		calls:      map[wire.NotaryKey][]*call{},
		former:     map[signedBy]bool{},
		proved:     map[signedBy]Succession{},
		unproved:   map[signedBy]bool{},
	}
}

// Keys returns the keys of the room.
func (r *Replica) Keys() RoomKeys { return r.keys }

// Expect says which game the room is known to hold, so that no other genesis is taken for
// it: what a device that has seen the game before remembers. It must be called before anything is
// added.
func (r *Replica) Expect(game GameID) { r.expect = &game }

// AddEnvelope takes in an envelope. What it carries may be incomplete for now: it then waits
// for what it depends on. An envelope that was added before is no error. The error is a
// [*Refusal]; a refused envelope changes nothing but is remembered, so that a seal that names it
// does not wait for it.
//
// The replica keeps b.
func (r *Replica) AddEnvelope(b []byte) (wire.EnvelopeHash, error) { return r.addEnvelope(b, false) }

func (r *Replica) addEnvelope(b []byte, owe bool) (wire.EnvelopeHash, error) {
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
	if err := r.open(e, owe); err != nil {
		r.refuseEnvelope(e, err)
	}
	r.settle()
	r.goOn()
	if again := r.envelopes[hash]; again != nil {
		e = again // the replica may have started over
	}
	return hash, e.err()
}

func (e *envelope) err() error {
	if e.refused == nil {
		return nil
	}
	return e.refused
}

// open decrypts an envelope and takes in what it holds.
func (r *Replica) open(e *envelope, owe bool) *Refusal {
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
	if owe {
		e.action = Verified(parsed)
		r.owed = append(r.owed, Owed{Envelope: e.hash, bytes: parsed.bytes})
	} else if e.action, err = parsed.verify(&r.known); err != nil {
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

// refuseEnvelope remembers an envelope as junk. Junk that no seal names is forgotten again,
// oldest first, when there is too much of it.
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

// addAction takes in an action that was not held. It is refused at once if what is known
// suffices to tell.
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
	a := n.action
	for _, id := range n.after() {
		if dep := r.actions[id]; dep == nil || dep.state != complete {
			n.waits++
			r.waitAction[id] = append(r.waitAction[id], n)
		}
	}
	for _, id := range a.Parts {
		if r.parts[id] == nil {
			n.waits++
			r.waitPart[id] = append(r.waitPart[id], n)
		}
	}
	if a.Kind != KindGenesis && r.game == nil {
		n.waits++
		r.waitGame = append(r.waitGame, n)
	}
	if n.waits == 0 {
		r.ready([]*node{n})
	}
	return e.refused
}

// after returns the actions that a node depends on.
func (n *node) after() []ActionID {
	if n.action.Seq == 1 {
		return n.action.Heads
	}
	return append(n.action.Heads[:len(n.action.Heads):len(n.action.Heads)], n.action.Prev)
}
