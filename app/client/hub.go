package client

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"sync"

	"peernomic/app/client/disk"
	"peernomic/app/client/journal"
	"peernomic/engine/ledger"
	"peernomic/engine/wire"
	"peernomic/signal/dial"
)

// Hub is this device: its identity, its keys and its games. Its methods may be called
// from any goroutine.
type Hub struct {
	config  Config
	journal journal.Journal
	watch   watchers

	mu       sync.Mutex
	identity *ledger.Identity
	device   *ledger.Device
	sessions map[wire.RoomID]*Session
	opening  map[wire.RoomID]*opening
	seams    map[wire.RoomID]error // of rooms that were compared with the chapter before
	isClosed bool
}

// GameInfo is what a hub knows of a game without opening it.
type GameInfo struct {
	Room     wire.RoomID
	Title    string // empty until the game has arrived
	Relay    string
	Practice bool
	Added    int64         // Unix ms
	Viewed   int64         // when the person last looked, Unix ms; 0 for never
	Earlier  []wire.RoomID // the rooms of its earlier chapters on this device, newest first
}

// Keys of the disk with the keys.
const (
	keyIdentity = "identity" // the identity's seed
	keyDevice   = "device"   // the device's keys
)

// ErrNoGame reports a room that this device has no part in.
var ErrNoGame = journal.ErrNoGame

// OpenHub opens a device. The identity and the keys are made at the first use.
func OpenHub(ctx context.Context, c Config) (*Hub, error) {
	c.setDefaults()
	h := &Hub{
		config:   c,
		journal:  journal.Journal{Keys: c.Identity, Games: c.Games},
		sessions: map[wire.RoomID]*Session{},
		opening:  map[wire.RoomID]*opening{},
		seams:    map[wire.RoomID]error{},
	}
	// Two tabs that start at once must not make two identities.
	release, err := c.Tabs.Lock(ctx, "peernomic/keys")
	if err != nil {
		return nil, fmt.Errorf("open the keys: %w", err)
	}
	defer release()
	if err := h.loadKeys(ctx); err != nil {
		return nil, fmt.Errorf("open the keys: %w", err)
	}
	return h, nil
}

func (h *Hub) loadKeys(ctx context.Context) error {
	seed, ok, err := h.journal.Keys.Get(ctx, keyIdentity)
	if err != nil {
		return err
	}
	if !ok {
		id, err := ledger.NewIdentity(rand.Reader)
		if err != nil {
			return err
		}
		s := id.Seed()
		seed = s[:]
		if err := h.journal.Keys.Write(ctx, disk.Put(keyIdentity, seed)); err != nil {
			return err
		}
	}
	if len(seed) != 32 {
		return errors.New("the stored identity is damaged; restore it from its backup")
	}
	h.identity = ledger.IdentityFromSeed([32]byte(seed))
	b, ok, err := h.journal.Keys.Get(ctx, keyDevice)
	if err != nil {
		return err
	}
	if ok {
		h.device, err = ledger.UnmarshalDevice(b)
		return err
	}
	return h.newDevice(ctx)
}

// newDevice makes the device's keys and stores them in one write with what changes because of them.
func (h *Hub) newDevice(ctx context.Context, changes ...disk.Change) error {
	device, err := ledger.NewDevice(rand.Reader)
	if err != nil {
		return err
	}
	b, err := device.MarshalBinary()
	if err != nil {
		return err
	}
	if err := h.journal.Keys.Write(ctx, append(changes, disk.Put(keyDevice, b))...); err != nil {
		return err
	}
	h.device = device
	return nil
}

// Identity returns the person's key.
func (h *Hub) Identity() *ledger.Identity {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.identity
}

// ErrHasGames reports that an identity cannot be replaced because it plays here.
var ErrHasGames = errors.New("this browser plays games with a key of its own; restore the other in a browser, or a private window, or remove the games here first")

// SetIdentity takes over a restored identity. The device gets new keys with it: device
// keys are never restored. It fails with [ErrHasGames] if the identity here is another
// one and has games.
func (h *Hub) SetIdentity(ctx context.Context, id *ledger.Identity) error {
	if id.Key() == h.Identity().Key() {
		return nil
	}
	if err := h.leaveHidden(ctx); err != nil {
		return err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	rooms, err := h.journal.Rooms(ctx)
	if err != nil {
		return err
	}
	if len(rooms) > 0 {
		return ErrHasGames
	}
	// What the keys before have signed last, in games that were left, says nothing of the new ones.
	changes, err := h.journal.ForgetMarks(ctx)
	if err != nil {
		return err
	}
	seed := id.Seed()
	if err := h.newDevice(ctx, append(changes, disk.Put(keyIdentity, seed[:]))...); err != nil {
		return err
	}
	h.identity = id
	return nil
}

// Setting returns a text that the device keeps under a name, and SetSetting keeps one; an
// empty text removes it.
func (h *Hub) Setting(ctx context.Context, name string) (string, error) {
	return h.journal.Setting(ctx, name)
}

// SetSetting keeps a text under a name.
func (h *Hub) SetSetting(ctx context.Context, name, text string) error {
	return h.journal.PutSetting(ctx, name, text)
}

// Games returns the games of this device, the one last looked at first. A game that has gone on in another room is there
// once, with its earlier chapters.
func (h *Hub) Games(ctx context.Context) ([]GameInfo, error) {
	rooms, err := h.journal.Rooms(ctx)
	if err != nil {
		return nil, err
	}
	behind := map[wire.RoomID]bool{} // earlier chapters
	games := make([]GameInfo, 0, len(rooms))
	for _, r := range rooms {
		if r.Hidden {
			continue
		}
		id := r.Secret.Keys().ID
		var earlier []wire.RoomID
		for _, c := range earlierOf(rooms, r) {
			earlier = append(earlier, c.Secret.Keys().ID)
			behind[c.Secret.Keys().ID] = true
		}
		g := GameInfo{Room: id, Title: r.Title, Relay: r.Relay, Practice: r.Practice, Added: r.Added, Earlier: earlier}
		if g.Viewed, err = h.journal.Viewed(ctx, id); err != nil {
			return nil, err
		}
		games = append(games, g)
	}
	games = slices.DeleteFunc(games, func(g GameInfo) bool { return behind[g.Room] })
	slices.SortFunc(games, func(a, b GameInfo) int {
		if d := max(b.Viewed, b.Added) - max(a.Viewed, a.Added); d != 0 {
			return int(min(max(d, -1), 1))
		}
		return bytes.Compare(a.Room[:], b.Room[:])
	})
	return games, nil
}

// Watch calls changed, coalesced and on a goroutine of its own, when [Hub.Games] or
// anything in an open session may have changed, until cancel is called.
func (h *Hub) Watch(changed func()) (cancel func()) { return h.watch.add(changed) }

// Open returns the session of a game, which is begun if it is not open yet. It fails with
// [ErrNoGame]. The session stays open until it or the hub is closed.
func (h *Hub) Open(ctx context.Context, id wire.RoomID) (*Session, error) {
	o := h.gate(id)
	o.gate.Lock()
	defer o.gate.Unlock()

	h.mu.Lock()
	s, closed := h.sessions[id], h.isClosed
	h.mu.Unlock()
	if closed {
		return nil, ErrClosed
	}
	if s != nil {
		return s, nil
	}
	room, err := h.journal.Room(ctx, id)
	if err != nil {
		return nil, err
	}
	s = h.newSession(room)
	err = s.start(ctx, h.tellOpening(o))
	h.mu.Lock()
	o.far = nil
	if closed = h.isClosed; err == nil && !closed {
		h.sessions[id] = s
	}
	h.mu.Unlock()
	switch {
	case err != nil:
		s.cancel()
		return nil, fmt.Errorf("open a game: %w", err)
	case closed: // meanwhile
		s.Close()
		return nil, ErrClosed
	}
	return s, nil
}

// gate returns what one at a time opens or removes a game by.
func (h *Hub) gate(id wire.RoomID) *opening {
	h.mu.Lock()
	defer h.mu.Unlock()
	o := h.opening[id]
	if o == nil {
		o = &opening{}
		h.opening[id] = o
	}
	return o
}

// Begun returns the session of a game that is open already.
func (h *Hub) Begun(id wire.RoomID) (s *Session, ok bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	s, ok = h.sessions[id]
	return s, ok
}

func (h *Hub) closed(s *Session) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.sessions[s.Room()] == s {
		delete(h.sessions, s.Room())
	}
}

// Viewed notes that the person has looked at a game now.
func (h *Hub) Viewed(ctx context.Context, id wire.RoomID) error {
	return h.journal.View(ctx, id, h.config.now().UnixMilli())
}

// Reconnect tries the relays of all open games now. It is called when the page comes
// back to the front or the network is back.
func (h *Hub) Reconnect() {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, s := range h.sessions {
		go s.Reconnect()
	}
}

// Disconnect gives up the connections of all open games, because the network is gone.
// They come back by themselves when it does.
func (h *Hub) Disconnect() {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, s := range h.sessions {
		go s.post(func() { s.node().HangUpRelay(h.config.time()) })
	}
}

// Close ends all sessions and closes the disks.
func (h *Hub) Close() error {
	h.mu.Lock()
	h.isClosed = true
	var open []*Session
	for _, s := range h.sessions {
		open = append(open, s)
	}
	h.mu.Unlock()
	for _, s := range open {
		s.Close()
	}
	return errors.Join(h.journal.Games.Close(), h.journal.Keys.Close())
}

// openRoom asks a relay for a new room. The connection waits for [Conn.Found], as the game names
// the notary, which the welcome tells.
func (h *Hub) openRoom(ctx context.Context, url string, keys ledger.RoomKeys) (Conn, wire.Welcome, error) {
	ctx, cancel := context.WithTimeout(ctx, dialTime)
	defer cancel()
	conn, welcome, err := h.config.Dial(ctx, url, keys.Sign, wire.GameID{})
	var refused *dial.RefusedError
	switch {
	case errors.As(err, &refused):
		return nil, wire.Welcome{}, err
	case err != nil:
		return nil, wire.Welcome{}, fmt.Errorf("%w: %w", ErrOffline, err)
	}
	return conn, welcome, nil
}
