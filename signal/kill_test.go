package signal

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"peernomic/engine/wire"
	"peernomic/signal/dial"
	"peernomic/signal/killtest"
)

// childData names the data folder of a relay that the test binary runs instead of
// tests.
const childData = "PEERNOMIC_TEST_RELAY"

func TestMain(m *testing.M) {
	if dir := os.Getenv(childData); dir != "" {
		if err := runChild(dir); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// runChild serves a relay, prints its address, and goes on until it is killed.
func runChild(dir string) error {
	limits := quick
	if os.Getenv(childFlooded) != "" {
		limits = flooded
		debug.SetMemoryLimit(MemoryLimit)
	}
	s, err := NewServer(Config{Data: dir, Limits: limits, Log: quiet()})
	if err != nil {
		return err
	}
	s.chain = 1 << 16
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Println(l.Addr())
	return http.Serve(l, s.Handler())
}

// startChild starts a relay of its own process, and returns its address.
func startChild(t *testing.T, dir string) (*exec.Cmd, string) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childData+"="+dir)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatalf("the relay did not start: %v", err)
	}
	return cmd, "http://" + strings.TrimSpace(line) + "/relay"
}

// witness remembers what relays have promised, over all their lives.
type witness struct {
	mu      sync.Mutex
	acked   map[byte][]wire.EnvelopeHash      // by room
	seals   map[byte]map[uint64]wire.SealHash // by room and number
	anchors map[byte]wire.Welcome             // the first welcome of each room
}

// load posts to a room until the relay dies, and remembers what it says.
func (w *witness) load(ctx context.Context, url string, room byte, label string) {
	key := roomKey(room)
	c, welcome, err := enterRoom(ctx, url, key)
	if err != nil {
		return // killed early
	}
	defer c.Close()
	w.mu.Lock()
	if _, ok := w.anchors[room]; !ok {
		w.anchors[room] = welcome
	}
	w.mu.Unlock()
	if err := c.Send(ctx, wire.Want{FromSeal: welcome.Seals + 1}); err != nil {
		return
	}
	const ahead = 8 // messages that are sent before the first answer is read
	for i := 0; ; i++ {
		var batch wire.Envelopes
		for k := range 1 + i%5 {
			batch.Envelopes = append(batch.Envelopes, envelope(key, fmt.Sprintf("%s %d %d %0*d", label, i, k, i*37%3000, 0)))
		}
		if err := c.Send(ctx, batch); err != nil {
			return
		}
		if i < ahead {
			continue
		}
		for acked := false; !acked; {
			m, err := c.Receive(ctx)
			if err != nil {
				return
			}
			acked = w.hear(room, m)
		}
	}
}

// heard reports whether anything was promised.
func (w *witness) heard() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	acked, seals := 0, 0
	for room := range w.seals {
		acked, seals = acked+len(w.acked[room]), seals+len(w.seals[room])
	}
	return acked > 0 && seals > 0
}

// hear remembers what a message promises, and reports whether it acknowledges.
func (w *witness) hear(room byte, m wire.Message) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch m := m.(type) {
	case wire.Ack:
		w.acked[room] = append(w.acked[room], m.Hashes...)
		return true
	case wire.Seals:
		for _, b := range m.Seals {
			if s, err := wire.OpenSeal(b); err == nil {
				w.seals[room][s.Number] = s.Hash
			}
		}
	}
	return false
}

// TestKill kills a relay under load at random moments. What it acknowledged and the
// seals that it showed must all be there when it is started again, and each room's
// chain must be one.
func TestKill(t *testing.T) {
	rounds := killtest.Wanted(t, 5)
	random := killtest.Random(t)
	dir := filepath.Join(t.TempDir(), "data")
	rooms := []byte{1, 2, 3}
	w := &witness{acked: map[byte][]wire.EnvelopeHash{}, seals: map[byte]map[uint64]wire.SealHash{}, anchors: map[byte]wire.Welcome{}}
	for _, r := range rooms {
		w.seals[r] = map[uint64]wire.SealHash{}
	}
	for kill := range rounds {
		cmd, url := startChild(t, dir)
		w.check(t, url, rooms)
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		var loads sync.WaitGroup
		for _, r := range rooms {
			for k := range 2 {
				loads.Go(func() { w.load(ctx, url, r, fmt.Sprint(kill, k)) })
			}
		}
		time.Sleep(time.Duration(50+random.IntN(400)) * time.Millisecond)
		for kill == rounds-1 && !w.heard() && ctx.Err() == nil {
			time.Sleep(10 * time.Millisecond) // on a slow machine every relay so far may have died before it promised anything
		}
		if err := cmd.Process.Signal(syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
		cmd.Wait() // says that it was killed
		loads.Wait()
		cancel()
	}
	cmd, url := startChild(t, dir)
	w.check(t, url, rooms)
	cmd.Process.Kill()
	cmd.Wait()
	total, seals := 0, 0
	for _, r := range rooms {
		total += len(w.acked[r])
		seals += len(w.seals[r])
	}
	if !w.heard() {
		t.Error("nothing was acknowledged: the test shows nothing")
	}
	t.Logf("%d kills: %d envelopes were acknowledged, %d seals seen, none is missing", rounds, total, seals)
}

// check reads all rooms and compares them with what was promised.
func (w *witness) check(t *testing.T, url string, rooms []byte) {
	t.Helper()
	for _, room := range rooms {
		first, ok := w.anchors[room]
		if !ok {
			continue
		}
		c, welcome, err := dial.Relay(patient(t), url, roomKey(room), gameOf(roomOf(roomKey(room))))
		if err != nil {
			t.Fatalf("room %d: %v", room, err)
		}
		if welcome.Notary != first.Notary || welcome.Anchor != first.Anchor {
			t.Fatalf("room %d has another notary", room)
		}
		m := &member{t: t, c: c, welcome: welcome, key: roomKey(room), got: map[wire.EnvelopeHash]int{}, acked: map[wire.EnvelopeHash]bool{}}
		m.send(wire.Want{FromSeal: 1})
		m.until("log", func() bool { return uint64(len(m.sealed)) >= welcome.Seals })
		m.checkChain(1)
		sealed := map[wire.EnvelopeHash]bool{}
		for _, h := range m.order() {
			if sealed[h] {
				t.Errorf("room %d: %s was sealed twice", room, h)
			}
			sealed[h] = true
		}
		for _, h := range w.acked[room] {
			if !sealed[h] {
				t.Errorf("room %d: %s was acknowledged and is missing", room, h)
			}
		}
		for n, h := range w.seals[room] {
			if n > welcome.Seals || m.sealed[n-1].Hash != h {
				t.Errorf("room %d: seal %d was shown and is another or missing", room, n)
			}
		}
		c.Close()
	}
}
