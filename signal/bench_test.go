package signal

import (
	"bufio"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"peernomic/engine/wire"
	"peernomic/signal/dial"
)

// BenchmarkDelivery measures envelopes of 600 bytes that are stored, synced, sealed
// and received by every subscriber of their room. One operation is one envelope; the
// devices send as fast as they are acknowledged.
func BenchmarkDelivery(b *testing.B) {
	for _, c := range []struct{ rooms, subscribers, batch int }{
		{1, 20, 1}, {1, 20, 16}, {1, 20, 256}, {20, 20, 1}, {20, 20, 16},
	} {
		b.Run(fmt.Sprintf("rooms=%d/subscribers=%d/batch=%d", c.rooms, c.subscribers, c.batch), func(b *testing.B) {
			limits := quick
			limits.RoomBytes = MaxRoomBytes
			r := startRelay(b, Config{Limits: limits, Data: filepath.Join(b.TempDir(), "data")}, 1<<18)
			each := (b.N + c.rooms - 1) / c.rooms
			var start, done sync.WaitGroup
			start.Add(1)
			for room := range c.rooms {
				for range c.subscribers {
					m := r.join(byte(room + 1))
					m.send(wire.Want{FromSeal: 1})
					done.Go(func() { m.count(each) })
				}
				poster := r.join(byte(room + 1))
				done.Go(func() {
					start.Wait()
					poster.flood(each, c.batch)
				})
			}
			b.ResetTimer()
			start.Done()
			done.Wait()
			b.StopTimer()
			b.ReportMetric(float64(each*c.rooms*c.subscribers)/b.Elapsed().Seconds(), "deliveries/s")
			b.ReportMetric(float64(each*c.rooms)/b.Elapsed().Seconds(), "envelopes/s")
		})
	}
}

// count receives until n envelopes are sealed.
func (m *member) count(n int) {
	ctx := m.t.Context()
	for n > 0 {
		message, err := m.c.Receive(ctx)
		if err != nil {
			m.t.Error(err)
			return
		}
		seals, ok := message.(wire.Seals)
		if !ok {
			continue
		}
		for _, s := range seals.Seals {
			parsed, err := wire.ParseSeal(s)
			if err != nil {
				m.t.Error(err)
				return
			}
			n -= len(parsed.Envelopes)
		}
	}
}

// flood posts n envelopes, with up to 4 messages ahead of their acknowledgements.
func (m *member) flood(n, batch int) {
	ctx := m.t.Context()
	acked, sent := 0, 0
	for acked < n {
		for sent < n && sent-acked < 4*batch {
			var message wire.Envelopes
			for range min(batch, n-sent) {
				message.Envelopes = append(message.Envelopes, envelope(m.key, fmt.Sprintf("%0523d", sent)))
				sent++
			}
			if err := m.c.Send(ctx, message); err != nil {
				m.t.Error(err)
				return
			}
		}
		message, err := m.c.Receive(ctx)
		if err != nil {
			m.t.Error(err)
			return
		}
		if a, ok := message.(wire.Ack); ok {
			acked += len(a.Hashes)
		}
	}
}

// BenchmarkLatency measures the time from sending one envelope to receiving its
// seal, in an idle room.
func BenchmarkLatency(b *testing.B) {
	r := startRelay(b, Config{Limits: quick, Data: filepath.Join(b.TempDir(), "data")}, 1<<18)
	r.s.limits.SealEvery = time.Nanosecond
	m := r.join(1)
	m.send(wire.Want{FromSeal: 1})
	for i := 0; b.Loop(); i++ {
		m.post(strconv.Itoa(i))
		m.count(1)
	}
}

// BenchmarkIdleConnections measures what a connection costs a relay that does nothing
// for it. The relay is a process of its own, so that the clients do not count.
func BenchmarkIdleConnections(b *testing.B) {
	const connections, rooms = 2000, 100
	for b.Loop() {
		dir := filepath.Join(b.TempDir(), "data")
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), childData+"="+dir)
		out, err := cmd.StdoutPipe()
		if err != nil {
			b.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			b.Fatal(err)
		}
		line, err := bufio.NewReader(out).ReadString('\n')
		if err != nil {
			b.Fatal(err)
		}
		base := "http://" + strings.TrimSpace(line)
		visit := func(i int) *dial.Conn {
			c, _, err := enterRoom(patient(b), base+"/relay", roomKey(byte(i%rooms)))
			if err != nil {
				b.Fatal(err)
			}
			return c
		}
		var open []*dial.Conn
		for i := range rooms {
			open = append(open, visit(i))
		}
		before := resident(b, base)
		for i := range connections {
			open = append(open, visit(i))
		}
		after := resident(b, base)
		b.ReportMetric((after-before)/connections/1024, "KiB/connection")
		b.ReportMetric(before/(1<<20), "MiB-resident-before")
		cmd.Process.Kill()
		cmd.Wait()
		for _, c := range open {
			c.Close()
		}
	}
}

// resident returns a relay's resident memory.
func resident(b *testing.B, base string) float64 {
	response, err := http.Get(base + "/metrics")
	if err != nil {
		b.Fatal(err)
	}
	defer response.Body.Close()
	for lines := bufio.NewScanner(response.Body); lines.Scan(); {
		if v, ok := strings.CutPrefix(lines.Text(), "process_resident_memory_bytes "); ok {
			bytes, err := strconv.ParseFloat(v, 64)
			if err != nil {
				b.Fatal(err)
			}
			return bytes
		}
	}
	b.Fatal("the relay does not report its memory")
	return 0
}
