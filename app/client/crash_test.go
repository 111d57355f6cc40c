//go:build !js

package client

import (
	"context"
	"errors"
	"peernomic/app/client/journal"
	"sync"
	"testing"

	"peernomic/app/client/disk"
	"peernomic/app/client/tabs"
	"peernomic/engine/ledger"
)

// failingDisk refuses to write when told to.
type failingDisk struct {
	disk.Disk
	mu   sync.Mutex
	fail error
}

func (d *failingDisk) set(err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.fail = err
}

func (d *failingDisk) Write(ctx context.Context, changes ...disk.Change) error {
	d.mu.Lock()
	err := d.fail
	d.mu.Unlock()
	if err != nil {
		return err
	}
	return d.Disk.Write(ctx, changes...)
}

// A crash between the disk and the network: the action is sent at the next start.
func TestCrashBeforeSendingResends(t *testing.T) {
	r, _, a, bo, b := pair(t)
	r.stop()
	until(t, "the loss is noticed", func() bool { return b.Net().Relay != RelayConnected })
	id := act(t, b, "durable, not sent")
	bo.restart()
	r.start()
	b = bo.session(b.Room())
	until(t, "it arrives after all", func() bool { return holds(a, id) })
	agree(t, 3, a, b)
}

// An action that is not on the disk is not sent, and nothing else is signed.
func TestFullDiskStopsActing(t *testing.T) {
	r := startRelay(t)
	ana := newDevice(t, "Ana")
	a := ana.session(ana.found(r.url()))
	bo := newDevice(t, "Bo")
	full := errors.New("disk full")
	games := &failingDisk{Disk: bo.games}
	config := bo.config()
	config.Games = games
	hub, err := OpenHub(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { hub.Close() })
	bo.hub = hub
	b := bo.join(a.Invite())
	agree(t, 2, a, b)
	games.set(full)
	if _, err := b.writeBody(t.Context(), ledger.KindAct, []byte("x")); !errors.Is(err, full) {
		t.Errorf("got %v", err)
	}
	until(t, "the status says so", func() bool { return b.Net().Storage != "" })
	// The number may be on the disk after all: until the next start nothing is signed.
	games.set(nil)
	if _, err := b.writeBody(t.Context(), ledger.KindAct, []byte("y")); err == nil {
		t.Error("signed another action with the number of one that may be on the disk")
	}
	if n, _ := placed(a); n != 2 {
		t.Errorf("%d actions arrived", n)
	}
}

// A device whose log was lost, but not its keys, does not sign before it has its own
// newest action back.
func TestLostLogIsFetchedBeforeSigning(t *testing.T) {
	r, _, a, bo, b := pair(t)
	for range 3 {
		act(t, b, "played")
	}
	agree(t, 5, a, b)
	link := a.Invite()
	bo.hub.Close()
	r.stop()
	bo.games, bo.identity = &disk.Memory{}, bo.identity.Reopen()
	bo.open()
	b = bo.join(link)
	if _, err := b.writeBody(t.Context(), ledger.KindAct, []byte("too early")); !errors.Is(err, ErrBehind) && !errors.Is(err, ErrNotHere) {
		t.Errorf("signed without knowing its own feed: %v", err)
	}
	r.start()
	until(t, "the game is back", func() bool { n, _ := placed(b); return n == 5 })
	act(t, b, "goes on")
	agree(t, 6, a, b)
	b.do(context.Background(), func() {
		if forks := b.node().Game().Replica().Forks(); len(forks) > 0 {
			t.Errorf("%d forks", len(forks))
		}
	})
}

// copyOf returns a disk with what another holds now.
func copyOf(t *testing.T, d disk.Disk) *disk.Memory {
	t.Helper()
	c := &disk.Memory{}
	err := d.Scan(t.Context(), "", "\x7f", func(key string, value []byte) error {
		return c.Write(t.Context(), disk.Put(key, value))
	})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// A device whose games were put back from a backup knows that something is missing.
func TestOldLogIsNotContinued(t *testing.T) {
	r, _, a, bo, b := pair(t)
	backup := copyOf(t, bo.games)
	id := act(t, b, "after the backup")
	agree(t, 3, a, b)
	r.stop()
	bo.hub.Close()
	bo.games, bo.identity = backup, bo.identity.Reopen()
	bo.open()
	b = bo.session(a.Room())
	if _, err := b.writeBody(t.Context(), ledger.KindAct, []byte("fork")); !errors.Is(err, ErrBehind) {
		t.Errorf("signed a number twice: %v", err)
	}
	r.start()
	until(t, "its own action is back", func() bool { return holds(b, id) })
	act(t, b, "goes on")
	agree(t, 4, a, b)
}

func TestSecondTabHandsItsActionsOver(t *testing.T) {
	_, _, a, bo, writer := pair(t)
	reader := bo.tab(bo.tabs).session(writer.Room())
	until(t, "the reader follows", func() bool { n := reader.Net(); return n.CanWrite && !n.Writer && n.Relay == RelayConnected })
	id := act(t, reader, "from the second tab")
	agree(t, 3, a, writer, reader)
	if !holds(a, id) {
		t.Error("the action did not arrive")
	}
	act(t, a, "and back")
	agree(t, 4, a, writer, reader)

	writer.Close()
	until(t, "the reader takes over", func() bool { return reader.Net().Writer })
	act(t, reader, "as the writer")
	agree(t, 5, a, reader)
	reader.do(context.Background(), func() {
		if forks := reader.node().Game().Replica().Forks(); len(forks) > 0 {
			t.Errorf("%d forks", len(forks))
		}
	})
}

// busyTabs is a browser in which something happens just before a tab joins the others.
type busyTabs struct {
	tabs.Tabs
	meanwhile func()
}

func (b busyTabs) Open(name string) (tabs.Channel, error) {
	b.meanwhile()
	return b.Tabs.Open(name)
}

// muteTabs is a browser in which nothing that a tab says arrives.
type muteTabs struct{ tabs.Tabs }

type muteChannel struct{ tabs.Channel }

func (muteChannel) Post([]byte) error { return nil }

func (m muteTabs) Open(name string) (tabs.Channel, error) {
	c, err := m.Tabs.Open(name)
	return muteChannel{c}, err
}

// A tab that opens while the other writes shows that too.
func TestSecondTabMissesNothingWhileItOpens(t *testing.T) {
	ana := newDevice(t, "Ana")
	writer := ana.session(ana.found(""))
	var id ledger.ActionID
	second := ana.tab(busyTabs{ana.tabs, func() { id = act(t, writer, "meanwhile") }})
	reader := second.session(writer.Room())
	if reader.Net().Writer || !holds(reader, id) {
		t.Error("the reader does not show it")
	}
}

// muteWriter is a tab that writes and is not heard, and one that reads along.
func muteWriter(t *testing.T) (writer, reader *Session) {
	t.Helper()
	shared := &tabs.Local{}
	ana := newDevice(t, "Ana")
	ana.tabs = muteTabs{shared}
	writer = ana.session(ana.found(""))
	return writer, ana.tab(shared).session(writer.Room())
}

// A tab that takes over goes on with all that the one before had stored, whether it has heard of that or not.
func TestSecondTabTakesOverWhatItHasNotHeardOf(t *testing.T) {
	writer, reader := muteWriter(t)
	check(t, writer.Introduce(t.Context(), "Ana the Second"))
	id := act(t, writer, "unheard of")
	writer.Close()
	until(t, "the reader takes over", func() bool { return reader.Net().Writer })
	if !holds(reader, id) {
		t.Error("it does not have what the writer before did")
	}
	check(t, reader.do(t.Context(), func() {
		if reader.room.Record().Name != "Ana the Second" {
			t.Errorf("it goes on as %q", reader.room.Record().Name)
		}
	}))
}

// What two tabs change of a room's record at once is both kept, though neither has heard of the other's yet.
func TestTwoTabsChangeTheRoom(t *testing.T) {
	writer, reader := muteWriter(t)
	check(t, writer.do(t.Context(), func() {
		check(t, writer.room.Change(t.Context(), func(r *journal.Room) { r.Relay = "wss://other.example/relay" }))
	}))
	check(t, reader.Introduce(t.Context(), "Ana the Second"))
	until(t, "the writer knows both", func() bool {
		var room journal.Room
		check(t, writer.do(t.Context(), func() { room = writer.room.Record() }))
		return room.Name == "Ana the Second" && room.Relay == "wss://other.example/relay"
	})
}

// noLocks is a browser that cannot lock.
type noLocks struct{ tabs.Local }

func (*noLocks) TryLock(context.Context, string) (func(), bool, error) {
	return nil, false, tabs.ErrNoLocks
}

func TestWithoutLocksNothingIsWritten(t *testing.T) {
	ana := newDevice(t, "Ana")
	ana.tabs = &noLocks{}
	a := ana.session(ana.found(""))
	if _, err := a.writeBody(t.Context(), ledger.KindAct, []byte("x")); !errors.Is(err, tabs.ErrNoLocks) {
		t.Errorf("got %v", err)
	}
}
