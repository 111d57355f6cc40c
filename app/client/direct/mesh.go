package direct

import (
	"bytes"
	"context"
	"math/rand/v2"
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

// consider begins the links that are wanted and not there. Of two members the lower
// instance offers, so that they never offer each other a link at the same time.
func (m *Mesh) consider() {
	if m.config.Network == nil || m.closed {
		return
	}
	chosen, complete := m.chosen(), true
	for _, id := range chosen {
		other := m.members[id]
		complete = complete && other.link != nil
		if m.offers(id) && other.Present && other.link == nil && other.attempt == 0 && other.retry == nil && m.makeRoom(chosen) {
			m.offer(other)
		}
	}
	if complete {
		m.prune(chosen)
	}
}

// chosen returns the members that this one should have links to.
func (m *Mesh) chosen() []Instance {
	var here []Instance
	for _, id := range m.known() {
		if o := m.members[id]; o.Present || o.link != nil {
			here = append(here, id)
		}
	}
	return neighbours(m.config.Self, here)
}

// makeRoom reports whether there may be one more link, after ending one that is not
// wanted any more if need be.
func (m *Mesh) makeRoom(chosen []Instance) bool {
	if m.links() < maxLinks {
		return true
	}
	for _, id := range m.known() {
		if other := m.members[id]; other.link != nil && !slices.Contains(chosen, id) {
			_ = other.link.Close() // it has served
			other.link, other.Linked = nil, false
			return true
		}
	}
	return false
}

// offers reports whether this member is the one that offers the other a link.
func (m *Mesh) offers(to Instance) bool { return bytes.Compare(m.config.Self[:], to[:]) < 0 }

// prune ends links that were wanted while there were fewer members. Who would offer
// a link ends it, so that it is not offered again by a side that still wants it.
func (m *Mesh) prune(chosen []Instance) {
	for id, other := range m.members {
		if other.link != nil && m.offers(id) && !slices.Contains(chosen, id) {
			_ = other.link.Close() // it has served
		}
	}
}

func (m *Mesh) offer(other *member) {
	answers := make(chan string, 1)
	ctx, attempt := m.newAttempt(other, answers)
	m.wg.Go(func() {
		link, err := m.makeOffer(ctx, other, attempt, answers)
		m.finish(other, attempt, link, err)
	})
}

func (m *Mesh) makeOffer(ctx context.Context, other *member, attempt uint64, answers <-chan string) (Link, error) {
	p, sdp, err := m.config.Network.Offer(ctx)
	if err != nil {
		return nil, err
	}
	m.sendTo(other, note{Kind: noteOffer, Attempt: attempt, SDP: sdp})
	select {
	case answer := <-answers:
		if err := p.Accept(answer); err != nil {
			_ = p.Close() // the answer's error is the one to tell
			return nil, err
		}
		return p.Wait(ctx)
	case <-ctx.Done():
		_ = p.Close()
		return nil, ctx.Err()
	}
}

func (m *Mesh) answer(other *member, n note) {
	// The higher instance offers nothing, and one that offers again has lost the
	// link that this side may still think it has.
	if m.config.Network == nil || m.offers(other.Instance) || (other.link == nil && !m.makeRoom(m.chosen())) {
		return
	}
	ctx, attempt := m.newAttempt(other, nil)
	m.wg.Go(func() {
		p, sdp, err := m.config.Network.Answer(ctx, n.SDP)
		if err != nil {
			m.finish(other, attempt, nil, err)
			return
		}
		m.sendTo(other, note{Kind: noteAnswer, Attempt: n.Attempt, SDP: sdp})
		link, err := p.Wait(ctx)
		m.finish(other, attempt, link, err)
	})
}

// links counts the links that are there or in the making.
func (m *Mesh) links() int {
	count := 0
	for _, other := range m.members {
		if other.link != nil || other.attempt != 0 {
			count++
		}
	}
	return count
}

// newAttempt begins an attempt and gives up the one before, so that a member has one
// at a time however many offers it sends.
func (m *Mesh) newAttempt(other *member, answers chan string) (context.Context, uint64) {
	if other.giveUp != nil {
		other.giveUp()
	}
	ctx, cancel := context.WithTimeout(m.ctx, attemptTime)
	other.attempt, other.answers, other.giveUp = rand.Uint64()|1, answers, cancel
	return ctx, other.attempt
}

func (m *Mesh) sendTo(other *member, n note) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		return
	}
	n.To = other.Instance
	m.send(other.Peer, n)
}

// finish ends an attempt, uses the link if there is one, and sees to the next.
func (m *Mesh) finish(other *member, attempt uint64, link Link, err error) {
	if !m.begin(other, attempt, link, err) {
		return
	}
	m.config.Serve(m.ctx, other.described(m), link)
	_ = link.Close() // it has ended, one way or another
	m.mu.Lock()
	defer m.mu.Unlock()
	if other.link == link {
		other.link, other.Linked = nil, false
		if time.Since(other.linkedAt) > goodLink {
			other.failures = 0
		}
		m.retryLater(other)
		m.consider()
		m.changed()
	}
}

func (m *Mesh) begin(other *member, attempt uint64, link Link, err error) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	current := other.attempt == attempt
	if current {
		other.giveUp()
		other.attempt, other.answers, other.giveUp = 0, nil, nil
	}
	switch {
	case err == nil && current && !m.closed:
		if other.link != nil {
			_ = other.link.Close() // the new one takes its place
		}
		other.link, other.Linked, other.linkedAt = link, true, time.Now()
		m.consider()
		m.changed()
		return true
	case err == nil:
		_ = link.Close() // nobody waits for it any more
	case current:
		m.retryLater(other)
	}
	return false
}

func (o *member) described(m *Mesh) Member {
	m.mu.Lock()
	defer m.mu.Unlock()
	return o.Member
}

func (m *Mesh) retryLater(other *member) {
	if m.closed || other.retry != nil {
		return
	}
	if !other.Present {
		m.forget(other.Instance)
		return
	}
	wait := min(firstRetry<<min(other.failures, 10), lastRetry)
	wait += rand.N(wait / 2)
	other.failures++
	other.retry = time.AfterFunc(wait, func() {
		m.mu.Lock()
		defer m.mu.Unlock()
		other.retry = nil
		m.consider()
	})
}
