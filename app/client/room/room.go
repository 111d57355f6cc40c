// Package room is one game on this device without goroutines and sockets: its node, its journal, its snapshot, and the
// other tabs in which the device has the game open. Package client puts sockets around it; the simulator
// (app/simtest) drives it as it is.
package room

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"peernomic/app/client/journal"
	"peernomic/app/client/sync"
	"peernomic/app/client/tabs"
	"peernomic/engine/ledger"
	"peernomic/engine/wire"
)

// Outside is what a room needs of the program around it. It may read the room, and call [Room.Share].
type Outside interface {
	// Send sends a message. Messages on one link keep their order.
	Send(to sync.Link, m wire.Message)
	// HangUp ends a link, which is told to the node as usual.
	HangUp(link sync.Link)
	// Settled is called when all is done that could be done: the game may have changed, and these own actions have got
	// their place. Wake is when [Room.Tick] is to be called at the latest; zero for no hurry.
	Settled(advanced bool, placed []ledger.ActionID, wake time.Time)
	// Removed is called when another tab removes the game from the device.
	Removed()
}

// Config is what a room works with.
type Config struct {
	Node    sync.Config
	Journal journal.Journal
	Tabs    tabs.Tabs
	Outside Outside
	// Now is the present time.
	Now func() sync.Time
	// Program names this very program, so that no other one goes on from its snapshots; empty for none at all.
	Program string
	// SnapshotLeast is the least number of actions between two snapshots; 0 for the default.
	SnapshotLeast int
}

// Room is one game on this device. Its methods are called one at a time, by the goroutine that owns it.
//
// Invariants: only the room that holds the device's lock of it writes, to the disk and to others; what it sends is on
// the disk before.
type Room struct {
	config Config
	ctx    context.Context // of writes; ends with the room
	id     wire.RoomID
	node   *sync.Node
	record journal.Room
	next   uint64 // number of the log's next record

	channel tabs.Channel
	release func() // gives the writer's lock back; nil if the room reads
	remote  []byte // a reader's: what the writer last told of itself
	told    []byte // a writer's: what it last told readers
	asked   map[[16]byte]Answer
	broken  error  // why the log cannot be followed
	named   string // the name that the node goes by
	earlier *bool  // whether the device holds the chapter before; nil if that was not looked for
	kept    snapshots
}

// New returns a room that is not open yet.
func New(ctx context.Context, c Config, record journal.Room) *Room {
	if c.SnapshotLeast == 0 {
		c.SnapshotLeast = snapshotLeast
	}
	if c.Node.Pause == nil {
		c.Node.Pause = func(int, int) {}
	}
	r := &Room{config: c, ctx: ctx, id: c.Node.Keys.ID, node: sync.New(c.Node), record: record, asked: map[[16]byte]Answer{}}
	return r
}

// Node returns the room's node. After calls to it comes [Room.Flush].
func (r *Room) Node() *sync.Node { return r.node }

// Record returns what the device keeps of the room besides its log.
func (r *Room) Record() journal.Room { return r.record }

// Writes reports whether this room writes.
func (r *Room) Writes() bool { return r.release != nil }

// Halted says why nothing is signed here before the next start, or what arrives is not stored; nil if neither.
func (r *Room) Halted() error { return cmp.Or(r.node.Halted(), r.broken) }

// Lock names what the tab that writes holds.
func Lock(id wire.RoomID) string { return "peernomic/" + id.String() }

// Open reads the log, goes on from the snapshot, and then writes or follows. Where there are no locks it only reads.
func (r *Room) Open(ctx context.Context) error {
	var err error
	// Before the log is read: what the writer adds meanwhile is heard of.
	if r.channel, err = r.config.Tabs.Open(Lock(r.id)); err != nil {
		return err
	}
	if err = r.load(ctx); err == nil {
		r.resume(ctx)
		err = r.choose(ctx)
	}
	if err != nil {
		return errors.Join(err, r.channel.Close())
	}
	return nil
}

// choose makes the room write if nobody else does.
func (r *Room) choose(ctx context.Context) error {
	release, ok, err := r.config.Tabs.TryLock(ctx, Lock(r.id))
	switch {
	case errors.Is(err, tabs.ErrNoLocks):
		r.node.Halt(err)
	case err != nil:
		return err
	case ok:
		if err := r.load(ctx); err != nil { // what the writer before has done meanwhile
			release()
			return err
		}
		r.write(release)
		return nil
	}
	r.post(message{Kind: tabHello})
	return nil
}

// load reads what is new in the log.
func (r *Room) load(ctx context.Context) error {
	next, err := r.config.Journal.Read(ctx, r.id, r.next, func(item sync.Item, done, total int) {
		r.node.Restore(item)
		r.config.Node.Pause(done, total)
	})
	if err != nil {
		return err
	}
	r.next = next
	mark, err := r.config.Journal.Mark(ctx, r.id)
	if err == nil {
		r.node.SetMark(mark)
	}
	return err
}

// write makes the room write.
func (r *Room) write(release func()) {
	r.release = release
	mode := sync.Online
	switch {
	case r.record.Practice:
		mode = sync.Practice
	case r.record.Relay == "":
		mode = sync.Alone
	}
	r.node.Write(mode, r.config.Now())
}

// TakeOver makes a room that reads write, with what the writer before has stored, once its lock was given. It reports
// whether it does.
func (r *Room) TakeOver(release func()) bool {
	record, err := r.config.Journal.Room(r.ctx, r.id)
	if err == nil {
		err = r.load(r.ctx)
	}
	if err != nil {
		r.broken = err
		release()
		return false
	}
	r.setRecord(record)
	for id, answer := range r.asked {
		answer(ledger.ActionID{}, ErrNoWriter)
		delete(r.asked, id)
	}
	r.write(release)
	return true
}

// Close gives the lock back. Another tab, if one waits, becomes the writer.
func (r *Room) Close() {
	_ = r.channel.Close() // nothing is lost with it
	if r.release != nil {
		r.release()
	}
}

// Flush does what the calls of the node before it began: what arrived is stored, the game is advanced, others are
// told.
func (r *Room) Flush() {
	advanced, stored := false, false
	var placed []ledger.ActionID
	var wake time.Time
	for again := true; again; again = r.node.Pending() {
		r.appear()
		ready := r.node.Ready(r.config.Now())
		advanced, placed, wake = advanced || ready.Advanced, append(placed, ready.Placed...), ready.Wake
		if len(ready.Items) > 0 {
			next, err := r.config.Journal.Append(r.ctx, r.id, r.next, ready.Items, ready.Mark)
			r.next = next
			r.node.Stored(err, r.config.Now())
			stored = stored || err == nil
		}
		for _, m := range ready.Messages {
			r.config.Outside.Send(m.To, m.Content)
		}
		for _, link := range ready.HangUp {
			r.config.Outside.HangUp(link)
		}
	}
	if advanced {
		r.keepTitle()
	}
	if stored {
		r.post(message{Kind: tabNews})
	}
	r.config.Outside.Settled(advanced, placed, wake)
}

// Tick is called about every second, and when [Outside] was told to.
func (r *Room) Tick() {
	r.node.Tick(r.config.Now())
	if r.config.Now().Steady.Sub(r.kept.made) >= snapshotPause {
		r.KeepSnapshot()
	}
}

// Change changes the room's record as it is stored: another tab may have changed it, too.
func (r *Room) Change(ctx context.Context, change func(*journal.Room)) error {
	record, err := r.config.Journal.Room(ctx, r.id)
	if err != nil {
		return err
	}
	change(&record)
	if err := r.config.Journal.PutRoom(ctx, record); err != nil {
		return err
	}
	r.setRecord(record)
	r.post(message{Kind: tabNews})
	return nil
}

func (r *Room) setRecord(record journal.Room) { r.record = record }

// appear lets the node introduce the person by their name, as soon as the game's beginning is here. In a game that goes
// on from one that the device holds, the person has to decide that first.
func (r *Room) appear() {
	if r.named == r.record.Name {
		return
	}
	genesis, ok := r.node.Game().Replica().Genesis()
	if !ok || genesis.Continues != nil && r.record.Choice != journal.GoesAlong && r.record.Choice != journal.Apart && r.holds(genesis.Continues.Game) {
		return
	}
	r.named = r.record.Name
	r.node.SetName(r.named)
}

// holds reports whether the device holds the chapter before.
func (r *Room) holds(game ledger.GameID) bool {
	if r.earlier == nil {
		rooms, err := r.config.Journal.Rooms(r.ctx)
		if err != nil {
			return true // not sure: it is looked for again
		}
		held := slices.ContainsFunc(rooms, func(other journal.Room) bool { return other.Game == game })
		r.earlier = &held
	}
	return *r.earlier
}

// keepTitle remembers the game's name, and which one it goes on from, when its beginning has arrived.
func (r *Room) keepTitle() {
	genesis, ok := r.node.Game().Replica().Genesis()
	var continues ledger.GameID
	if ok && genesis.Continues != nil {
		continues = genesis.Continues.Game
	}
	if !ok || r.release == nil || r.record.Title == genesis.Title && r.record.Continues == continues {
		return
	}
	if err := r.Change(r.ctx, func(record *journal.Room) { record.Title, record.Continues = genesis.Title, continues }); err != nil {
		r.broken = fmt.Errorf("the disk did not take the game's name: %w", err)
	}
}
