//go:build !js

package dial_test

import (
	"context"
	"crypto/ed25519"
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/coder/websocket"

	"peernomic/engine/wire"
	"peernomic/signal/dial"
	"peernomic/signal/refusal"
)

var key = ed25519.NewKeyFromSeed(make([]byte, 32))

func patient(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	t.Cleanup(cancel)
	return ctx
}

// stage is a relay that follows a script.
type stage struct {
	t    *testing.T
	ws   *websocket.Conn
	host string
}

func (s stage) send(m wire.Message) {
	frame, err := wire.EncodeMessage(m)
	if err != nil {
		s.t.Error(err)
	}
	if err := s.ws.Write(patient(s.t), websocket.MessageBinary, frame); err != nil {
		s.t.Error(err)
	}
}

func (s stage) hello() wire.Hello {
	_, frame, err := s.ws.Read(patient(s.t))
	if err != nil {
		return wire.Hello{} // its proof is missing
	}
	m, err := wire.DecodeMessage(frame)
	if err != nil {
		s.t.Error(err)
	}
	h, _ := m.(wire.Hello)
	return h
}

// welcome plays the part of a relay up to the welcome.
func (s stage) welcome() {
	c := wire.Challenge{Nonce: [32]byte{5}, Host: s.host}
	s.send(c)
	if h := s.hello(); !h.Proves(c) {
		s.t.Errorf("hello without proof: %+v", h)
	}
	s.send(wire.Welcome{Seals: 7, Peers: []wire.PeerID{}})
}

// play serves a script and returns the relay's address.
func play(t *testing.T, script func(s stage)) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ws, err := websocket.Accept(w, r, nil)
		if err != nil {
			t.Error(err)
			return
		}
		defer ws.CloseNow()
		script(stage{t, ws, r.Host})
	}))
	t.Cleanup(server.Close)
	return server.URL
}

func TestMessagesBeforeTheEnd(t *testing.T) {
	ends := []struct {
		name  string
		end   func(ws *websocket.Conn)
		check func(err error) bool
	}{
		{"in good order", func(ws *websocket.Conn) { ws.Close(websocket.StatusNormalClosure, "") }, func(err error) bool { return errors.Is(err, dial.ErrClosed) }},
		{"with a code", func(ws *websocket.Conn) { ws.Close(websocket.StatusCode(refusal.Slow.Status()), "slow") }, func(err error) bool {
			var refused *dial.RefusedError
			return errors.As(err, &refused) && refused.Code == refusal.Slow && refused.Text != ""
		}},
		{"lost", func(ws *websocket.Conn) { ws.CloseNow() }, func(err error) bool { return errors.Is(err, dial.ErrLost) }},
		{"text frame", func(ws *websocket.Conn) {
			ws.Write(context.Background(), websocket.MessageText, []byte("x"))
			ws.Read(context.Background())
		}, func(err error) bool { return errors.Is(err, wire.ErrMessage) }},
	}
	for _, end := range ends {
		t.Run(end.name, func(t *testing.T) {
			url := play(t, func(s stage) {
				s.welcome()
				for i := range 100 { // more than waits in the client
					s.send(wire.Pong{Time: int64(i)})
				}
				end.end(s.ws)
			})
			c, welcome, err := dial.Relay(patient(t), url, key, wire.GameID{})
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			if welcome.Seals != 7 {
				t.Errorf("got welcome %+v", welcome)
			}
			for i := range 100 {
				m, err := c.Receive(patient(t))
				if err != nil {
					t.Fatal(err)
				}
				if m != (wire.Pong{Time: int64(i)}) {
					t.Fatalf("got %+v, want pong %d", m, i)
				}
			}
			for range 2 { // the error stays
				if _, err := c.Receive(patient(t)); !end.check(err) {
					t.Errorf("got %v", err)
				}
			}
			if err := c.Send(patient(t), wire.Ping{}); err == nil {
				t.Error("sending after the end succeeded")
			}
		})
	}
}

func TestDialFails(t *testing.T) {
	t.Run("refused", func(t *testing.T) {
		url := play(t, func(s stage) {
			s.send(wire.Challenge{Host: s.host})
			s.hello()
			s.send(wire.Refusal{Code: string(refusal.NoRoom), Text: "no"})
			s.ws.Close(websocket.StatusCode(refusal.NoRoom.Status()), "")
		})
		_, _, err := dial.Relay(patient(t), url, key, wire.GameID{})
		var refused *dial.RefusedError
		if !errors.As(err, &refused) || refused.Code != refusal.NoRoom || refused.Text != "no" {
			t.Errorf("got %v", err)
		}
	})
	t.Run("another relay's challenge", func(t *testing.T) {
		url := play(t, func(s stage) {
			s.send(wire.Challenge{Host: "other.example"})
			if h := s.hello(); h.Proof != nil {
				s.t.Errorf("signed for another host: %+v", h)
			}
		})
		if _, _, err := dial.Relay(patient(t), url, key, wire.GameID{}); !errors.Is(err, dial.ErrHost) {
			t.Errorf("got %v, want ErrHost", err)
		}
	})
	t.Run("no challenge", func(t *testing.T) {
		url := play(t, func(s stage) {
			s.send(wire.Ping{})
			s.ws.Read(context.Background())
		})
		if _, _, err := dial.Relay(patient(t), url, key, wire.GameID{}); !errors.Is(err, wire.ErrMessage) {
			t.Errorf("got %v, want ErrMessage", err)
		}
	})
	t.Run("not a message", func(t *testing.T) {
		url := play(t, func(s stage) {
			s.ws.Write(context.Background(), websocket.MessageBinary, []byte{1, 2, 3})
			s.ws.Read(context.Background())
		})
		if _, _, err := dial.Relay(patient(t), url, key, wire.GameID{}); !errors.Is(err, wire.ErrMessage) {
			t.Errorf("got %v, want ErrMessage", err)
		}
	})
	t.Run("silence", func(t *testing.T) {
		url := play(t, func(s stage) { s.ws.Read(context.Background()) })
		ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
		defer cancel()
		if _, _, err := dial.Relay(ctx, url, key, wire.GameID{}); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v, want DeadlineExceeded", err)
		}
	})
	t.Run("nobody there", func(t *testing.T) {
		server := httptest.NewServer(http.NotFoundHandler())
		server.Close()
		if _, _, err := dial.Relay(patient(t), server.URL, key, wire.GameID{}); err == nil {
			t.Error("connected to nothing")
		}
	})
}

func TestReceiveGivesUpAndGoesOn(t *testing.T) {
	release := make(chan struct{})
	url := play(t, func(s stage) {
		s.welcome()
		<-release
		s.send(wire.Pong{Time: 1})
		s.ws.Read(context.Background())
	})
	c, _, err := dial.Relay(patient(t), url, key, wire.GameID{})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := c.Receive(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want Canceled", err)
	}
	close(release)
	if m, err := c.Receive(patient(t)); err != nil || m != (wire.Pong{Time: 1}) {
		t.Errorf("after giving up once: got %+v, %v", m, err)
	}
	if err := c.Send(patient(t), wire.Envelopes{Envelopes: [][]byte{make([]byte, wire.MaxFrame)}}); !errors.Is(err, wire.ErrMessage) {
		t.Errorf("a message too long: got %v, want ErrMessage", err)
	}
	for range 2 {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	}
	if _, err := c.Receive(patient(t)); err == nil {
		t.Error("received after Close")
	}
}
