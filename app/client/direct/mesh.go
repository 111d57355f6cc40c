package direct

import (
	"bytes"
	"context"
	"slices"
	"sync"
	"time"

	"peernomic/engine/wire"
)

const (
	// attemptTime is how long making a link may take.
	attemptTime = 20 * time.Second
	// The first retry comes after about firstRetry, each later one after twice as
	// long, up to lastRetry.
	firstRetry = time.Second
	lastRetry  = time.Minute
	// goodLink is how long a link has to last for the next retry to come soon: whoever
	// is hung up on at once waits longer each time.
	goodLink = 30 * time.Second
	// maxMembers bounds what notes can make us remember.
	maxMembers = 256
)

// Config is what a mesh works with. All fields but Network and Changed are needed.
type Config struct {
	Self Instance
	// Card tells the others who this member is.
	Card []byte
	// Network makes the links; without it members only learn of each other.
	Network Network
	// Send passes a note to a member through the relay.
	Send func(ctx context.Context, to wire.PeerID, note []byte) error
	// Serve uses a link until it ends. It runs in a goroutine of its own.
	Serve func(ctx context.Context, m Member, link Link)
	// Changed is called when [Mesh.Members] has changed.
	Changed func()
}

// Member is another member of the room.
type Member struct {
	Instance Instance
	Peer     wire.PeerID // its last connection to the relay
	Present  bool        // it is connected to the relay
	Linked   bool        // it has a link to this member
	Card     []byte      // what it says it is; nil if it has not said
}

// Mesh keeps links to the other members of a room. Its methods may be called from
// any goroutine and do not wait for the network.
type Mesh struct {
	config Config
	ctx    context.Context
	cancel context.CancelFunc
	wg     sync.WaitGroup

	mu      sync.Mutex
	me      wire.PeerID // this member's own connection to the relay
	members map[Instance]*member
	present map[wire.PeerID]bool
	greeted map[wire.PeerID]bool
	closed  bool
}

type member struct {
	Member
	link     Link
	attempt  uint64      // of the link in the making; 0 if there is none
	answers  chan string // takes the answer to my offer
	giveUp   context.CancelFunc
	failures int
	linkedAt time.Time
	retry    *time.Timer // runs while the next attempt waits
}

// NewMesh starts a mesh. [Mesh.Close] ends it.
func NewMesh(c Config) *Mesh {
	ctx, cancel := context.WithCancel(context.Background())
	if c.Changed == nil {
		c.Changed = func() {}
	}
	return &Mesh{
		config:  c,
		ctx:     ctx,
		cancel:  cancel,
		members: map[Instance]*member{},
		present: map[wire.PeerID]bool{},
		greeted: map[wire.PeerID]bool{},
	}
}

// Close ends all links and waits until nothing runs any more.
func (m *Mesh) Close() {
	m.mu.Lock()
	m.closed = true
	for _, other := range m.members {
		if other.retry != nil {
			other.retry.Stop()
		}
		if other.link != nil {
			_ = other.link.Close() // it is of no use any more
		}
	}
	m.mu.Unlock()
	m.cancel()
	m.wg.Wait()
}

// SetPresent says under which name this member is connected to the relay, and who
// else is. It is called with every list that the relay sends. Links last
// whether their member is on the list or not.
func (m *Mesh) SetPresent(me wire.PeerID, peers []wire.PeerID) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if me != m.me {
		m.me = me
		clear(m.greeted) // they do not know this connection yet
	}
	m.present = map[wire.PeerID]bool{}
	for _, p := range peers {
		m.present[p] = true
		m.greet(p)
	}
	for p := range m.greeted {
		if !m.present[p] {
			delete(m.greeted, p)
		}
	}
	for id, other := range m.members {
		other.Present = other.Present && m.present[other.Peer]
		if !other.Present && other.link == nil && other.attempt == 0 {
			m.forget(id)
		}
	}
	m.consider()
	m.changed()
}

// Receive takes a note that came through the relay. It fails with [ErrNote].
func (m *Mesh) Receive(from wire.PeerID, data []byte) error {
	n, err := decodeNote(data)
	if err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed || n.From == m.config.Self || (n.Kind != noteHello && n.To != m.config.Self) {
		return nil
	}
	other := m.meet(n.From, from)
	if other == nil {
		return nil
	}
	switch n.Kind {
	case noteHello:
		other.Card = n.Card
		m.replaceOld(other)
		m.greet(from)
	case noteOffer:
		m.answer(other, n)
	case noteAnswer:
		if n.Attempt == other.attempt && other.answers != nil {
			select {
			case other.answers <- n.SDP:
			default: // a second answer to one offer
			}
		}
	}
	m.consider()
	m.changed()
	return nil
}

// Members returns the other members, in the order of their instances.
func (m *Mesh) Members() []Member {
	m.mu.Lock()
	defer m.mu.Unlock()
	list := make([]Member, 0, len(m.members))
	for _, id := range m.known() {
		list = append(list, m.members[id].Member)
	}
	return list
}

// replaceOld ends the links of members that went away and seem to be back as another: a
// page that was loaded again.
func (m *Mesh) replaceOld(new *member) {
	for _, o := range m.members {
		if o != new && !o.Present && o.link != nil && len(new.Card) > 0 && bytes.Equal(o.Card, new.Card) {
			_ = o.link.Close() // nobody is at its other end
		}
	}
}

func (m *Mesh) known() []Instance {
	ids := make([]Instance, 0, len(m.members))
	for id := range m.members {
		ids = append(ids, id)
	}
	slices.SortFunc(ids, func(a, b Instance) int { return bytes.Compare(a[:], b[:]) })
	return ids
}

func (m *Mesh) changed() { go m.config.Changed() }

// meet returns the member, noting through which connection it is reached now.
func (m *Mesh) meet(id Instance, peer wire.PeerID) *member {
	other := m.members[id]
	if other == nil {
		if len(m.members) >= maxMembers {
			return nil
		}
		other = &member{Member: Member{Instance: id}}
		m.members[id] = other
	}
	if other.Peer != peer {
		// It has a new connection: what failed before may work now.
		other.Peer = peer
		m.unwait(other)
	}
	// A connection has one member behind it, so nobody can be a crowd.
	for otherID, o := range m.members {
		if o.Peer == peer && otherID != id {
			o.Present = false
			if o.link == nil && o.attempt == 0 {
				m.forget(otherID)
			}
		}
	}
	// A note can overtake the list that names its sender.
	m.present[peer] = true
	other.Present = true
	return other
}

func (m *Mesh) forget(id Instance) {
	m.unwait(m.members[id])
	delete(m.members, id)
}

func (m *Mesh) unwait(other *member) {
	if other.retry != nil {
		other.retry.Stop()
		other.retry = nil
	}
	other.failures = 0
}

// greet says hello over a connection, once.
func (m *Mesh) greet(peer wire.PeerID) {
	if m.greeted[peer] || m.closed {
		return
	}
	m.greeted[peer] = true
	m.send(peer, note{Kind: noteHello, Card: m.config.Card})
}

func (m *Mesh) send(peer wire.PeerID, n note) {
	n.Version, n.From = noteVersion, m.config.Self
	data, err := wire.Encode(n)
	if err != nil {
		return // a note of ours always encodes
	}
	m.wg.Go(func() {
		ctx, cancel := context.WithTimeout(m.ctx, attemptTime)
		defer cancel()
		// A note that is lost is made up for by the next attempt.
		_ = m.config.Send(ctx, peer, data)
	})
}
