package signal

import (
	"fmt"
	"slices"
	"testing"

	"github.com/coder/websocket"

	"peernomic/engine/wire"
	"peernomic/signal/refusal"
)

func TestBadFramesInARoom(t *testing.T) {
	r := startRelay(t, Config{Limits: quick}, 0)
	other := r.join(1)
	frame := func(m wire.Message) []byte {
		b, err := wire.EncodeMessage(m)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	tests := []struct {
		name  string
		kind  websocket.MessageType
		frame []byte
		want  refusal.Code
	}{
		{"too long", websocket.MessageBinary, make([]byte, wire.MaxFrame+1), refusal.Oversize},
		{"as long as allowed", websocket.MessageBinary, make([]byte, wire.MaxFrame), refusal.Garbled},
		{"not a message", websocket.MessageBinary, []byte{6, 0x80}, refusal.Garbled},
		{"not canonical", websocket.MessageBinary, []byte{4, 0x82, 0x18, 1, 0x80}, refusal.Garbled},
		{"text", websocket.MessageText, frame(wire.Ping{}), refusal.Garbled},
		{"second hello", websocket.MessageBinary, frame(hello(roomKey(1), wire.Challenge{}, wire.PeerID{1})), refusal.Unexpected},
		{"forged seals", websocket.MessageBinary, frame(wire.Seals{Seals: [][]byte{{1}}}), refusal.Unexpected},
		{"forged acknowledgement", websocket.MessageBinary, frame(wire.Ack{}), refusal.Unexpected},
		{"forged presence", websocket.MessageBinary, frame(wire.Presence{}), refusal.Unexpected},
		{"what devices say to each other", websocket.MessageBinary, frame(wire.Have{}), refusal.Unexpected},
	}
	for i, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			w := r.raw(t)
			w.enter(roomKey(1), wire.PeerID{byte(i + 1)})
			w.write(test.kind, test.frame)
			w.refused(test.want)
		})
	}
	other.send(wire.Ping{}) // nobody else notices
	want[wire.Pong](other)
	if head := r.join(1).welcome.Seals; head != 0 {
		t.Errorf("bad frames were sealed: %d seals", head)
	}
}

func TestBadEnvelopesAreRefusedOneByOne(t *testing.T) {
	r := startRelay(t, Config{Limits: quick}, 0)
	m := r.join(1)
	m.send(wire.Want{FromSeal: 1})
	good := envelope(m.key, "good")
	version := envelope(m.key, "version")
	version[0]++
	long := wire.Envelope{Room: roomOf(m.key), Ciphertext: make([]byte, wire.MaxEnvelope-wire.EnvelopeHeader+1)}.Bytes()
	longest := wire.Envelope{Room: roomOf(m.key), Ciphertext: make([]byte, wire.MaxEnvelope-wire.EnvelopeHeader)}.Bytes()
	bad := []struct {
		envelope []byte
		want     refusal.Code
	}{
		{envelope(roomKey(2), "of another room"), refusal.EnvelopeRoom},
		{version, refusal.EnvelopeVersion},
		{long, refusal.EnvelopeSize},
		{good[:wire.EnvelopeHeader+15], refusal.EnvelopeSize},
		{nil, refusal.EnvelopeSize},
	}
	batch := wire.Envelopes{Envelopes: [][]byte{good}}
	for _, b := range bad {
		batch.Envelopes = append(batch.Envelopes, b.envelope)
	}
	batch.Envelopes = append(batch.Envelopes, longest)
	m.send(batch)
	for _, b := range bad {
		got := want[wire.Refusal](m)
		if got.Code != string(b.want) || got.Subject != wire.HashEnvelope(b.envelope) || got.Text == "" {
			t.Errorf("got %+v, want %q about %s", got, b.want, wire.HashEnvelope(b.envelope))
		}
	}
	wantSealed := []wire.EnvelopeHash{wire.HashEnvelope(good), wire.HashEnvelope(longest)}
	m.until("good ones", func() bool { return slices.Equal(m.order(), wantSealed) })

	m.send(wire.Envelopes{Envelopes: make([][]byte, wire.MaxBatch+1)})
	if got := want[wire.Refusal](m); got.Code != string(refusal.Batch) {
		t.Errorf("got %+v, want %q", got, refusal.Batch)
	}
}

func TestRepeatedEnvelopesAreAcknowledgedButNotSealedAgain(t *testing.T) {
	stores(t, func(t *testing.T, config Config) {
		r := startRelay(t, config, 0)
		a, b := r.join(1), r.join(1)
		h := a.post("x", "y", "x")
		a.until("acknowledgement", a.acks(h))
		b.until("acknowledgement", b.acks(b.post("y", "z")))
		a.send(wire.Want{FromSeal: 1})
		wantOrder := []wire.EnvelopeHash{h[0], h[1], wire.HashEnvelope(envelope(a.key, "z"))}
		a.until("seals", func() bool { return len(a.order()) >= 3 })
		if !slices.Equal(a.order(), wantOrder) {
			t.Errorf("got order %v, want %v", a.order(), wantOrder)
		}
		again := r.join(1)
		again.until("acknowledgement", again.acks(again.post("x", "y", "z")))
		if head := r.join(1).welcome.Seals; head != uint64(len(a.sealed)) {
			t.Errorf("repetitions cut seals: %d instead of %d", head, len(a.sealed))
		}
	})
}

func TestRoomQuota(t *testing.T) {
	limits := quick
	limits.RoomBytes = 2 * (uint64(len(envelope(roomKey(1), "1"))) + 512)
	r := startRelay(t, Config{Limits: limits}, 0)
	m := r.join(1)
	h := m.post("1", "2", "3")
	m.until("acknowledgement", m.acks(h[:2]))
	if got := want[wire.Refusal](m); got.Code != string(refusal.RoomFull) || got.Subject != h[2] {
		t.Errorf("got %+v, want %q about %s", got, refusal.RoomFull, h[2])
	}
	m.until("acknowledgement", m.acks(m.post("1"))) // what it has, it has
	other := r.join(2)                              // rooms do not share a quota
	other.until("acknowledgement", other.acks(other.post("1", "2")))
}

func TestEndOfTheNotarysChain(t *testing.T) {
	stores(t, func(t *testing.T, config Config) {
		config.Limits.SealEvery = 1
		const length = 1024 // the shortest that a chain can be
		r := startRelay(t, config, length)
		m := r.join(1)
		for i := range length {
			m.until("acknowledgement", m.acks(m.post(fmt.Sprint(i))))
		}
		h := m.post("one too many", "0")
		got := want[wire.Refusal](m)
		if got.Code != string(refusal.ChainEnd) || got.Subject != h[0] {
			t.Errorf("got %+v, want %q about %s", got, refusal.ChainEnd, h[0])
		}
		m.until("acknowledgement", m.acks(h[1:]))
		m.send(wire.Want{FromSeal: 1})
		m.until("seals", func() bool { return len(m.sealed) == length })
		m.checkChain(1)
	})
}

func TestRates(t *testing.T) {
	limits := quick
	limits.EnvelopeRate, limits.EnvelopeBurst = 1e-9, wire.MaxBatch
	r := startRelay(t, Config{Limits: limits}, 0)
	m := r.join(1)
	var contents []string
	for i := range wire.MaxBatch {
		contents = append(contents, fmt.Sprint(i))
	}
	m.until("acknowledgement", m.acks(m.post(contents...)))
	h := m.post("more")
	if got := want[wire.Refusal](m); got.Code != string(refusal.Rate) || got.Subject != h[0] {
		t.Errorf("got %+v, want %q about %s", got, refusal.Rate, h[0])
	}
	other := r.join(1) // it is each connection's own
	other.until("acknowledgement", other.acks(other.post("more")))
}

func TestRoomRate(t *testing.T) {
	limits := quick
	limits.RoomEnvelopeRate, limits.RoomEnvelopeBurst = 1e-9, wire.MaxBatch
	r := startRelay(t, Config{Limits: limits}, 0)
	m := r.join(1)
	var contents []string
	for i := range wire.MaxBatch {
		contents = append(contents, fmt.Sprint(i))
	}
	m.until("acknowledgement", m.acks(m.post(contents...)))
	other := r.join(1)
	h := other.post("more")
	if got := want[wire.Refusal](other); got.Code != string(refusal.RoomRate) || got.Subject != h[0] {
		t.Errorf("got %+v, want %q about %s", got, refusal.RoomRate, h[0])
	}
	elsewhere := r.join(2)
	elsewhere.until("acknowledgement", elsewhere.acks(elsewhere.post("more")))
}

func TestWantsAreLimited(t *testing.T) {
	limits := quick
	limits.WantRate, limits.WantBurst = 1e-9, 2
	r := startRelay(t, Config{Limits: limits}, 0)
	m := r.join(1)
	for range 3 {
		m.send(wire.Want{FromSeal: 1})
	}
	if got := want[wire.Refusal](m); got.Code != string(refusal.Wants) {
		t.Errorf("got %+v, want %q", got, refusal.Wants)
	}
}

func TestConnectionLimits(t *testing.T) {
	t.Run("per room", func(t *testing.T) {
		limits := quick
		limits.RoomConnections = 2
		r := startRelay(t, Config{Limits: limits}, 0)
		r.join(1)
		r.join(1)
		_, err := r.dial(roomKey(1))
		wantRefused(t, err, refusal.RoomCrowded)
		r.join(2)
	})
	t.Run("per address", func(t *testing.T) {
		limits := quick
		limits.ConnectionsPerAddress = 2
		r := startRelay(t, Config{Limits: limits}, 0)
		r.join(1)
		r.join(2)
		_, err := r.dial(roomKey(3))
		wantRefused(t, err, refusal.Crowded)
	})
	t.Run("rooms per day", func(t *testing.T) {
		limits := quick
		limits.RoomsPerDay = 2
		r := startRelay(t, Config{Limits: limits}, 0)
		r.join(1)
		r.join(2)
		_, err := r.dial(roomKey(3))
		wantRefused(t, err, refusal.RoomsDaily)
		r.join(1) // joining is not opening
	})
	t.Run("rooms", func(t *testing.T) {
		limits := quick
		limits.Rooms = 1
		r := startRelay(t, Config{Limits: limits}, 0)
		r.join(1)
		_, err := r.dial(roomKey(2))
		wantRefused(t, err, refusal.RoomsFull)
	})
}
