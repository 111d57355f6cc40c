package signal

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"errors"
	"io"
	"log/slog"
	"net/http/httptest"
	"path/filepath"
	"testing"
	"time"

	"peernomic/engine/wire"
	"peernomic/signal/dial"
	"peernomic/signal/refusal"
	"peernomic/signal/store"
)

// quick are limits that do not get in the way of a test.
var quick = Limits{EnvelopeRate: 1e6, EnvelopeBurst: 1e6, RoomEnvelopeRate: 1e6, RoomEnvelopeBurst: 1e6,
	MessageRate: 1e6, MessageBurst: 1e6, WantRate: 1e6, WantBurst: 1e6, AttemptRate: 1e6, AttemptBurst: 1e6,
	ConnectionsPerAddress: 1e6, RoomsPerDay: 1e6, FillRate: 1e9, FillBurst: 1e9, RoomFillRate: 1e9, RoomFillBurst: 1e9,
	HelloTimeout: patience}

// relay is a server under test.
type relay struct {
	t    testing.TB
	s    *Server
	http *httptest.Server
}

func quiet() *slog.Logger { return slog.New(slog.NewTextHandler(io.Discard, nil)) }

// startRelay starts a relay with chains of the given length (0: full), ended with
// the test.
func startRelay(t testing.TB, config Config, chain int) *relay {
	t.Helper()
	if config.Log == nil {
		config.Log = quiet()
	}
	s, err := NewServer(config)
	if err != nil {
		t.Fatal(err)
	}
	if chain == 0 {
		chain = 1 << 12 // enough for tests, and quick to make
	}
	s.chain = chain
	r := &relay{t, s, httptest.NewServer(s.Handler())}
	t.Cleanup(r.stop)
	return r
}

func (r *relay) stop() {
	if err := r.s.Close(context.Background()); err != nil {
		r.t.Errorf("close: %v", err)
	}
	r.http.Close()
}

func (r *relay) url() string { return r.http.URL + "/relay" }

// member is a client in a test, which ends where a message does not come.
type member struct {
	t       testing.TB
	c       *dial.Conn
	welcome wire.Welcome
	key     ed25519.PrivateKey
	sealed  []wire.SignedSeal
	got     map[wire.EnvelopeHash]int // envelopes received, with how often
	acked   map[wire.EnvelopeHash]bool
}

func roomKey(n byte) ed25519.PrivateKey {
	return ed25519.NewKeyFromSeed(bytes.Repeat([]byte{n}, 32))
}

func roomOf(key ed25519.PrivateKey) wire.RoomID {
	return wire.RoomID(key.Public().(ed25519.PublicKey))
}

// patience is how long a test waits for what must come.
const patience = 2 * time.Minute

func patient(t testing.TB) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	t.Cleanup(cancel)
	return ctx
}

// gameOf is the game of a room in tests.
func gameOf(room wire.RoomID) wire.GameID { return wire.GameID(room) }

// dialRoom connects to a room, or opens it and founds its game.
func dialRoom(ctx context.Context, url string, key ed25519.PrivateKey, founds bool) (*dial.Conn, wire.Welcome, error) {
	game := gameOf(roomOf(key))
	if !founds {
		return dial.Relay(ctx, url, key, game)
	}
	c, welcome, err := dial.Relay(ctx, url, key, wire.GameID{})
	if err != nil {
		return nil, welcome, err
	}
	if err := c.Found(ctx, game); err != nil {
		c.Close()
		return nil, welcome, err
	}
	return c, welcome, nil
}

// enterRoom connects to a room of a relay in another process, or founds it.
func enterRoom(ctx context.Context, url string, key ed25519.PrivateKey) (*dial.Conn, wire.Welcome, error) {
	c, welcome, err := dialRoom(ctx, url, key, false)
	if refused := (*dial.RefusedError)(nil); errors.As(err, &refused) && refused.Code == refusal.NoRoom {
		return dialRoom(ctx, url, key, true)
	}
	return c, welcome, err
}

func (r *relay) dial(key ed25519.PrivateKey) (*member, error) {
	_, err := r.s.store.Room(roomOf(key))
	c, welcome, err := dialRoom(patient(r.t), r.url(), key, errors.Is(err, store.ErrNoRoom))
	if err != nil {
		return nil, err
	}
	r.t.Cleanup(func() { c.Close() })
	return &member{t: r.t, c: c, welcome: welcome, key: key, got: map[wire.EnvelopeHash]int{}, acked: map[wire.EnvelopeHash]bool{}}, nil
}

// join connects to the room of key number n and opens it if need be.
func (r *relay) join(n byte) *member {
	r.t.Helper()
	m, err := r.dial(roomKey(n))
	if err != nil {
		r.t.Fatal(err)
	}
	return m
}

func (m *member) send(message wire.Message) {
	m.t.Helper()
	if err := m.c.Send(patient(m.t), message); err != nil {
		m.t.Fatal(err)
	}
}

// receive takes in one message: it keeps seals, checks that their envelopes came
// before them, and counts envelopes and acknowledgements.
func (m *member) receive() wire.Message {
	m.t.Helper()
	message, err := m.c.Receive(patient(m.t))
	if err != nil {
		m.t.Fatal(err)
	}
	m.take(message)
	return message
}

func (m *member) take(message wire.Message) {
	m.t.Helper()
	switch message := message.(type) {
	case wire.Envelopes:
		if len(message.Envelopes) > wire.MaxBatch {
			m.t.Errorf("%d envelopes in one message", len(message.Envelopes))
		}
		for _, e := range message.Envelopes {
			m.got[wire.HashEnvelope(e)]++
		}
	case wire.Seals:
		for _, b := range message.Seals {
			s, err := wire.OpenSeal(b)
			if err != nil {
				m.t.Fatal(err)
			}
			for _, h := range s.Envelopes {
				if m.got[h] == 0 {
					m.t.Errorf("seal %d came before an envelope that it orders", s.Number)
				}
			}
			m.sealed = append(m.sealed, s)
		}
	case wire.Ack:
		for _, h := range message.Hashes {
			m.acked[h] = true
		}
	}
}

// until receives until done.
func (m *member) until(what string, done func() bool) {
	m.t.Helper()
	ctx := patient(m.t)
	for !done() {
		message, err := m.c.Receive(ctx)
		if err != nil {
			m.t.Fatalf("waiting for %s: %v", what, err)
		}
		m.take(message)
	}
}

// want receives until a message of type T comes.
func want[T wire.Message](m *member) T {
	m.t.Helper()
	for {
		if message, ok := m.receive().(T); ok {
			return message
		}
	}
}

// refused expects the connection to end with a code.
func (m *member) refused(want refusal.Code) {
	m.t.Helper()
	ctx := patient(m.t)
	for {
		message, err := m.c.Receive(ctx)
		if err == nil {
			m.take(message)
			continue
		}
		wantRefused(m.t, err, want)
		return
	}
}

func wantRefused(t testing.TB, err error, want refusal.Code) {
	t.Helper()
	var refused *dial.RefusedError
	if !errors.As(err, &refused) {
		t.Fatalf("got %v, want reason %q", err, want)
	}
	if refused.Code != want || refused.Text == "" {
		t.Fatalf("got reason %q %q, want %q", refused.Code, refused.Text, want)
	}
}

// envelope makes an envelope for a room that differs by its content.
func envelope(key ed25519.PrivateKey, content string) []byte {
	e := wire.Envelope{Room: roomOf(key), Ciphertext: append(make([]byte, 16), content...)}
	return e.Bytes()
}

func (m *member) post(contents ...string) []wire.EnvelopeHash {
	m.t.Helper()
	var message wire.Envelopes
	var hashes []wire.EnvelopeHash
	for _, c := range contents {
		e := envelope(m.key, c)
		message.Envelopes = append(message.Envelopes, e)
		hashes = append(hashes, wire.HashEnvelope(e))
	}
	m.send(message)
	return hashes
}

func (m *member) acks(hashes []wire.EnvelopeHash) func() bool {
	return func() bool {
		for _, h := range hashes {
			if !m.acked[h] {
				return false
			}
		}
		return true
	}
}

// order lists the envelopes in the order of the seals.
func (m *member) order() []wire.EnvelopeHash {
	var order []wire.EnvelopeHash
	for _, s := range m.sealed {
		order = append(order, s.Envelopes...)
	}
	return order
}

// checkChain checks that the seals follow each other from number first on.
func (m *member) checkChain(first uint64) {
	m.t.Helper()
	link, prev, now := m.welcome.Anchor, wire.SealHash{}, int64(0)
	for i, s := range m.sealed {
		if s.Room != roomOf(m.key) || s.Game != gameOf(s.Room) || s.Notary != m.welcome.Notary {
			m.t.Fatalf("seal %d is of another room, game or notary", s.Number)
		}
		if s.Number != first+uint64(i) {
			m.t.Fatalf("got seal %d, want %d", s.Number, first+uint64(i))
		}
		if i > 0 || first == 1 {
			if s.Link.Parent() != link || s.Prev != prev || s.Time < now {
				m.t.Fatalf("seal %d does not continue the chain", s.Number)
			}
		}
		link, prev, now = s.Link, s.Hash, s.Time
	}
}

// stores are the kinds of relay that tests of keeping things run on.
func stores(t *testing.T, f func(t *testing.T, config Config)) {
	t.Run("memory", func(t *testing.T) { f(t, Config{Limits: quick}) })
	t.Run("badger", func(t *testing.T) { f(t, Config{Limits: quick, Data: filepath.Join(t.TempDir(), "data")}) })
}

var _ store.Store = (*store.Badger)(nil)
