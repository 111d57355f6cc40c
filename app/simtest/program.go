package simtest

import (
	"context"
	"errors"
	"time"

	"peernomic/app/client/journal"
	"peernomic/app/client/room"
	"peernomic/app/client/sync"
	"peernomic/engine/game"
	"peernomic/engine/ledger"
	"peernomic/engine/wire"
)

// program is a device's program: production's own room, and around it, in place of sockets, queues that the simulation
// drains.
type program struct {
	Program
	room    *room.Room
	cancel  context.CancelFunc
	links   map[string]sync.Link // by the other end
	hangUps map[sync.Link]func()
	last    sync.Link
	queue   []queued
	wake    time.Time
}

// queued is a message on its way out.
type queued struct {
	to      string
	message wire.Message
}

// BootRoom starts a device as the app does, but for its goroutines.
func BootRoom(p Program) (Member, error) {
	ctx, cancel := context.WithCancel(context.Background())
	m := &program{Program: p, cancel: cancel, links: map[string]sync.Link{relayName: sync.Relay}, hangUps: map[sync.Link]func(){}}
	j := journal.Journal{Keys: p.Identity, Games: p.Games}
	record, err := m.firstStart(ctx, j)
	if err != nil {
		return nil, err
	}
	g := game.New(p.Secret.Keys(), p.Game)
	m.room = room.New(ctx, room.Config{
		Node: sync.Config{
			Keys: p.Secret.Keys(), Game: g, Identity: p.Person, Device: p.Device, Pen: p.Pen,
			Instance: p.Instance, Confirmed: p.Confirmed,
		},
		Journal: j, Tabs: p.Tabs, Outside: m, Now: m.now, Program: "simulated", SnapshotLeast: 3,
	}, record)
	if err := m.room.Open(ctx); err != nil {
		return nil, err
	}
	m.room.Flush()
	return m, nil
}

// firstStart returns the record of the room, which a device enters at its first start: the founder's with the game's
// beginning, the others' with the invite.
func (m *program) firstStart(ctx context.Context, j journal.Journal) (journal.Room, error) {
	id := m.Secret.Keys().ID
	record, err := j.Room(ctx, id)
	if !errors.Is(err, journal.ErrNoGame) {
		return record, err
	}
	record = journal.Room{Secret: m.Secret, Game: m.Game, Relay: m.Relay, Name: m.Name}
	if m.Genesis == nil {
		return record, j.PutRoom(ctx, record)
	}
	var items []sync.Item
	for _, e := range m.Genesis.Envelopes {
		items = append(items, sync.Item{Kind: sync.KindEnvelope, Bytes: e})
	}
	if _, err := j.Append(ctx, id, 0, items, &sync.Mark{Seq: 1, ID: m.Genesis.Action.ID()}); err != nil {
		return record, err
	}
	return record, j.PutRoom(ctx, record)
}

func (m *program) now() sync.Time {
	return sync.Time{Steady: m.Steady(), Clock: m.Clock().UnixMilli()}
}

func (m *program) node() *sync.Node { return m.room.Node() }

// Send implements [room.Outside].
func (m *program) Send(to sync.Link, message wire.Message) {
	for name, link := range m.links {
		if link == to {
			m.queue = append(m.queue, queued{name, message})
		}
	}
}

// HangUp implements [room.Outside].
func (m *program) HangUp(link sync.Link) {
	if hangUp := m.hangUps[link]; hangUp != nil {
		hangUp()
	}
}

// Settled implements [room.Outside].
func (m *program) Settled(_ bool, _ []ledger.ActionID, wake time.Time) {
	// What readers are told of the writer is here only what the checks compare.
	if m.room.Writes() {
		b, err := wire.Encode(m.node().Status().Synced)
		if err == nil {
			m.room.Share(b)
		}
	}
	if wake.IsZero() || wake.Equal(m.wake) {
		return
	}
	m.wake = wake
	m.Later(wake.Sub(m.Steady()), func() { m.room.Tick(); m.room.Flush() })
}

// Removed implements [room.Outside].
func (m *program) Removed() {}

func (m *program) RelayUp(w wire.Welcome, hangUp func()) error {
	m.hangUps[sync.Relay] = hangUp
	err := m.node().RelayUp(w, m.now())
	m.room.Flush()
	return err
}

func (m *program) RelayDown(error) {
	m.node().RelayDown(m.now())
	m.room.Flush()
}

func (m *program) FromRelay(message wire.Message) {
	m.node().FromRelay(message, m.now())
	m.room.Flush()
}

func (m *program) PeerUp(other Peer, hangUp func()) {
	m.last++
	m.links[other.Name], m.hangUps[m.last] = m.last, hangUp
	m.node().PeerUp(m.last, other.Instance, other.Device, m.now())
	m.room.Flush()
}

func (m *program) PeerDown(name string) {
	if link, ok := m.links[name]; ok {
		m.node().PeerDown(link)
		delete(m.links, name)
		delete(m.hangUps, link)
	}
	m.room.Flush()
}

func (m *program) FromPeer(name string, message wire.Message) {
	if link, ok := m.links[name]; ok {
		m.node().FromPeer(link, message, m.now())
	}
	m.room.Flush()
}

func (m *program) Act(name string, args map[string]any) (ledger.ActionID, error) {
	body, err := game.EncodeAct(name, args)
	if err != nil {
		return ledger.ActionID{}, err
	}
	return m.sign(ledger.KindAct, body)
}

func (m *program) sign(kind ledger.Kind, body []byte) (id ledger.ActionID, err error) {
	m.room.Sign(kind, body, func(got ledger.ActionID, failed error) { id, err = got, failed })
	m.room.Flush()
	return id, err
}

func (m *program) Sign(kind ledger.Kind, body []byte) (ledger.ActionID, error) {
	return m.sign(kind, body)
}

func (m *program) Appear(name string) {
	// If the disk does not take it, it is said again.
	_ = m.room.Change(context.Background(), func(r *journal.Room) { r.Name, r.Choice = name, journal.GoesAlong })
	m.room.Flush()
}

func (m *program) Convene(amendments []any) (ledger.ActionID, error) {
	g := m.node().Game()
	nonce := wire.Digest("simtest/nonce", []byte(m.Name), []byte{byte(len(g.Motions()))})
	motion, _, err := ledger.NewMotion(m.Game, [16]byte(nonce[:]), "", amendments)
	if err != nil {
		return ledger.ActionID{}, err
	}
	return m.ballot(ledger.Ballot{Verb: ledger.VerbAssent, Motion: &motion})
}

func (m *program) Ballot(id ledger.MotionID, verb ledger.Verb) (ledger.ActionID, error) {
	b, err := room.BallotOn(m.node().Game(), id, verb)
	if err != nil {
		return ledger.ActionID{}, err
	}
	return m.ballot(b)
}

func (m *program) ballot(b ledger.Ballot) (ledger.ActionID, error) {
	body, err := ledger.EncodeBallot(b)
	if err != nil {
		return ledger.ActionID{}, err
	}
	return m.sign(ledger.KindConvention, body)
}

func (m *program) Ask(name string, answered func(ledger.ActionID, error)) {
	body, err := game.EncodeAct(name, nil)
	if err != nil {
		answered(ledger.ActionID{}, err)
		return
	}
	m.room.Sign(ledger.KindAct, body, answered)
	m.room.Flush()
}

func (m *program) FromTab(message []byte) {
	m.room.FromTab(message)
	m.room.Flush()
}

func (m *program) TakeOver() {
	m.room.TakeOver(func() {})
	m.room.Flush()
}

func (m *program) Leave() { m.room.KeepSnapshot() }

func (m *program) Crash() { m.cancel() }

func (m *program) Tick() {
	m.room.Tick()
	m.room.Flush()
}

func (m *program) Drain(send func(string, wire.Message)) {
	queue := m.queue
	m.queue = nil
	for _, q := range queue {
		send(q.to, q.message)
	}
}

func (m *program) State() State {
	status := m.node().Status()
	s := State{
		Replica: m.node().Game().Replica(), Game: m.node().Game(), Writer: m.room.Writes(),
		Synced: status.Synced, Diverged: status.Diverged != nil, Halted: m.room.Halted() != nil,
	}
	s.Seal, s.Digest = m.node().Confirmed()
	if !s.Writer {
		_ = wire.Decode(m.room.Remote(), &s.Synced) // false before anything was heard
	}
	if err := m.room.Halted(); err != nil {
		s.Problem = err.Error()
	}
	return s
}

var _ room.Outside = (*program)(nil)
