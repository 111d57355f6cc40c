//go:build !js

package client

import (
	"context"
	"errors"
	"slices"
	"time"

	"peernomic/app/client/direct"
	"peernomic/app/client/disk"
	"peernomic/app/client/simulate"
	"peernomic/engine/game"
	"peernomic/engine/ledger"
	"peernomic/engine/wire"
)

// simulated is a session as the simulation drives it: the owner's functions, called one by
// one, with everything around them in the simulation's hands.
type simulated struct {
	s     *Session
	relay chan wire.Message // what the owner queues for the relay; nil if not connected
	names []string          // of linked peers, in order
	peers map[string]*peer

	asked []asked
}

// simulatedConn stands for a connection; its messages go through the simulation.
type simulatedConn struct {
	Conn
	hangUp func()
}

func (c *simulatedConn) Peer() wire.PeerID { return wire.PeerID{1} }
func (c *simulatedConn) Close() error      { c.hangUp(); return nil }

// noMesh stands for the making of links, which the simulation does itself.
type noMesh struct{}

func (noMesh) SetPresent(wire.PeerID, []wire.PeerID) {}
func (noMesh) Receive(wire.PeerID, []byte) error     { return nil }
func (noMesh) Members() []direct.Member              { return nil }
func (noMesh) Close()                                {}

// bootSimulated starts a device as a program does, but for its goroutines.
func bootSimulated(p simulate.Program) (simulate.Member, error) {
	return bootWith(p, nil)
}

// bootWith has the device see another state than the rules give, unless that is nil.
func bootWith(p simulate.Program, confirmed func(*game.Game) (uint64, [32]byte)) (simulate.Member, error) {
	m := &simulated{peers: map[string]*peer{}}
	c := Config{
		Identity: p.Identity, Games: p.Games, Tabs: p.Tabs, Now: p.Clock,
		confirmed: confirmed,
		Program:   "simulated", snapshotLeast: 3,
		steady: p.Steady,
		later:  func(d time.Duration, f func()) { p.Later(d, func() { f(); m.posted() }) },
		aside:  func(f func()) { f() },
		rest:   func(time.Duration) {},
	}
	hub, err := firstStart(p, c)
	if err != nil {
		return nil, err
	}
	room, err := hub.store.room(context.Background(), p.Secret.Keys().ID)
	if err != nil {
		return nil, err
	}
	s := hub.newSession(room)
	s.unwatch()
	s.instance, s.pen, s.mesh = p.Instance, p.Pen, noMesh{}
	if s.channel, err = p.Tabs.Open(lockName(s.keys.ID)); err != nil {
		return nil, err
	}
	if err := s.load(s.ctx, nil); err != nil {
		return nil, err
	}
	s.resume(s.ctx)
	m.s = s
	s.firstTryOver()
	release, ok, err := p.Tabs.TryLock(context.Background(), lockName(s.keys.ID))
	switch {
	case err != nil:
		return nil, err
	case ok:
		s.beginWriting(release)
	default:
		s.changed = true
		s.shareHello()
	}
	m.posted()
	return m, nil
}

// firstStart opens a device, which at its first start enters the room: the founder with
// the game's beginning, the others with the invite.
func firstStart(p simulate.Program, c Config) (*Hub, error) {
	ctx := context.Background()
	device, err := p.Device.MarshalBinary()
	if err != nil {
		return nil, err
	}
	if _, ok, err := p.Identity.Get(ctx, keyDevice); err != nil {
		return nil, err
	} else if !ok {
		seed := p.Person.Seed()
		if err := p.Identity.Write(ctx, disk.Put(keyIdentity, seed[:]), disk.Put(keyDevice, device)); err != nil {
			return nil, err
		}
	}
	hub, err := OpenHub(ctx, c)
	if err != nil {
		return nil, err
	}
	if _, err := hub.store.room(ctx, p.Secret.Keys().ID); !errors.Is(err, ErrNoGame) {
		return hub, err
	}
	room := roomRecord{Secret: p.Secret, Relay: p.Relay, Name: p.Name}
	if p.Genesis == nil {
		return hub, hub.store.putRoom(ctx, room)
	}
	room.Game = ledger.GameID(p.Genesis.Action.ID())
	var items []logItem
	for _, e := range p.Genesis.Envelopes {
		items = append(items, logItem{Kind: itemEnvelope, Bytes: e})
	}
	return hub, hub.addGame(ctx, room, items, &ownMark{Seq: 1, ID: p.Genesis.Action.ID()})
}

// posted ends every call: what was posted meanwhile is carried out, and all of it settled.
func (m *simulated) posted() {
	m.s.more()
	m.s.settle()
	m.asked = slices.DeleteFunc(m.asked, func(a asked) bool {
		select {
		case answer := <-a.answer:
			a.answered(answer.id, answer.err)
			return true
		default:
			return false
		}
	})
}

func (m *simulated) RelayUp(w wire.Welcome, hangUp func()) error {
	m.relay = make(chan wire.Message, outQueue)
	err := m.s.welcomed(&simulatedConn{hangUp: hangUp}, w, m.relay)
	m.posted()
	return err
}

func (m *simulated) RelayDown(err error) {
	m.s.relayLost(err)
	m.relay = nil
	m.posted()
}

func (m *simulated) FromRelay(message wire.Message) {
	m.s.fromRelay(m.s.relay.conn, message)
	m.posted()
}

func (m *simulated) PeerUp(other simulate.Peer, hangUp func()) {
	p := &peer{
		member: direct.Member{Instance: other.Instance, Card: other.Device[:]},
		out:    make(chan wire.Message, outQueue),
		hangUp: hangUp,
	}
	if m.peers[other.Name] == nil {
		m.names = append(m.names, other.Name)
		slices.Sort(m.names)
	}
	m.peers[other.Name] = p
	m.s.peerCame(p)
	m.posted()
}

func (m *simulated) PeerDown(name string) {
	if p := m.peers[name]; p != nil {
		m.s.peerLeft(p)
		delete(m.peers, name)
		m.names = slices.DeleteFunc(m.names, func(n string) bool { return n == name })
	}
	m.posted()
}

func (m *simulated) FromPeer(name string, message wire.Message) {
	if p := m.peers[name]; p != nil {
		m.s.fromPeer(p, message)
	}
	m.posted()
}

func (m *simulated) Act(name string, args map[string]any) (ledger.ActionID, error) {
	body, err := game.EncodeAct(name, args)
	if err != nil {
		return ledger.ActionID{}, err
	}
	return m.write(ledger.KindAct, body)
}

func (m *simulated) Convene(content any) (ledger.ActionID, error) {
	motion, err := motionNow(m.s.game, "", content)
	if err != nil {
		return ledger.ActionID{}, err
	}
	return m.ballot(ledger.Ballot{Verb: ledger.VerbAssent, Motion: &motion})
}

func (m *simulated) Ballot(id ledger.MotionID, verb ledger.Verb) (ledger.ActionID, error) {
	b, err := ballotOn(m.s.game, id, verb)
	if err != nil {
		return ledger.ActionID{}, err
	}
	return m.ballot(b)
}

func (m *simulated) ballot(b ledger.Ballot) (ledger.ActionID, error) {
	body, err := ledger.EncodeBallot(b)
	if err != nil {
		return ledger.ActionID{}, err
	}
	return m.write(ledger.KindConvention, body)
}

func (m *simulated) write(kind ledger.Kind, body []byte) (ledger.ActionID, error) {
	id, err := m.s.writeNow(kind, body)
	m.posted()
	return id, err
}

// asked is an action that a tab which reads along has asked for.
type asked struct {
	answer   chan actAnswer
	answered func(ledger.ActionID, error)
}

func (m *simulated) Ask(name string, answered func(ledger.ActionID, error)) {
	body, err := game.EncodeAct(name, nil)
	var answer chan actAnswer
	if err == nil {
		answer, err = m.s.forward(ledger.KindAct, body)
	}
	if err != nil {
		answered(ledger.ActionID{}, err)
		return
	}
	m.asked = append(m.asked, asked{answer, answered})
	m.posted()
}

func (m *simulated) FromTab(message []byte) {
	var t tabMessage
	if wire.Decode(message, &t) == nil {
		m.s.fromTab(t)
	}
	m.posted()
}

func (m *simulated) TakeOver() {
	m.s.takeOver(func() {})
	m.posted()
}

func (m *simulated) Crash() { m.s.cancel() }

func (m *simulated) Leave() { m.s.keepSnapshot() }

func (m *simulated) Tick() {
	m.s.overdue()
	m.posted()
}

func (m *simulated) Drain(send func(string, wire.Message)) {
	drain := func(to string, out <-chan wire.Message) {
		for {
			select {
			case message := <-out:
				send(to, message)
			default:
				return
			}
		}
	}
	if m.relay != nil {
		drain("relay", m.relay)
	}
	for _, name := range m.names {
		drain(name, m.peers[name].out)
	}
}

func (m *simulated) State() simulate.State {
	s := m.s
	seal, digest := s.config.confirmed(s.game)
	status := s.Net()
	return simulate.State{
		Replica: s.game.Replica(), Seal: seal, Digest: digest, Synced: status.Synced,
		Diverged: s.diverged != nil, Halted: s.halted != nil || s.storage != nil, Problem: status.Storage,
		Game: s.game, Writer: s.release != nil,
	}
}
