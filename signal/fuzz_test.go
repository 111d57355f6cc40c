package signal

import (
	"context"
	"encoding/binary"
	"net"
	"net/http"
	"testing"
	"time"

	"github.com/coder/websocket"

	"peernomic/engine/wire"
	"peernomic/signal/refusal"
)

// script writes frames as the fuzzer sees them: each with its length before it.
func script(frames ...[]byte) []byte {
	var b []byte
	for _, f := range frames {
		b = binary.BigEndian.AppendUint16(b, uint16(len(f)))
		b = append(b, f...)
	}
	return b
}

func unscript(b []byte) (frames [][]byte) {
	for len(b) >= 2 && len(frames) < 20 {
		n := min(int(binary.BigEndian.Uint16(b)), len(b)-2)
		frames = append(frames, b[2:2+n])
		b = b[2+n:]
	}
	return frames
}

// FuzzFrames sends frames to a relay, before or after a proper hello. Whatever they
// are, the relay answers in messages, ends with a code if it ends, and goes on
// serving the others.
func FuzzFrames(f *testing.F) {
	key := roomKey(1)
	var seeds [][]byte
	for _, m := range []wire.Message{
		wire.Envelopes{Envelopes: [][]byte{envelope(key, "a"), envelope(key, "b"), envelope(key, "a")}},
		wire.Envelopes{Envelopes: [][]byte{envelope(roomKey(2), "a"), {}, {1}}},
		wire.Want{FromSeal: 1, Feeds: []wire.FeedPosition{{Seq: 1}}},
		wire.Want{FromSeal: 1 << 63},
		wire.Found{Game: wire.GameID{1}}, wire.Found{},
		wire.Signal{Peer: wire.PeerID{1}, Data: []byte("x")},
		wire.Ping{}, wire.Pong{Time: -1}, wire.Have{}, wire.Ack{}, wire.Presence{}, wire.Welcome{},
		wire.Refusal{Code: "x"}, wire.Challenge{}, wire.Seals{Seals: [][]byte{{}}},
		hello(key, wire.Challenge{}, wire.PeerID{3}),
	} {
		frame, err := wire.EncodeMessage(m)
		if err != nil {
			f.Fatal(err)
		}
		seeds = append(seeds, script(frame), script(frame, frame, frame[:len(frame)-1]))
	}
	seeds = append(seeds, script([]byte{6, 0x81, 0x9b, 0, 0, 0, 1, 0, 0, 0, 0}), script(make([]byte, 2000)), script(nil))
	if len(seeds) < 30 {
		f.Fatalf("only %d seeds", len(seeds))
	}
	for _, s := range seeds {
		f.Add(false, s)
		f.Add(true, s)
	}

	s, err := NewServer(Config{Log: quiet(), Limits: quick})
	if err != nil {
		f.Fatal(err)
	}
	s.chain = 1 << 16
	p := pipes{s, make(chan net.Conn), make(chan struct{})}
	server := &http.Server{Handler: s.Handler()}
	go server.Serve(p)
	f.Cleanup(func() { server.Close(); s.Close(context.Background()) })

	f.Fuzz(func(t *testing.T, early bool, data []byte) {
		bystander, w := p.connect(t), p.connect(t)
		peer := wire.PeerID{1}
		binary.BigEndian.PutUint64(peer[8:], uint64(time.Now().UnixNano()))
		bystander.enter(key, peer)
		if early {
			w.challenge()
		} else {
			peer[0] = 2
			w.enter(key, peer)
		}
		ended := make(chan error, 1)
		go func() { ended <- listen(t, w) }()
		for _, frame := range unscript(data) {
			if err := w.ws.Write(t.Context(), websocket.MessageBinary, frame); err != nil {
				break // it has been ended
			}
		}
		w.ws.Close(websocket.StatusNormalClosure, "")
		err := <-ended
		status := websocket.CloseStatus(err)
		if _, known := refusal.ByStatus(int(status)); status >= 4000 && !known {
			t.Errorf("ended with %v", err)
		}
		bystander.send(wire.Ping{})
		for {
			if _, ok := bystander.receive().(wire.Pong); ok {
				return
			}
		}
	})
}

// listen reads until the end and checks that all that comes is messages.
func listen(t *testing.T, w *raw) error {
	for {
		_, frame, err := w.ws.Read(t.Context())
		if err != nil {
			return err
		}
		if m, err := wire.DecodeMessage(frame); err != nil {
			t.Errorf("the relay sent %x: %v", frame, err)
		} else if r, ok := m.(wire.Refusal); ok && (r.Text == "" || r.Text == r.Code) {
			t.Errorf("refusal without a sentence: %+v", r)
		}
	}
}
