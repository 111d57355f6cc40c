package signal

import (
	"bytes"
	"cmp"
	"errors"
	"net/netip"
	"slices"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"peernomic/engine/wire"
	"peernomic/signal/notary"
	"peernomic/signal/refusal"
	"peernomic/signal/store"
)

// room is a room that is in use: one with connections, or with envelopes that are
// being stored. [Server.hold] makes it. The server forgets it when its last holder
// releases it.
type room struct {
	id      wire.RoomID
	server  *Server
	holders int           // guarded by server.mu
	rate    *rate.Limiter // of envelopes

	loading sync.Mutex // guards loaded and used
	loaded  bool       // secrets are set, and do not change
	used    int64      // as stored
	secrets notary.Secrets

	// stale is set after an append failed: state may differ from the store then.
	// sealedAt is when the last append was made. Committer only.
	stale    bool
	sealedAt time.Time

	mu          sync.Mutex
	game        wire.GameID    // zero until the room's founder has named it
	notary      *notary.Notary // nil until then; used by the committer only
	state       store.State    // written by the committer only
	members     map[wire.PeerID]*conn
	joined      uint64   // how many ever joined
	recent      []sealed // the newest seals, consecutive, up to state.Head
	recentBytes int
}

// sealed is a seal as it is sent: frames with its envelopes, then one with it.
type sealed struct {
	number uint64
	frames [][]byte
	bytes  int
}

// String names a room in logs. It is too short to address the room by it.
func (r *room) String() string { return r.id.String()[:8] }

// hold returns the room and keeps it in use until release. The room may not exist in
// the store yet, see [room.load].
func (s *Server) hold(id wire.RoomID) *room {
	s.mu.Lock()
	defer s.mu.Unlock()
	r, ok := s.rooms[id]
	if !ok {
		r = &room{
			id:      id,
			server:  s,
			rate:    rate.NewLimiter(s.limits.RoomEnvelopeRate, s.limits.RoomEnvelopeBurst),
			members: map[wire.PeerID]*conn{},
		}
		s.rooms[id] = r
	}
	r.holders++
	return r
}

// retain adds a holder to a room that is in use.
func (r *room) retain() {
	r.server.mu.Lock()
	defer r.server.mu.Unlock()
	r.holders++
}

func (r *room) release() {
	r.server.mu.Lock()
	defer r.server.mu.Unlock()
	r.holders--
	if r.holders == 0 {
		delete(r.server.rooms, r.id)
	}
}

// load reads the room. If there is none, it asks open whether it may be opened. It returns
// the code of a refusal, or none.
func (r *room) load(open func() refusal.Code) refusal.Code {
	r.loading.Lock()
	defer r.loading.Unlock()
	if r.loaded {
		return r.use()
	}
	stored, err := r.server.store.Room(r.id)
	if errors.Is(err, store.ErrNoRoom) {
		if c := open(); c != "" {
			return c
		}
		stored, err = r.create()
	}
	if err != nil {
		r.server.log.Error("room not readable", "room", r, "error", err)
		return refusal.Storage
	}
	r.secrets = stored.Secrets
	r.mu.Lock()
	r.setGame(stored.Game)
	r.state = stored.State
	r.mu.Unlock()
	r.used = stored.Used
	r.loaded = true
	return r.use()
}

// setGame makes the notary of the room's game; mu must be held.
func (r *room) setGame(game wire.GameID) {
	r.game, r.notary = game, nil
	if game != (wire.GameID{}) {
		marks := func() ([]wire.Link, error) { return r.server.store.Marks(r.id) }
		r.notary = notary.New(r.id, game, r.secrets, marks)
	}
}

// found stores which game the room holds, and makes its notary. It returns the code of a
// refusal, or none. Jobs are submitted only afterwards, so the committer finds the notary.
func (r *room) found(game wire.GameID) refusal.Code {
	r.loading.Lock()
	defer r.loading.Unlock()
	known := r.currentGame()
	switch {
	case game == wire.GameID{} || known != wire.GameID{} && known != game:
		return refusal.Game
	case known == game:
		return ""
	}
	if err := r.server.store.Found(r.id, game); err != nil {
		r.server.log.Error("game not stored", "room", r, "error", err)
		return refusal.Storage
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.setGame(game)
	return ""
}

// currentGame returns the room's game, zero if it has none yet.
func (r *room) currentGame() wire.GameID {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.game
}

// use stores that the room is in use, at most once every sweepEvery; loading must be held.
func (r *room) use() refusal.Code {
	now := r.server.clock().UnixMilli()
	if now < r.used+sweepEvery.Milliseconds() {
		return ""
	}
	if err := r.server.store.Use(r.id, now); err != nil {
		r.server.log.Error("use of a room not noted", "room", r, "error", err)
		return refusal.Storage
	}
	r.used = now
	return ""
}

func (r *room) create() (store.Room, error) {
	s := r.server
	s.opening <- struct{}{}
	defer func() { <-s.opening }()
	secrets, marks := notary.NewSecrets(s.chain)
	if err := s.store.Create(r.id, secrets, marks, s.clock().UnixMilli()); err != nil {
		return store.Room{}, err
	}
	s.roomCount.Add(1)
	s.metrics.opened.Inc()
	s.log.Info("room opened", "room", r)
	return s.store.Room(r.id)
}

// now returns the relay's time for the room: the clock's, or the last seal's if
// that is later.
func (r *room) now() int64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	return max(r.server.clock().UnixMilli(), r.state.Head.Time)
}

// join adds a connection and returns its welcome, or the code of a refusal.
func (r *room) join(c *conn) (wire.Welcome, refusal.Code) {
	now := r.now()
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, taken := r.members[c.peer]; taken || c.peer == (wire.PeerID{}) {
		return wire.Welcome{}, refusal.Peer
	}
	if len(r.members) >= r.server.limits.RoomConnections && !r.makePlace(c) {
		return wire.Welcome{}, refusal.RoomCrowded
	}
	r.joined++
	c.came = r.joined
	r.members[c.peer] = c
	for _, m := range r.members {
		if m != c {
			m.presenceChanged()
		}
	}
	return wire.Welcome{
		Notary:   r.secrets.Key(),
		Anchor:   r.secrets.Anchor,
		Seals:    r.state.Head.Number,
		SealHash: r.state.Head.Hash,
		Time:     now,
		Peers:    r.peers(c),
	}, ""
}

// makePlace ends the newest connection of the address that has the most, if that address
// would still have more than c's. So no address can keep the others out of a room. It reports
// whether it did; mu must be held.
func (r *room) makePlace(c *conn) bool {
	count := map[netip.Addr]int{}
	for _, m := range r.members {
		count[m.address]++
	}
	var last *conn
	for _, m := range r.members {
		if last == nil || cmp.Or(cmp.Compare(count[m.address], count[last.address]), cmp.Compare(m.came, last.came)) > 0 {
			last = m
		}
	}
	if last == nil || count[last.address] <= count[c.address]+1 {
		return false
	}
	delete(r.members, last.peer)
	last.end(refusal.RoomCrowded)
	return true
}

// leave removes a connection. Calling it again has no effect.
func (r *room) leave(c *conn) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.members[c.peer] != c {
		return
	}
	delete(r.members, c.peer)
	for _, m := range r.members {
		m.presenceChanged()
	}
	if len(r.members) == 0 {
		r.forgetRecent(len(r.recent))
	}
}

// left stores that the room was in use until now.
func (r *room) left() {
	r.loading.Lock()
	defer r.loading.Unlock()
	r.use()
}

// peers returns the ids of the other connections, in ascending order; mu must be held.
func (r *room) peers(c *conn) []wire.PeerID {
	peers := make([]wire.PeerID, 0, len(r.members))
	for p := range r.members {
		if p != c.peer {
			peers = append(peers, p)
		}
	}
	slices.SortFunc(peers, func(a, b wire.PeerID) int { return bytes.Compare(a[:], b[:]) })
	return peers
}

func (r *room) presence(c *conn) wire.Presence {
	r.mu.Lock()
	defer r.mu.Unlock()
	return wire.Presence{Peers: r.peers(c)}
}

func (r *room) member(p wire.PeerID) (*conn, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	c, ok := r.members[p]
	return c, ok
}

func (r *room) head() uint64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.state.Head.Number
}
