package client

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"peernomic/app/client/journal"
	"peernomic/app/client/room"
	node "peernomic/app/client/sync"
	"peernomic/engine/game"
	"peernomic/engine/ledger"
	"peernomic/engine/wire"
)

// ErrClosed reports the use of a closed session or hub.
var ErrClosed = errors.New("the game is closed")

const (
	// burst is how many commands the owner carries out before it settles.
	burst = 64
	// tick is how often the owner looks whether something is overdue.
	tick = time.Second
	// farewell is how long the end of a session may be held up by its snapshot.
	farewell = 2 * time.Second
)

// Session is one open game: the goroutines and sockets around a [room.Room]. Its methods may be called from any
// goroutine.
//
// The room, and the fields below it, belong to the owner goroutine, which alone runs the functions in commands.
type Session struct {
	config  *Config
	hub     *Hub
	ctx     context.Context
	cancel  context.CancelFunc
	wg      sync.WaitGroup
	unwatch func() // ends what tells the hub of changes
	watch   watchers

	keys     ledger.RoomKeys
	gameID   ledger.GameID
	identity *ledger.Identity
	device   *ledger.Device

	closeOnce sync.Once
	left      atomic.Bool   // the game is removed from this device
	ready     chan struct{} // closed when the first try to reach the relay is over
	readyOnce sync.Once
	wakeup    chan struct{} // has one element when the relay is to be tried now
	shown     shown

	commands chan func()
	ended    chan struct{} // closed when the owner carries out no more of them

	room    *room.Room
	turn    turns
	opening func(done, total int) // is told of progress while the game is opened
	relay   relayConn
	links   links
	waiting map[ledger.ActionID]chan struct{} // closed when the action has its place
	wake    *time.Timer                       // calls [room.Room.Tick]
	synced  int64                             // when others last held all, Unix ms
}

func (h *Hub) newSession(record journal.Room) *Session {
	keys := record.Secret.Keys()
	ctx, cancel := context.WithCancel(context.Background())
	s := &Session{
		config: &h.config, hub: h, ctx: ctx, cancel: cancel,
		keys: keys, gameID: record.Game, identity: h.identity, device: h.device,
		ready:    make(chan struct{}),
		wakeup:   make(chan struct{}, 1),
		commands: make(chan func(), burst),
		ended:    make(chan struct{}),
		waiting:  map[ledger.ActionID]chan struct{}{},
		turn:     *h.config.turns(),
	}
	s.links.init()
	g := game.New(keys, record.Game)
	s.room = room.New(ctx, room.Config{
		Node: node.Config{
			Keys: keys, Game: g, Identity: h.identity, Device: h.device, Instance: node.Instance(s.links.instance),
			Pause: s.pause, Confirmed: h.config.confirmed,
		},
		Journal: h.journal, Tabs: h.config.Tabs, Outside: s, Now: h.config.time,
		Program: h.config.Program, SnapshotLeast: h.config.snapshotLeast,
	}, record)
	s.unwatch = s.watch.add(h.watch.tell)
	return s
}

// pause lets the rest of the program have its turn.
func (s *Session) pause(done, total int) {
	if s.turn.pause() && s.opening != nil {
		s.opening(done, total)
	}
}

// node returns the room's node, for the owner.
func (s *Session) node() *node.Node { return s.room.Node() }

// Room returns the id of the session's room.
func (s *Session) Room() wire.RoomID { return s.keys.ID }

// Device returns the key of this device.
func (s *Session) Device() ledger.DeviceKey { return s.device.Key() }

// post hands a function to the owner. It reports false if the session is closed.
func (s *Session) post(f func()) bool {
	select {
	case s.commands <- f:
		return true
	case <-s.ctx.Done():
		return false
	}
}

// do runs a function on the owner goroutine and waits for it.
func (s *Session) do(ctx context.Context, f func()) error {
	done := make(chan struct{})
	select {
	case s.commands <- func() { defer close(done); f() }:
	case <-s.ctx.Done():
		return s.over()
	case <-ctx.Done():
		return ctx.Err()
	}
	select {
	case <-done:
		return nil
	case <-s.ctx.Done():
		return s.over()
	}
}

// run is the owner goroutine.
func (s *Session) run() {
	defer close(s.ended)
	ticker := time.NewTicker(tick)
	defer ticker.Stop()
	for {
		s.turn.begin()
		select {
		case f := <-s.commands:
			f()
		case <-ticker.C:
			s.room.Tick()
		case <-s.wake.C:
			s.room.Tick()
		case <-s.ctx.Done():
			return
		}
		s.more()
		s.room.Flush()
	}
}

// more carries out what else waits, so that a burst is settled once.
func (s *Session) more() {
	for range burst {
		select {
		case f := <-s.commands:
			f()
		default:
			return
		}
	}
}

// Settled implements [room.Outside].
func (s *Session) Settled(advanced bool, placed []ledger.ActionID, wake time.Time) {
	for _, id := range placed {
		if waiting := s.waiting[id]; waiting != nil {
			close(waiting)
			delete(s.waiting, id)
		}
	}
	if s.node().CaughtUp() {
		s.firstTryOver()
	}
	if s.wake != nil && !wake.IsZero() {
		s.wake.Reset(wake.Sub(s.config.steady()))
	}
	s.publish(advanced)
}

// Removed implements [room.Outside].
func (s *Session) Removed() { go s.leftElsewhere() } // not by the owner, for whom it waits

// Watch calls changed, coalesced and on a goroutine of its own, whenever something in the session may have changed,
// until cancel is called.
func (s *Session) Watch(changed func()) (cancel func()) { return s.watch.add(changed) }

// Close ends the session. What was done is on the disk already. Another tab, if one waits, becomes the writer.
func (s *Session) Close() {
	s.closeOnce.Do(func() {
		if !s.left.Load() {
			ctx, done := context.WithTimeout(s.ctx, farewell)
			_ = s.do(ctx, s.room.KeepSnapshot) // or the next start takes longer
			done()
		}
		s.cancel()
		s.wg.Wait()
		s.links.close()
		s.room.Close()
		s.hub.closed(s)
		s.unwatch()
	})
}

// start begins the session's life. Tell is told how far that is.
func (s *Session) start(ctx context.Context, tell func(Opening)) error {
	s.opening = func(done, total int) { tell(Opening{Step: Step{done, total}}) }
	if err := s.room.Open(ctx); err != nil {
		return err
	}
	s.opening = func(done, total int) { tell(Opening{Carrying: true, Step: Step{done, total}}) }
	s.node().CatchUp()
	s.opening = nil
	s.wake = time.NewTimer(time.Hour)
	if s.room.Writes() {
		s.connect()
	} else {
		s.firstTryOver() // that is the writer's business
		if s.room.Halted() == nil {
			s.wg.Go(s.waitForLock)
		}
	}
	s.room.Flush()
	s.wg.Go(s.run)
	s.wg.Go(s.listenToTabs)
	return nil
}

// connect begins to talk to others.
func (s *Session) connect() {
	if r := s.room.Record(); r.Practice || r.Relay == "" {
		s.firstTryOver()
		return
	}
	s.links.begin(s)
	s.relay.dialling = true
	s.wg.Go(s.keepRelay)
}

func (s *Session) firstTryOver() { s.readyOnce.Do(func() { close(s.ready) }) }

// waitForLock makes a reader the writer when the tab before it closes.
func (s *Session) waitForLock() {
	release, err := s.config.Tabs.Lock(s.ctx, room.Lock(s.Room()))
	if err != nil {
		if s.ctx.Err() == nil {
			s.post(func() { s.node().Halt(err) })
		}
		return
	}
	release = sync.OnceFunc(release)
	s.post(func() {
		if s.room.TakeOver(release) {
			s.connect()
		}
	})
	<-s.ctx.Done()
	<-s.ended // what was posted may never have been carried out
	release()
}

// listenToTabs passes on what other tabs say.
func (s *Session) listenToTabs() {
	for {
		b, err := s.room.Receive()
		if err != nil || !s.post(func() { s.room.FromTab(b) }) {
			return
		}
	}
}

var _ room.Outside = (*Session)(nil)

// Send implements [room.Outside].
func (s *Session) Send(to node.Link, m wire.Message) {
	if to == node.Relay {
		s.relay.send(s, m)
		return
	}
	s.links.send(to, m)
}

// HangUp implements [room.Outside].
func (s *Session) HangUp(link node.Link) {
	if link == node.Relay {
		s.relay.hangUp(s)
		return
	}
	s.links.hangUp(link)
}
