package signal

import (
	"crypto/ed25519"
	"testing"

	"github.com/coder/websocket"

	"peernomic/engine/wire"
	"peernomic/signal/refusal"
)

// raw is a WebSocket without the manners of the client package.
type raw struct {
	t  *testing.T
	s  *Server
	ws *websocket.Conn
}

func (r *relay) raw(t *testing.T) *raw {
	t.Helper()
	ws, _, err := websocket.Dial(patient(t), r.url(), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { ws.CloseNow() })
	ws.SetReadLimit(wire.MaxFrame)
	return &raw{t, r.s, ws}
}

func (w *raw) write(kind websocket.MessageType, frame []byte) {
	w.t.Helper()
	if err := w.ws.Write(patient(w.t), kind, frame); err != nil {
		w.t.Fatal(err)
	}
}

func (w *raw) send(m wire.Message) {
	w.t.Helper()
	frame, err := wire.EncodeMessage(m)
	if err != nil {
		w.t.Fatal(err)
	}
	w.write(websocket.MessageBinary, frame)
}

func (w *raw) receive() wire.Message {
	w.t.Helper()
	_, frame, err := w.ws.Read(patient(w.t))
	if err != nil {
		w.t.Fatal(err)
	}
	m, err := wire.DecodeMessage(frame)
	if err != nil {
		w.t.Fatal(err)
	}
	return m
}

// refused expects a refusal as the last message, and the close frame to say the same.
func (w *raw) refused(want refusal.Code) {
	w.t.Helper()
	got := wire.Refusal{}
	for {
		_, frame, err := w.ws.Read(patient(w.t))
		if err != nil {
			if got.Code != string(want) || got.Text == "" {
				w.t.Errorf("got reason %q %q, want %q", got.Code, got.Text, want)
			}
			if status := websocket.CloseStatus(err); int(status) != want.Status() {
				w.t.Errorf("got %v, want status %d", err, want.Status())
			}
			return
		}
		if m, err := wire.DecodeMessage(frame); err == nil {
			got, _ = m.(wire.Refusal)
		}
	}
}

func (w *raw) challenge() wire.Challenge {
	w.t.Helper()
	c, ok := w.receive().(wire.Challenge)
	if !ok {
		w.t.Fatal("the relay did not begin with a challenge")
	}
	return c
}

func hello(key ed25519.PrivateKey, c wire.Challenge, peer wire.PeerID) wire.Hello {
	h := wire.Hello{Protocol: wire.Protocol, Room: roomOf(key), Game: gameOf(roomOf(key)), Peer: peer}
	h.Prove(key, c)
	return h
}

// founded makes sure that a relay has a room, and that the room has its game.
func founded(t testing.TB, s *Server, key ed25519.PrivateKey) {
	t.Helper()
	r := s.hold(roomOf(key))
	defer r.release()
	reason := r.load(func() refusal.Code { return "" })
	if reason == "" {
		reason = r.found(gameOf(r.id))
	}
	if reason != "" {
		t.Fatalf("room not founded: %s", reason)
	}
}

// enter says hello properly to a room, which it founds if need be.
func (w *raw) enter(key ed25519.PrivateKey, peer wire.PeerID) wire.Welcome {
	w.t.Helper()
	founded(w.t, w.s, key)
	w.send(hello(key, w.challenge(), peer))
	welcome, ok := w.receive().(wire.Welcome)
	if !ok {
		w.t.Fatal("not welcome")
	}
	return welcome
}

func TestHelloIsChecked(t *testing.T) {
	r := startRelay(t, Config{Limits: quick}, 0)
	mine, other := roomKey(1), roomKey(2)
	r.join(1)
	earlier := r.raw(t)
	earlierChallenge := earlier.challenge()
	tests := []struct {
		name  string
		hello func(c wire.Challenge) wire.Message
		want  refusal.Code
	}{
		{"stranger without the key", func(c wire.Challenge) wire.Message {
			h := hello(other, c, wire.PeerID{1})
			h.Room = roomOf(mine)
			return h
		}, refusal.Proof},
		{"no proof", func(c wire.Challenge) wire.Message {
			h := hello(mine, c, wire.PeerID{1})
			h.Proof = []byte{}
			return h
		}, refusal.Proof},
		{"proof changed", func(c wire.Challenge) wire.Message {
			h := hello(mine, c, wire.PeerID{1})
			h.Proof[7] ^= 1
			return h
		}, refusal.Proof},
		{"proof of another challenge", func(wire.Challenge) wire.Message {
			return hello(mine, earlierChallenge, wire.PeerID{1})
		}, refusal.Proof},
		{"proof for another peer", func(c wire.Challenge) wire.Message {
			h := hello(mine, c, wire.PeerID{1})
			h.Peer = wire.PeerID{2}
			return h
		}, refusal.Proof},
		{"proof for another host", func(c wire.Challenge) wire.Message {
			c.Host = "evil.example"
			return hello(mine, c, wire.PeerID{1})
		}, refusal.Proof},
		{"proof for another game", func(c wire.Challenge) wire.Message {
			h := hello(mine, c, wire.PeerID{1})
			h.Game = wire.GameID{}
			return h
		}, refusal.Proof},
		{"room with another game", func(c wire.Challenge) wire.Message {
			h := wire.Hello{Protocol: wire.Protocol, Room: roomOf(mine), Game: wire.GameID{9}, Peer: wire.PeerID{1}}
			h.Prove(mine, c)
			return h
		}, refusal.Game},
		{"room that has a game already", func(c wire.Challenge) wire.Message {
			h := wire.Hello{Protocol: wire.Protocol, Room: roomOf(mine), Peer: wire.PeerID{1}}
			h.Prove(mine, c)
			return h
		}, refusal.Game},
		{"room key of small order", func(c wire.Challenge) wire.Message {
			h := hello(mine, c, wire.PeerID{1})
			h.Room, h.Proof = wire.RoomID{1}, make([]byte, 64) // the neutral point signs anything
			h.Proof[0] = 1
			return h
		}, refusal.Proof},
		{"another protocol", func(c wire.Challenge) wire.Message {
			h := hello(mine, c, wire.PeerID{1})
			h.Protocol++
			return h
		}, refusal.Protocol},
		{"no such room", func(c wire.Challenge) wire.Message { return hello(other, c, wire.PeerID{1}) }, refusal.NoRoom},
		{"peer id zero", func(c wire.Challenge) wire.Message { return hello(mine, c, wire.PeerID{}) }, refusal.Peer},
		{"another message", func(wire.Challenge) wire.Message { return wire.Want{} }, refusal.Unexpected},
		{"what only relays send", func(wire.Challenge) wire.Message { return wire.Welcome{} }, refusal.Unexpected},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			w := r.raw(t)
			w.send(test.hello(w.challenge()))
			w.refused(test.want)
		})
	}
	if n := r.s.roomCount.Load(); n != 1 {
		t.Errorf("refused hellos opened rooms: there are %d", n)
	}
}

func TestBadFramesBeforeHello(t *testing.T) {
	r := startRelay(t, Config{Limits: quick}, 0)
	valid, err := wire.EncodeMessage(hello(roomKey(1), wire.Challenge{}, wire.PeerID{1}))
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name  string
		kind  websocket.MessageType
		frame []byte
		want  refusal.Code
	}{
		{"longest that is read", websocket.MessageBinary, make([]byte, MaxHello), refusal.Garbled},
		{"one byte longer", websocket.MessageBinary, make([]byte, MaxHello+1), refusal.Oversize},
		{"much longer", websocket.MessageBinary, make([]byte, 64<<10), refusal.Oversize},
		{"empty", websocket.MessageBinary, nil, refusal.Garbled},
		{"unknown type", websocket.MessageBinary, []byte{200, 0x80}, refusal.Garbled},
		{"cut short", websocket.MessageBinary, valid[:len(valid)-1], refusal.Garbled},
		{"byte too many", websocket.MessageBinary, append(valid[:len(valid):len(valid)], 0), refusal.Garbled},
		{"text", websocket.MessageText, []byte("hello"), refusal.Garbled},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			w := r.raw(t)
			w.challenge()
			w.write(test.kind, test.frame)
			w.refused(test.want)
		})
	}
}

func TestSecondPeerOfOneName(t *testing.T) {
	r := startRelay(t, Config{Limits: quick}, 0)
	first := r.raw(t)
	first.enter(roomKey(1), wire.PeerID{5})
	second := r.raw(t)
	second.send(hello(roomKey(1), second.challenge(), wire.PeerID{5}))
	second.refused(refusal.Peer)
	first.send(wire.Ping{}) // the first is not disturbed
	if _, ok := first.receive().(wire.Pong); !ok {
		t.Error("the first connection was disturbed")
	}
	first.ws.Close(websocket.StatusNormalClosure, "")
	for ctx := patient(t); ; { // the name is free again, once the relay has noticed
		third := r.raw(t)
		third.send(hello(roomKey(1), third.challenge(), wire.PeerID{5}))
		if _, ok := third.receive().(wire.Welcome); ok {
			return
		}
		if ctx.Err() != nil {
			t.Fatal("the name did not become free")
		}
	}
}
