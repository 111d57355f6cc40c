package client

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"peernomic/app/client/direct"
	"peernomic/app/client/tabs"
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
	// catchUpAtOnce is how many actions are too few to carry them out in turns.
	catchUpAtOnce = 16
	// advanceEvery is how often the game is advanced though nothing arrived: what
	// is tentative, and what is open, depend on the time.
	advanceEvery = 15 * time.Second
)

// Session is one open game. Its methods may be called from any goroutine.
//
// All fields below commands belong to the owner goroutine, which alone runs the
// functions in commands.
type Session struct {
	config  *Config
	hub     *Hub
	store   *store
	keys    ledger.RoomKeys
	ctx     context.Context
	cancel  context.CancelFunc
	wg      sync.WaitGroup
	unwatch func() // ends what tells the hub of changes
	watch   watchers

	closeOnce sync.Once
	left      atomic.Bool // the game is removed from this device
	readyOnce sync.Once

	statusMu sync.Mutex
	status   NetStatus
	me       int64
	address  string // of the room's relay

	channel tabs.Channel
	ready   chan struct{} // closed when the first try to reach the relay is over
	wakeup  chan struct{} // has one element when the relay is to be tried now

	commands chan func()

	endVisit context.CancelFunc // gives up the connection, or the attempt

	instance direct.Instance // names this program to the other members
	room     roomRecord
	identity *ledger.Identity
	device   *ledger.Device
	pen      *ledger.Pen // made when first needed
	game     *game.Game
	mark     ownMark

	next     uint64     // of the log's records
	fresh    []logItem  // received, not yet in the log
	accused  accusation // the proof against the notary that is in the log, or in fresh
	changed  bool       // the replica has changed since the last Advance
	advanced time.Time
	reminded reminded

	release func() // gives the writer's lock back; nil for a reader
	mesh    mesh   // a writer's, in a room with a relay
	storage error  // why the disk does not take what arrives; tried again
	halted  error  // why nothing may be signed before the next start
	offset  int64  // the relay's clock minus ours, ms
	notary  *ledger.Notary

	relay       relayState
	outgoing    map[wire.EnvelopeHash]*outgoing
	peers       map[direct.Instance]*peer
	ignored     map[direct.Instance]bool // their digests no longer stop play
	announce    bool                     // peers are to be told what we have
	announcing  bool                     // and soon will be
	heldByPeers uint64                   // number of the newest own action that a peer holds
	shared      []byte                   // the status that readers were last told
	digests     digestLog
	snapshots   snapshots
	diverged    *Divergence
	unkept      map[wire.EnvelopeHash]bool  // what the replica holds as refused and the log does not
	turnedAway  map[ledger.Finding]int      // refused without a trace, without counts
	refusals    uint64                      // what was refused since the start
	forwards    map[[16]byte]chan actAnswer // a reader's actions under way
	remote      NetStatus                   // a reader's: what the writer last said
	byDirect    uint64
	byRelay     uint64
	syncedAt    int64
}

// mesh is what the owner asks of a [direct.Mesh].
type mesh interface {
	SetPresent(me wire.PeerID, peers []wire.PeerID)
	Receive(from wire.PeerID, note []byte) error
	Members() []direct.Member
	Close()
}

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
	ticker := time.NewTicker(tick)
	defer ticker.Stop()
	for {
		select {
		case f := <-s.commands:
			f()
		case <-ticker.C:
			s.overdue()
		case <-s.ctx.Done():
			return
		}
		s.more()
		s.settle()
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

// settle makes good what the commands before it began: what arrived is stored, the
// game is advanced, others are told, and whoever watches is called.
func (s *Session) settle() {
	s.accuse()
	s.keepJunk()
	s.persist()
	s.acknowledge()
	moved := s.changed
	if s.changed {
		s.advance()
		s.keepTitle()
		s.introduceSelf()
		s.witness()
		s.announce = true
	}
	if s.release != nil {
		s.sendOutgoing()
		s.tellPeers()
	}
	s.publish(moved)
}

func (s *Session) advance() {
	s.changed = false
	s.advanced = s.config.steady()
	_, _, sealed := s.game.Replica().LastSeal()
	// The relay's clock is at least at its newest seal.
	s.offset = max(s.offset, sealed-s.config.now().UnixMilli())
	s.sealPractice()
	s.catchUp(nil)
	s.game.Advance(s.clock())
	if seal, digest := s.config.confirmed(s.game); seal > 0 {
		s.digests.put(seal, digest)
		s.compareAll()
	}
}

// catchUp carries out in turns what is too much for one. Tell may be nil.
func (s *Session) catchUp(tell Progress) {
	if s.game.Behind() <= catchUpAtOnce {
		return
	}
	turns := s.config.turns()
	for done, before := 0, -1; done > before; {
		var total int
		before = done
		done, total = s.game.CatchUp(replayStep)
		if turns.pause() && tell != nil {
			tell(done, total)
		}
	}
}

// clock returns the time by the relay's clock.
func (s *Session) clock() int64 { return s.config.now().UnixMilli() + s.offset }

// overdue is called every tick.
func (s *Session) overdue() {
	if s.config.since(s.advanced) >= advanceEvery {
		s.changed = true
	}
	if s.release != nil {
		s.relayOverdue()
		s.askForMissing()
		s.askOn()
		s.endWait()
		s.snapshotOverdue()
	}
}

// persist moves what arrived into the log.
func (s *Session) persist() {
	if len(s.fresh) == 0 || s.release == nil {
		return
	}
	next, err := s.store.appendLog(s.ctx, s.keys.ID, s.next, s.fresh)
	s.next, s.storage = next, err
	if err != nil {
		// Kept, and tried again with what comes next. What is stored twice does
		// no harm.
		return
	}
	s.fresh = nil
	s.shareNews()
}

// Watch calls changed, coalesced and on a goroutine of its own, whenever something in
// the session may have changed, until cancel is called.
func (s *Session) Watch(changed func()) (cancel func()) { return s.watch.add(changed) }

// Close ends the session. What was done is on the disk already. Another tab, if one
// waits, becomes the writer.
func (s *Session) Close() {
	s.closeOnce.Do(func() {
		if !s.left.Load() {
			ctx, done := context.WithTimeout(s.ctx, snapshotFarewell)
			_ = s.do(ctx, s.keepSnapshot) // or the next start takes longer
			done()
		}
		s.cancel()
		s.wg.Wait()
		if s.mesh != nil {
			s.mesh.Close()
		}
		_ = s.channel.Close() // nothing is lost with it
		if s.release != nil {
			s.release()
		}
		s.hub.closed(s)
		s.unwatch()
	})
}

// start begins the session's life: it reads the log and then either writes or follows. Tell is told
// how far that has come.
func (s *Session) start(ctx context.Context, tell func(Opening)) error {
	var err error
	// Before the log is read: what the writer adds meanwhile is heard of.
	if s.channel, err = s.config.Tabs.Open(lockName(s.keys.ID)); err != nil {
		return err
	}
	if err := s.load(ctx, func(done, total int) { tell(Opening{Step: Step{done, total}}) }); err != nil {
		return errors.Join(err, s.channel.Close())
	}
	s.resume(ctx)
	release, ok, err := s.config.Tabs.TryLock(ctx, lockName(s.keys.ID))
	switch {
	case errors.Is(err, tabs.ErrNoLocks):
		s.halted = err // fails closed: this program only reads
	case err != nil:
		return errors.Join(err, s.channel.Close())
	case ok:
		if err := s.load(ctx, nil); err != nil { // what the writer before has done meanwhile
			release()
			return errors.Join(err, s.channel.Close())
		}
		s.beginWriting(release)
	default:
		s.wg.Go(s.waitForLock)
	}
	s.catchUp(func(done, total int) { tell(Opening{Carrying: true, Step: Step{done, total}}) })
	if s.release != nil {
		s.connect()
	}
	s.changed = true
	s.settle()
	s.wg.Go(s.run)
	s.wg.Go(s.listenToTabs)
	if s.release == nil {
		s.firstTryOver() // that is the writer's business
		s.shareHello()
	}
	return nil
}

// load reads what is new in the log, in turns. Tell may be nil.
func (s *Session) load(ctx context.Context, tell Progress) error {
	turns := s.config.turns()
	var err error
	s.next, err = s.store.readLog(ctx, s.keys.ID, s.next, func(item logItem, done, total int) {
		s.restore(item)
		s.changed = true
		if turns.pause() && tell != nil {
			tell(done, total)
		}
	})
	if err != nil {
		return err
	}
	s.mark, err = s.store.ownMark(ctx, s.keys.ID)
	return err
}

// restore takes in an item of the log. Its signature was judged when it came in; only junk is judged again, as it
// has to be refused again.
func (s *Session) restore(item logItem) {
	switch item.Kind {
	case itemEnvelope:
		_, _ = s.game.Restore(item.Bytes)
	case itemJunk:
		_, _ = s.game.Receive(item.Bytes)
	case itemSeal:
		_ = s.game.RestoreSeal(item.Bytes)
	case itemNotaryProof:
		s.restoreProof(item.Bytes)
	}
}

func lockName(id wire.RoomID) string { return "peernomic/" + id.String() }
