package signal

import (
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/coder/websocket"

	"peernomic/engine/wire"
	"peernomic/signal/refusal"
)

// The tests in this file run in virtual time: the relay, its clients and the
// connections between them (which hold no bytes at all) live in one bubble.

// pipes is a listener whose connections are pipes.
type pipes struct {
	s      *Server
	accept chan net.Conn
	closed chan struct{}
}

func (p pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.accept:
		return c, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}
func (p pipes) Close() error   { close(p.closed); return nil }
func (p pipes) Addr() net.Addr { return &net.UnixAddr{} }

func (p pipes) dial(context.Context, string, string) (net.Conn, error) {
	here, there := net.Pipe()
	select {
	case p.accept <- there:
		return here, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

// bubble runs a test against a relay in virtual time.
func bubble(t *testing.T, config Config, test func(t *testing.T, s *Server, p pipes)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		config.Log = quiet()
		s, err := NewServer(config)
		if err != nil {
			t.Fatal(err)
		}
		s.chain = 1 << 12
		p := pipes{s, make(chan net.Conn), make(chan struct{})}
		server := &http.Server{Handler: s.Handler()}
		go server.Serve(p)
		test(t, s, p)
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		if err := s.Close(ctx); err != nil {
			t.Error(err)
		}
		server.Close()
	})
}

// connect opens a WebSocket over a pipe.
func (p pipes) connect(t *testing.T) *raw {
	t.Helper()
	transport := &http.Transport{DialContext: p.dial}
	ws, _, err := websocket.Dial(t.Context(), "http://relay/relay", &websocket.DialOptions{HTTPClient: &http.Client{Transport: transport}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { ws.CloseNow() })
	ws.SetReadLimit(wire.MaxFrame)
	return &raw{t, p.s, ws}
}

func TestLateHello(t *testing.T) {
	bubble(t, Config{}, func(t *testing.T, s *Server, p pipes) {
		start := time.Now()
		w := p.connect(t)
		w.challenge()
		w.refused(refusal.Late)
		if got := time.Since(start); got != 5*time.Second {
			t.Errorf("refused after %v, want 5s", got)
		}
	})
}

func TestSilentClientIsEnded(t *testing.T) {
	bubble(t, Config{}, func(t *testing.T, s *Server, p pipes) {
		lively := p.connect(t)
		lively.enter(roomKey(1), wire.PeerID{1})
		pong := make(chan error, 1)
		go func() { // it only reads, which answers pings
			for {
				_, frame, err := lively.ws.Read(t.Context())
				if err != nil {
					pong <- err
					return
				}
				if m, _ := wire.DecodeMessage(frame); m == (wire.Pong{Time: time.Now().UnixMilli()}) {
					pong <- nil
				}
			}
		}()
		start := time.Now()
		// A client that reads but never answers: the WebSocket is spoken by hand.
		c, err := p.dial(t.Context(), "", "")
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		io.WriteString(c, "GET /relay HTTP/1.1\r\nHost: relay\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"+
			"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n")
		got := helloByHand(t, c, roomKey(1))
		if took := time.Since(start); took < 75*time.Second || took > 110*time.Second {
			t.Errorf("ended after %v", took)
		}
		if !strings.Contains(got, string(refusal.Silent)) {
			t.Errorf("ended without saying why: %q", got)
		}
		// The one that answers pings stays, as long as it likes.
		time.Sleep(time.Hour)
		lively.send(wire.Ping{})
		if err := <-pong; err != nil {
			t.Errorf("the connection that answered was ended: %v", err)
		}
	})
}

// helloByHand enters a room over a bare connection and returns all that comes after.
func helloByHand(t *testing.T, c net.Conn, key ed25519.PrivateKey) string {
	t.Helper()
	var got []byte
	buffer := make([]byte, 4096)
	said := false
	for {
		n, err := c.Read(buffer)
		got = append(got, buffer[:n]...)
		if i := strings.Index(string(got), "\r\n\r\n"); !said && i >= 0 && len(got) >= i+4+2+1+1+2+32+1+len("relay") {
			said = true
			frame := got[i+4+2:] // a short frame has two bytes of header
			m, err := wire.DecodeMessage(frame)
			if err != nil {
				t.Fatal(err)
			}
			answer, err := wire.EncodeMessage(hello(key, m.(wire.Challenge), wire.PeerID{9}))
			if err != nil {
				t.Fatal(err)
			}
			// Masked with zeros, with a length of two bytes.
			header := []byte{0x82, 0x80 | 126, byte(len(answer) >> 8), byte(len(answer)), 0, 0, 0, 0}
			if _, err := c.Write(append(header, answer...)); err != nil {
				t.Fatal(err)
			}
			got = nil
		}
		if err != nil {
			return string(got)
		}
	}
}

// fill puts n seals of about 60 KB each into a room.
func fill(t *testing.T, w *raw, key ed25519.PrivateKey, n int) {
	t.Helper()
	for i := range n {
		e := envelope(key, fmt.Sprintf("%060000d", i))
		w.send(wire.Envelopes{Envelopes: [][]byte{e}})
		for {
			if _, ok := w.receive().(wire.Ack); ok {
				break
			}
		}
	}
}

func TestSlowReaderIsEndedAndResumes(t *testing.T) {
	limits := Limits{EnvelopeBurst: 1000}
	bubble(t, Config{Limits: limits}, func(t *testing.T, s *Server, p pipes) {
		const seals = 40
		key := roomKey(1)
		writer := p.connect(t)
		writer.enter(key, wire.PeerID{1})
		fill(t, writer, key, seals)

		// seen reads what comes and counts seals until the connection ends.
		seen := func(w *raw) (n int, last wire.Message, err error) {
			for {
				_, frame, err := w.ws.Read(t.Context())
				if err != nil {
					return n, last, err
				}
				m, err := wire.DecodeMessage(frame)
				if err != nil {
					t.Fatal(err)
				}
				if s, ok := m.(wire.Seals); ok {
					n += len(s.Seals)
				}
				last = m
			}
		}
		slow := p.connect(t)
		slow.enter(key, wire.PeerID{2})
		slow.send(wire.Want{FromSeal: 1})
		time.Sleep(25 * time.Second)
		n, last, err := seen(slow)
		if r, ok := last.(wire.Refusal); !ok || r.Code != string(refusal.Slow) || int(websocket.CloseStatus(err)) != refusal.Slow.Status() {
			t.Errorf("slow reader: got %+v and %v, want %q", last, err, refusal.Slow)
		}
		if n >= seals {
			t.Errorf("slow reader got all %d seals", n)
		}

		stuck := p.connect(t)
		stuck.enter(key, wire.PeerID{3})
		stuck.send(wire.Want{FromSeal: 1})
		time.Sleep(45 * time.Second)
		room := s.hold(roomOf(key))
		if _, ok := room.member(wire.PeerID{3}); ok {
			t.Error("the stuck reader was not cut off")
		}
		room.release()

		again := p.connect(t)
		again.enter(key, wire.PeerID{4})
		again.send(wire.Want{FromSeal: uint64(n + 1)})
		for n < seals {
			if s, ok := again.receive().(wire.Seals); ok {
				first, err := wire.OpenSeal(s.Seals[0])
				if err != nil || first.Number != uint64(n+1) {
					t.Fatalf("resumed at seal %d (%v), want %d", first.Number, err, n+1)
				}
				n += len(s.Seals)
			}
		}
	})
}

// A client may ask anew while an earlier answer is under way.
func TestWantWhileTheLogIsSent(t *testing.T) {
	bubble(t, Config{Limits: Limits{EnvelopeBurst: 1000}}, func(t *testing.T, s *Server, p pipes) {
		const seals = 20
		key := roomKey(1)
		w := p.connect(t)
		w.enter(key, wire.PeerID{1})
		fill(t, w, key, seals)
		w.send(wire.Want{FromSeal: 1})
		synctest.Wait() // the relay is stuck in the middle of the first frame
		w.send(wire.Want{FromSeal: 1})
		synctest.Wait()
		var numbers []uint64
		for len(numbers) == 0 || numbers[len(numbers)-1] < seals {
			m, ok := w.receive().(wire.Seals)
			if !ok {
				continue
			}
			for _, b := range m.Seals {
				s, err := wire.OpenSeal(b)
				if err != nil {
					t.Fatal(err)
				}
				numbers = append(numbers, s.Number)
			}
		}
		second := slices.Index(numbers[1:], 1) + 1
		if second == 0 {
			t.Fatalf("the log did not begin anew: %v", numbers)
		}
		for i, n := range numbers[second:] {
			if n != uint64(i+1) {
				t.Fatalf("the log that was asked for second has gaps: %v", numbers)
			}
		}
	})
}

func TestSealsAreCutAtOnceWhenIdleAndSeldomUnderLoad(t *testing.T) {
	bubble(t, Config{}, func(t *testing.T, s *Server, p pipes) {
		w := p.connect(t)
		w.enter(roomKey(1), wire.PeerID{1})
		w.send(wire.Want{FromSeal: 1})
		time.Sleep(time.Second)
		seal := func() wire.SignedSeal {
			t.Helper()
			for {
				if m, ok := w.receive().(wire.Seals); ok {
					if len(m.Seals) != 1 {
						t.Fatalf("got %d seals at once", len(m.Seals))
					}
					s, err := wire.OpenSeal(m.Seals[0])
					if err != nil {
						t.Fatal(err)
					}
					return s
				}
			}
		}
		start := time.Now()
		w.send(wire.Envelopes{Envelopes: [][]byte{envelope(roomKey(1), "0")}})
		if s := seal(); len(s.Envelopes) != 1 || time.Since(start) != 0 {
			t.Errorf("idle: %d envelopes after %v", len(s.Envelopes), time.Since(start))
		}
		for i := range 3 {
			w.send(wire.Envelopes{Envelopes: [][]byte{envelope(roomKey(1), fmt.Sprint(i+1))}})
		}
		if s := seal(); len(s.Envelopes) != 3 || time.Since(start) != 20*time.Millisecond {
			t.Errorf("under load: %d envelopes after %v", len(s.Envelopes), time.Since(start))
		}
	})
}

func TestFastSenderWaits(t *testing.T) {
	limits := Limits{EnvelopeRate: 10, EnvelopeBurst: wire.MaxBatch}
	bubble(t, Config{Limits: limits}, func(t *testing.T, s *Server, p pipes) {
		w := p.connect(t)
		w.enter(roomKey(1), wire.PeerID{1})
		batch := wire.Envelopes{}
		for i := range wire.MaxBatch {
			batch.Envelopes = append(batch.Envelopes, envelope(roomKey(1), fmt.Sprint(i)))
		}
		start := time.Now()
		w.send(batch)
		w.send(wire.Envelopes{Envelopes: [][]byte{envelope(roomKey(1), "a"), envelope(roomKey(1), "b")}})
		for range 2 {
			if m, ok := w.receive().(wire.Ack); !ok {
				t.Fatalf("got %+v, want an acknowledgement", m)
			}
		}
		if got := time.Since(start); got < 190*time.Millisecond || got > 240*time.Millisecond {
			t.Errorf("two envelopes beyond the burst took %v, want about 200ms", got)
		}
	})
}

func TestCloseIsGraceful(t *testing.T) {
	bubble(t, Config{}, func(t *testing.T, s *Server, p pipes) {
		early, member, deaf := p.connect(t), p.connect(t), p.connect(t)
		member.enter(roomKey(1), wire.PeerID{1})
		deaf.enter(roomKey(1), wire.PeerID{2})
		early.challenge()
		for _, w := range []*raw{early, member} {
			go w.refused(refusal.Closing)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
		defer cancel()
		start := time.Now()
		if err := s.Close(ctx); err != nil {
			t.Fatal(err)
		}
		if took := time.Since(start); took > 30*time.Second {
			t.Errorf("closing took %v", took)
		}
		transport := &http.Transport{DialContext: p.dial}
		_, response, err := websocket.Dial(t.Context(), "http://relay/relay", &websocket.DialOptions{HTTPClient: &http.Client{Transport: transport}})
		if err == nil || response == nil || response.StatusCode != http.StatusServiceUnavailable {
			t.Errorf("after Close: got %v, want 503", err)
		}
		if err := s.Close(ctx); err != nil {
			t.Errorf("second Close: %v", err)
		}
		if _, err := s.store.Rooms(); err == nil || errors.Is(err, context.Canceled) {
			t.Errorf("the store is not closed: %v", err)
		}
	})
}
