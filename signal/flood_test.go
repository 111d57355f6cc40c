package signal

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"net/url"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"peernomic/engine/wire"
	"peernomic/signal/dial"
	"peernomic/signal/refusal"
)

// childFlooded makes the relay of childData one with its default limits, but for those that
// count addresses, because the whole flood comes from one, and those that make filling a room take longer than a test.
const childFlooded = "PEERNOMIC_TEST_FLOODED"

var flooded = Limits{AttemptRate: 1e6, AttemptBurst: 1e6, ConnectionsPerAddress: 1e6,
	FillRate: 1e9, FillBurst: 1e9, RoomFillRate: 1e9, RoomFillBurst: 1e9}

// maxResident is the memory, in bytes, within which a relay stays while it is flooded. It is
// stated in docs/testing.md.
const maxResident = 768 << 20

// memoryOf returns the memory of a process, in bytes, without what it shares with files, which
// the system takes back when it needs it. It is 0 where the system does not tell.
func memoryOf(t *testing.T, pid int) uint64 {
	t.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(status)) {
		if kb, ok := strings.CutPrefix(line, "RssAnon:"); ok {
			n, err := strconv.ParseUint(strings.TrimSuffix(strings.TrimSpace(kb), " kB"), 10, 64)
			if err != nil {
				t.Fatal(err)
			}
			return n << 10
		}
	}
	return 0
}

// raced says that the race detector is in the program, which takes many times the memory.
var raced bool

// flood is what everybody but one does to a relay.
type flood struct {
	url     string
	refused sync.Map // refusal.Code to true
	sent    atomic.Int64
}

func (f *flood) heard(m wire.Message) {
	if r, ok := m.(wire.Refusal); ok {
		f.refused.Store(refusal.Code(r.Code), true)
	}
}

// said reports whether the relay refused something with a code.
func (f *flood) said(c refusal.Code) bool {
	_, ok := f.refused.Load(c)
	return ok
}

// halfOpen connects and says nothing, or half a sentence.
func (f *flood) halfOpen(ctx context.Context) {
	u, err := url.Parse(f.url)
	if err != nil {
		return
	}
	c, err := (&net.Dialer{}).DialContext(ctx, "tcp", u.Host)
	if err != nil {
		return
	}
	defer c.Close()
	_, _ = fmt.Fprintf(c, "GET /relay HTTP/1.1\r\nHost: %s\r\n", u.Host)
	<-ctx.Done()
}

// slowReader asks for everything and reads nothing.
func (f *flood) slowReader(ctx context.Context, room byte) {
	c, _, err := enterRoom(ctx, f.url, roomKey(room))
	if err != nil {
		return
	}
	defer c.Close()
	for ctx.Err() == nil {
		if c.Send(ctx, wire.Want{FromSeal: 1}) != nil {
			return
		}
	}
}

// sender sends as fast as it goes, most the largest messages and some many small ones, and reads what is refused.
func (f *flood) sender(ctx context.Context, room byte, seed uint64) {
	key := roomKey(room)
	c, _, err := enterRoom(ctx, f.url, key)
	if err != nil {
		return
	}
	defer c.Close()
	go func() {
		for {
			m, err := c.Receive(ctx)
			if err != nil {
				return
			}
			f.heard(m)
		}
	}()
	content := make([]byte, wire.MaxEnvelope-wire.EnvelopeHeader-16)
	random := rand.NewChaCha8([32]byte(binary.BigEndian.AppendUint64(make([]byte, 24), seed)))
	size, count := len(content), 15
	if seed%4 == 0 {
		size, count = 32, 100 // short enough not to wait for the memory of long messages
	}
	for ctx.Err() == nil {
		var batch wire.Envelopes
		for range count {
			_, _ = random.Read(content[:size]) // never fails
			batch.Envelopes = append(batch.Envelopes, envelope(key, string(content[:size])))
		}
		if c.Send(ctx, batch) != nil {
			return
		}
		f.sent.Add(int64(count * size))
	}
}

// rooms opens one room after the other.
func (f *flood) rooms(ctx context.Context) {
	for n := 100; n < 256 && ctx.Err() == nil; n++ {
		c, _, err := enterRoom(ctx, f.url, roomKey(byte(n)))
		var refused *dial.RefusedError
		if errors.As(err, &refused) {
			f.refused.Store(refused.Code, true)
			return
		}
		if err == nil {
			c.Close()
		}
	}
}

// What has to have come to a relay before the flood ends: bytes, and messages of the room of good manners.
// However slow the machine is, it goes on until then.
const (
	enoughBytes  = 256 << 20
	enoughServed = 5
	floodLimit   = 15 * time.Minute // then the relay serves nobody any more
)

// A relay that is flooded by everybody at once stays within its memory, says what it refuses,
// and goes on serving a room of good manners. Whether it calls a reader slow depends on how much the
// system keeps for one that reads nothing, which may be all there is: TestSlowReaderIsEndedAndResumes
// shows that. That the members of a room are too fast comes for sure: in two rooms, 25 of them send 100 envelopes
// at a time, of which 1,200 may wait. A room's quota would take a GiB of the disk: TestRoomQuota shows it with a small one.
func TestFloodStaysWithinMemory(t *testing.T) {
	if raced {
		t.Skip("the race detector takes its own memory")
	}
	t.Setenv(childFlooded, "1")
	cmd, address := startChild(t, t.TempDir())
	defer func() { cmd.Process.Kill(); cmd.Wait() }()
	if memoryOf(t, cmd.Process.Pid) == 0 {
		t.Skip("this system does not tell how much memory a process has")
	}
	ctx, cancel := context.WithTimeout(t.Context(), floodLimit)
	defer cancel()
	good, _, err := enterRoom(ctx, address, roomKey(1))
	if err != nil {
		t.Fatal(err)
	}
	defer good.Close()
	f := &flood{url: address}
	for room := range byte(8) {
		c, _, err := enterRoom(ctx, address, roomKey(2+room))
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
	}
	f.rooms(ctx)
	var all sync.WaitGroup
	flooding, ebb := context.WithCancel(ctx)
	defer all.Wait()
	defer ebb()
	for n := range 300 {
		all.Go(func() { f.halfOpen(flooding) })
		if n < 100 {
			all.Go(func() {
				for flooding.Err() == nil {
					f.slowReader(flooding, byte(2+n%4))
				}
			})
		}
		if n < 200 {
			all.Go(func() {
				for flooding.Err() == nil {
					f.sender(flooding, byte(2+n%8), uint64(n))
				}
			})
		}
	}
	var peak atomic.Uint64
	all.Go(func() {
		for flooding.Err() == nil {
			peak.Store(max(peak.Load(), memoryOf(t, cmd.Process.Pid)))
			time.Sleep(50 * time.Millisecond)
		}
	})
	slowest := time.Duration(0)
	for served := 0; served < enoughServed || f.sent.Load() < enoughBytes || !f.said(refusal.RoomRate); served++ {
		start := time.Now()
		if err := good.Send(ctx, wire.Envelopes{Envelopes: [][]byte{envelope(roomKey(1), fmt.Sprint("good ", served))}}); err != nil {
			t.Fatalf("the room of good manners, after %d envelopes and %d MiB: %v", served, f.sent.Load()>>20, err)
		}
		if m, err := good.Receive(ctx); err != nil {
			t.Fatalf("the room of good manners, after %d envelopes and %d MiB: %v", served, f.sent.Load()>>20, err)
		} else if _, ok := m.(wire.Ack); !ok {
			t.Errorf("got %+v", m)
		}
		slowest = max(slowest, time.Since(start))
		time.Sleep(50 * time.Millisecond)
	}
	ebb()
	all.Wait()
	t.Logf("%d MiB sent to it; at most %d MiB of memory; the slowest envelope of the room of good manners was taken in in %s", f.sent.Load()>>20, peak.Load()>>20, slowest)
	if peak.Load() > maxResident {
		t.Errorf("the relay had %d MiB of memory", peak.Load()>>20)
	}
	f.refused.Range(func(k, _ any) bool { t.Log("refused: ", k); return true })
	if !f.said(refusal.RoomsDaily) {
		t.Error("one address opened rooms without end")
	}
}
