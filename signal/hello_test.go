package signal

import (
	"crypto/ed25519"
	"testing"

	"github.com/coder/websocket"

	"peernomic/engine/wire"
	"peernomic/signal/code"
)

// raw is a WebSocket without the manners of the client package.
type raw struct {
	t  *testing.T
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
	return &raw{t, ws}
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
func (w *raw) refused(want code.Code) {
	w.t.Helper()
	got := wire.Refusal{}
	for {
		_, frame, err := w.ws.Read(patient(w.t))
		if err != nil {
			if got.Code != string(want) || got.Text == "" {
				w.t.Errorf("got refusal %q %q, want %q", got.Code, got.Text, want)
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

func (w *raw) challenge() [32]byte {
	w.t.Helper()
	c, ok := w.receive().(wire.Challenge)
	if !ok {
		w.t.Fatal("the relay did not begin with a challenge")
	}
	return c.Nonce
}

func hello(key ed25519.PrivateKey, nonce [32]byte, peer wire.PeerID) wire.Hello {
	return wire.Hello{Protocol: wire.Protocol, Room: roomOf(key), Peer: peer, Proof: wire.ProveRoom(key, nonce, peer), Open: true}
}

// enter says hello properly.
func (w *raw) enter(key ed25519.PrivateKey, peer wire.PeerID) wire.Welcome {
	w.t.Helper()
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
	earlierNonce := earlier.challenge()
	tests := []struct {
		name  string
		hello func(nonce [32]byte) wire.Message
		want  code.Code
	}{
		{"stranger without the key", func(n [32]byte) wire.Message {
			h := hello(other, n, wire.PeerID{1})
			h.Room = roomOf(mine)
			return h
		}, code.Proof},
		{"no proof", func(n [32]byte) wire.Message {
			h := hello(mine, n, wire.PeerID{1})
			h.Proof = []byte{}
			return h
		}, code.Proof},
		{"proof changed", func(n [32]byte) wire.Message {
			h := hello(mine, n, wire.PeerID{1})
			h.Proof[7] ^= 1
			return h
		}, code.Proof},
		{"proof of another challenge", func([32]byte) wire.Message {
			return hello(mine, earlierNonce, wire.PeerID{1})
		}, code.Proof},
		{"proof for another peer", func(n [32]byte) wire.Message {
			h := hello(mine, n, wire.PeerID{1})
			h.Peer = wire.PeerID{2}
			return h
		}, code.Proof},
		{"room key of small order", func(n [32]byte) wire.Message {
			h := hello(mine, n, wire.PeerID{1})
			h.Room, h.Proof = wire.RoomID{1}, make([]byte, 64) // the neutral point signs anything
			h.Proof[0] = 1
			return h
		}, code.Proof},
		{"another protocol", func(n [32]byte) wire.Message {
			h := hello(mine, n, wire.PeerID{1})
			h.Protocol++
			return h
		}, code.Protocol},
		{"no such room", func(n [32]byte) wire.Message {
			h := hello(other, n, wire.PeerID{1})
			h.Open = false
			return h
		}, code.NoRoom},
		{"peer id zero", func(n [32]byte) wire.Message { return hello(mine, n, wire.PeerID{}) }, code.Peer},
		{"another message", func([32]byte) wire.Message { return wire.Want{} }, code.Unexpected},
		{"what only relays send", func([32]byte) wire.Message { return wire.Welcome{} }, code.Unexpected},
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
	valid, err := wire.EncodeMessage(hello(roomKey(1), [32]byte{}, wire.PeerID{1}))
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name  string
		kind  websocket.MessageType
		frame []byte
		want  code.Code
	}{
		{"longest that is read", websocket.MessageBinary, make([]byte, MaxHello), code.Garbled},
		{"one byte longer", websocket.MessageBinary, make([]byte, MaxHello+1), code.Oversize},
		{"much longer", websocket.MessageBinary, make([]byte, 64<<10), code.Oversize},
		{"empty", websocket.MessageBinary, nil, code.Garbled},
		{"unknown type", websocket.MessageBinary, []byte{200, 0x80}, code.Garbled},
		{"cut short", websocket.MessageBinary, valid[:len(valid)-1], code.Garbled},
		{"byte too many", websocket.MessageBinary, append(valid[:len(valid):len(valid)], 0), code.Garbled},
		{"text", websocket.MessageText, []byte("hello"), code.Garbled},
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
	second.refused(code.Peer)
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
