package signal

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus/promhttp"

	"peernomic/engine/wire"
	"peernomic/signal/notary"
	"peernomic/signal/refusal"
	"peernomic/signal/store"
)

// Config says how a relay runs. The zero value is a relay that keeps everything in
// memory.
type Config struct {
	// Data is the folder of the database. If it is empty, rooms are kept in memory
	// and end with the program.
	Data string
	// Limits of this relay; a zero field has its default.
	Limits Limits
	// TrustedProxies are the networks whose X-Forwarded-For and X-Forwarded-Host the
	// relay believes. If empty, all clients behind a proxy count as one address.
	TrustedProxies []netip.Prefix
	// Hosts are the hosts, with a port if it is not the usual one, by which clients
	// reach the relay. Connections to another host are refused, so that no other relay
	// can enter a room here with the proof that a client made for it. Any host if empty.
	Hosts []string
	// Origins are the hosts, besides the relay's own, whose pages may connect.
	// Patterns as in path.Match.
	Origins []string
	// Clock gives the time of seals; time.Now if nil.
	Clock func() time.Time
	// TestClock, if not nil, is used instead of Clock, and anyone may move it on
	// with POST /test/advance?d=12h. For tests only: whoever moves it moves the
	// time of every game on this relay for ever.
	TestClock *TestClock
	// Log receives what happens, without addresses, secrets and whole room ids;
	// slog.Default() if nil.
	Log *slog.Logger
}

// Server is a relay. [NewServer] makes it, [Server.Close] ends it.
type Server struct {
	config     Config
	limits     Limits
	log        *slog.Logger
	clock      func() time.Time
	store      store.Store
	chain      int // links of the notaries that are made
	visitors   *visitors
	allowances *allowances
	metrics    *metrics
	committer  *committer
	handler    http.Handler
	roomCount  atomic.Int64
	incoming   budget        // of maxIncoming bytes
	outgoing   budget        // of maxOutgoing bytes
	answers    budget        // of maxAnswers bytes
	recent     atomic.Int64  // bytes of newest seals that rooms keep
	reading    chan struct{} // capacity 1: a piece of a log is being read that no memory is kept for yet
	opening    chan struct{} // capacity 1: making a notary takes a while of one core

	ctx    context.Context // ends when connections are cut
	cut    context.CancelFunc
	ending chan struct{}  // closed when Close begins
	served sync.WaitGroup // connections being served, and sweeping

	mu      sync.Mutex
	closing bool
	rooms   map[wire.RoomID]*room // those with connections or unfinished work
	conns   map[*conn]struct{}
}

// NewServer opens the database and starts a relay. It serves nobody until its
// handler is given to an HTTP server.
func NewServer(config Config) (*Server, error) {
	log := config.Log
	if log == nil {
		log = slog.Default()
	}
	var st store.Store = store.NewMemory()
	if config.Data != "" {
		b, err := store.Open(config.Data, log)
		if err != nil {
			return nil, fmt.Errorf("start relay: %w", err)
		}
		st = b
	}
	s, err := newServer(config, st, log)
	if err != nil {
		st.Close()
		return nil, fmt.Errorf("start relay: %w", err)
	}
	return s, nil
}

// Handler returns what the relay serves: /relay, /healthz and /metrics.
func (s *Server) Handler() http.Handler { return s.handler }

func (s *Server) routes() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /relay", s.serveRelay)
	mux.HandleFunc("GET /healthz", s.serveHealth)
	mux.Handle("GET /metrics", promhttp.HandlerFor(s.metrics.registry, promhttp.HandlerOpts{}))
	if s.config.TestClock != nil {
		mux.Handle("POST /test/advance", s.config.TestClock)
	}
	return mux
}

// health is what /healthz says.
type health struct {
	Status      string `json:"status"` // "ok", "closing", "storage"
	Rooms       int64  `json:"rooms"`
	Connections int    `json:"connections"`
}

func (s *Server) serveHealth(w http.ResponseWriter, _ *http.Request) {
	h := health{Status: "ok", Rooms: s.roomCount.Load(), Connections: s.visitors.connections()}
	status := http.StatusOK
	switch {
	case s.isClosing():
		h.Status, status = string(refusal.Closing), http.StatusServiceUnavailable
	case s.committer.failing.Load():
		h.Status, status = string(refusal.Storage), http.StatusServiceUnavailable
	}
	writeJSON(w, status, h)
}

func writeJSON(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(v) // a client that has gone needs no answer
}

func (s *Server) isClosing() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.closing
}

func (s *Server) activeRooms() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.rooms)
}

// Close ends the relay: it takes no more connections, ends those that it has with
// [refusal.Closing], finishes what it was storing and closes the database. When ctx ends
// first, connections are cut; what was received is stored all the same. The server
// cannot be used again.
func (s *Server) Close(ctx context.Context) error {
	s.mu.Lock()
	if s.closing {
		s.mu.Unlock()
		return nil
	}
	s.closing = true
	for c := range s.conns {
		c.end(refusal.Closing)
	}
	s.mu.Unlock()
	close(s.ending)

	served := make(chan struct{})
	go func() {
		s.served.Wait()
		close(served)
	}()
	select {
	case <-served:
	case <-ctx.Done():
	}
	s.cut()
	<-served
	s.committer.stop()
	if err := s.store.Close(); err != nil {
		return fmt.Errorf("stop relay: %w", err)
	}
	s.log.Info("relay stopped")
	return nil
}

func newServer(config Config, st store.Store, log *slog.Logger) (*Server, error) {
	rooms, err := st.Rooms()
	if err != nil {
		return nil, err
	}
	s := &Server{
		config:   config,
		limits:   config.Limits.withDefaults(),
		log:      log,
		clock:    time.Now,
		store:    st,
		chain:    notary.Length,
		incoming: budget{free: maxIncoming},
		outgoing: budget{free: maxOutgoing},
		answers:  budget{free: maxAnswers},
		reading:  make(chan struct{}, 1),
		opening:  make(chan struct{}, 1),
		ending:   make(chan struct{}),
		rooms:    map[wire.RoomID]*room{},
		conns:    map[*conn]struct{}{},
	}
	if config.Clock != nil {
		s.clock = config.Clock
	}
	if config.TestClock != nil {
		s.clock = config.TestClock.Now
	}
	s.ctx, s.cut = context.WithCancel(context.Background())
	s.roomCount.Store(int64(rooms))
	s.visitors = newVisitors(s.limits)
	s.allowances = newAllowances(s.limits)
	s.metrics = newMetrics(s)
	s.committer = newCommitter(s)
	s.handler = s.routes()
	go s.committer.run()
	s.served.Go(s.sweepPeriodically)
	s.served.Go(s.hurrySlowReaders)
	log.Info("relay started", "rooms", rooms)
	return s, nil
}
