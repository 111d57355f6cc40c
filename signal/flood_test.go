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
	"peernomic/signal/client"
	"peernomic/signal/code"
)

// childFlooded makes the relay of childData one with its default limits, but for those that
// count addresses, because the whole flood comes from one.
const childFlooded = "PEERNOMIC_TEST_FLOODED"

var flooded = Limits{AttemptRate: 1e6, AttemptBurst: 1e6, ConnectionsPerAddress: 1e6}

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
	refused sync.Map // code.Code to true
	sent    atomic.Int64
}

func (f *flood) heard(m wire.Message) {
	if r, ok := m.(wire.Refusal); ok {
		f.refused.Store(code.Code(r.Code), true)
	}
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
	c, _, err := client.Dial(ctx, f.url, roomKey(room), true)
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

// sender sends the largest messages as fast as they go, and reads what is refused.
func (f *flood) sender(ctx context.Context, room byte, seed uint64) {
	key := roomKey(room)
	c, _, err := client.Dial(ctx, f.url, key, true)
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
		size, count = 180, wire.MaxBatch // many small ones
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
		c, _, err := client.Dial(ctx, f.url, roomKey(byte(n)), true)
		var refused *client.RefusedError
		if errors.As(err, &refused) {
			f.refused.Store(refused.Code, true)
			return
		}
		if err == nil {
			c.Close()
		}
	}
}

// A relay that is flooded by everybody at once stays within its memory, says what it refuses,
// and goes on serving a room of good manners.
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
	good, _, err := client.Dial(patient(t), address, roomKey(1), true)
	if err != nil {
		t.Fatal(err)
	}
	defer good.Close()
	f := &flood{url: address}
	for room := range byte(8) {
		c, _, err := client.Dial(patient(t), address, roomKey(2+room), true)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
	}
	f.rooms(patient(t))
	ctx, cancel := context.WithTimeout(t.Context(), 8*time.Second)
	defer cancel()
	var all sync.WaitGroup
	for n := range 300 {
		all.Go(func() { f.halfOpen(ctx) })
		if n < 100 {
			all.Go(func() { f.slowReader(ctx, byte(2+n%4)) })
		}
		if n < 200 {
			all.Go(func() { f.sender(ctx, byte(2+n%8), uint64(n)) })
		}
	}
	served, slowest, peak := 0, time.Duration(0), uint64(0)
	for ctx.Err() == nil {
		start := time.Now()
		if good.Send(ctx, wire.Envelopes{Envelopes: [][]byte{envelope(roomKey(1), fmt.Sprint("good ", served))}}) != nil {
			break
		}
		if m, err := good.Receive(ctx); err != nil {
			break
		} else if _, ok := m.(wire.Ack); !ok {
			t.Errorf("got %+v", m)
		}
		served++
		peak = max(peak, memoryOf(t, cmd.Process.Pid))
		slowest = max(slowest, time.Since(start))
		time.Sleep(50 * time.Millisecond)
	}
	all.Wait()
	t.Logf("%d MiB sent to it; at most %d MiB of memory; %d envelopes of the room of good manners taken in, the slowest in %s", f.sent.Load()>>20, peak>>20, served, slowest)
	if peak > maxResident {
		t.Errorf("the relay had %d MiB of memory", peak>>20)
	}
	if served < 2 {
		t.Errorf("only %d envelopes of the room of good manners were taken in", served)
	}
	f.refused.Range(func(k, _ any) bool { t.Log("refused: ", k); return true })
	if _, ok := f.refused.Load(code.RoomsDaily); !ok {
		t.Error("one address opened rooms without end")
	}
}
