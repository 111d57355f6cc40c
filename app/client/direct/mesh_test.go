package direct

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"peernomic/engine/wire"
)

// town is a relay and a network in memory: it passes notes between meshes and makes
// links out of pipes.
type town struct {
	t *testing.T

	mu      sync.Mutex
	homes   map[wire.PeerID]*home
	offers  map[string]chan *pipe
	count   int
	offered int  // links ever offered
	broken  bool // no link can be made
}

type home struct {
	town   *town
	id     Instance
	peer   wire.PeerID
	mesh   *Mesh
	served chan Link
}

func newTown(t *testing.T) *town {
	return &town{t: t, homes: map[wire.PeerID]*home{}, offers: map[string]chan *pipe{}}
}

func (w *town) move(id byte) *home {
	h := &home{town: w, id: Instance{id}, served: make(chan Link, 64)}
	h.mesh = NewMesh(Config{
		Self:    h.id,
		Card:    []byte{'c', id},
		Network: h,
		Send: func(_ context.Context, to wire.PeerID, note []byte) error {
			w.mu.Lock()
			from, other := h.peer, w.homes[to]
			w.mu.Unlock()
			if other == nil {
				return errors.New("no such peer")
			}
			return other.mesh.Receive(from, note)
		},
		Serve: func(ctx context.Context, _ Member, link Link) {
			h.served <- link
			for {
				if _, err := link.Receive(ctx); err != nil {
					return
				}
			}
		},
	})
	h.connect()
	return h
}

// connect joins the relay under a new name, as after any loss of the connection.
func (h *home) connect() {
	h.town.mu.Lock()
	h.town.count++
	delete(h.town.homes, h.peer)
	h.peer = wire.PeerID{byte(h.town.count)}
	h.town.homes[h.peer] = h
	h.town.mu.Unlock()
	h.town.tell()
}

func (h *home) leave() {
	h.town.mu.Lock()
	delete(h.town.homes, h.peer)
	h.town.mu.Unlock()
	h.mesh.Close()
	h.town.tell()
}

func (w *town) tell() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for peer, h := range w.homes {
		var others []wire.PeerID
		for other := range w.homes {
			if other != peer {
				others = append(others, other)
			}
		}
		h.mesh.SetPresent(peer, others)
	}
}

func (w *town) close() {
	for _, h := range w.homes {
		h.mesh.Close()
	}
}

func (h *home) Offer(context.Context) (Pending, string, error) {
	h.town.mu.Lock()
	defer h.town.mu.Unlock()
	if h.town.broken {
		return nil, "", errors.New("no network")
	}
	h.town.offered++
	name := fmt.Sprint("offer ", h.town.offered)
	h.town.offers[name] = make(chan *pipe, 1)
	return &pendingPipe{far: h.town.offers[name]}, name, nil
}

func (h *home) Answer(_ context.Context, offer string) (Pending, string, error) {
	h.town.mu.Lock()
	defer h.town.mu.Unlock()
	far, ok := h.town.offers[offer]
	if !ok {
		return nil, "", errors.New("no such offer")
	}
	a, b := newPipe()
	far <- a
	return &pendingPipe{near: b}, "answer", nil
}

type pendingPipe struct {
	near *pipe
	far  chan *pipe
}

func (p *pendingPipe) Accept(string) error { return nil }
func (p *pendingPipe) Close() error        { return nil }
func (p *pendingPipe) Wait(ctx context.Context) (Link, error) {
	if p.near != nil {
		return p.near, nil
	}
	select {
	case l := <-p.far:
		return l, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

type pipe struct {
	in, out chan []byte
	done    chan struct{}
	once    *sync.Once
}

func newPipe() (*pipe, *pipe) {
	a := &pipe{in: make(chan []byte, 8), out: make(chan []byte, 8), done: make(chan struct{}), once: &sync.Once{}}
	return a, &pipe{in: a.out, out: a.in, done: a.done, once: a.once}
}

func (p *pipe) Send(ctx context.Context, frame []byte) error {
	select {
	case p.out <- frame:
		return nil
	case <-p.done:
		return ErrClosed
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (p *pipe) Receive(ctx context.Context) ([]byte, error) {
	select {
	case f := <-p.in:
		return f, nil
	case <-p.done:
		return nil, ErrClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (p *pipe) Close() error {
	p.once.Do(func() { close(p.done) })
	return nil
}

func (h *home) links() int {
	count := 0
	for _, m := range h.mesh.Members() {
		if m.Linked {
			count++
		}
	}
	return count
}

func TestMembersLinkUpOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newTown(t)
		var homes []*home
		for i := range byte(5) {
			homes = append(homes, w.move(i+1))
		}
		synctest.Wait()
		for _, h := range homes {
			if got := h.links(); got != 4 {
				t.Errorf("member %d has %d links, want 4", h.id[0], got)
			}
			for _, m := range h.mesh.Members() {
				if !bytes.Equal(m.Card, []byte{'c', m.Instance[0]}) {
					t.Errorf("member %d knows %d by the card %q", h.id[0], m.Instance[0], m.Card)
				}
			}
		}
		if w.offered != 10 {
			t.Errorf("%d links were offered for 10 pairs", w.offered)
		}
		w.close()
	})
}

func TestManyMembersKeepSixLinks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newTown(t)
		for i := range byte(20) {
			w.move(i + 1)
		}
		time.Sleep(5 * time.Minute)
		synctest.Wait()
		reached := map[Instance]bool{}
		var walk func(h *home)
		byID := map[Instance]*home{}
		for _, h := range w.homes {
			byID[h.id] = h
			if got := h.links(); got < keep || got > maxLinks {
				t.Errorf("member %d has %d links", h.id[0], got)
			}
		}
		walk = func(h *home) {
			reached[h.id] = true
			for _, m := range h.mesh.Members() {
				if m.Linked && !reached[m.Instance] {
					walk(byID[m.Instance])
				}
			}
		}
		walk(byID[Instance{1}])
		if len(reached) != 20 {
			t.Errorf("links reach %d of 20 members", len(reached))
		}
		w.close()
	})
}

func TestLinkOutlivesTheRelay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newTown(t)
		a, b := w.move(1), w.move(2)
		synctest.Wait()
		a.connect()
		b.connect()
		synctest.Wait()
		if a.links() != 1 || b.links() != 1 || w.offered != 1 {
			t.Errorf("after new connections: %d and %d links of %d offered", a.links(), b.links(), w.offered)
		}
		w.close()
	})
}

func TestLostLinkIsMadeAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newTown(t)
		a, b := w.move(1), w.move(2)
		synctest.Wait()
		(<-b.served).Close()
		time.Sleep(2 * firstRetry)
		synctest.Wait()
		if a.links() != 1 || b.links() != 1 || w.offered != 2 {
			t.Errorf("%d and %d links, %d offered", a.links(), b.links(), w.offered)
		}
		w.close()
	})
}

func TestRetriesGrowRare(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newTown(t)
		w.broken = true
		a, b := w.move(1), w.move(2)
		time.Sleep(10 * time.Minute)
		w.mu.Lock()
		w.broken = false
		w.mu.Unlock()
		time.Sleep(2 * lastRetry)
		synctest.Wait()
		if a.links() != 1 || b.links() != 1 {
			t.Error("no link after the network came back")
		}
		w.close()
	})
}

func TestWhoLeavesIsForgotten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newTown(t)
		a, b := w.move(1), w.move(2)
		synctest.Wait()
		b.leave()
		time.Sleep(attemptTime + lastRetry)
		synctest.Wait()
		if got := a.mesh.Members(); len(got) != 0 {
			t.Errorf("still known: %+v", got)
		}
		w.close()
	})
}

// A second offer from a member means that it has lost the link that we think we have.
func TestNewOfferReplacesTheLink(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newTown(t)
		a, b := w.move(1), w.move(2)
		synctest.Wait()
		old := <-b.served
		_, sdp, err := a.Offer(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		data, err := wire.Encode(note{Version: noteVersion, Kind: noteOffer, From: a.id, To: b.id, Attempt: 7, SDP: sdp})
		if err != nil {
			t.Fatal(err)
		}
		if err := b.mesh.Receive(a.peer, data); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if _, err := old.Receive(t.Context()); !errors.Is(err, ErrClosed) {
			t.Errorf("the old link is still open: %v", err)
		}
		if b.links() != 1 {
			t.Errorf("%d links", b.links())
		}
		w.close()
	})
}

func TestHostileNotes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newTown(t)
		a, b := w.move(1), w.move(2)
		synctest.Wait()
		encode := func(n note) []byte {
			data, err := wire.Encode(n)
			if err != nil {
				t.Fatal(err)
			}
			return data
		}
		for name, data := range map[string][]byte{
			"empty":           {},
			"no CBOR":         []byte("hello"),
			"another version": encode(note{Version: 2, Kind: noteHello, From: Instance{9}}),
			"no kind":         encode(note{Version: 1, From: Instance{9}}),
			"unknown kind":    encode(note{Version: 1, Kind: noteAnswer + 1, From: Instance{9}}),
			"from nobody":     encode(note{Version: 1, Kind: noteHello}),
			"large card":      encode(note{Version: 1, Kind: noteHello, From: Instance{9}, Card: make([]byte, maxCard+1)}),
			"too long":        encode(note{Version: 1, Kind: noteOffer, From: Instance{9}, SDP: string(make([]byte, wire.MaxSignal))}),
		} {
			if err := a.mesh.Receive(b.peer, data); !errors.Is(err, ErrNote) {
				t.Errorf("%s: got %v", name, err)
			}
		}
		for name, n := range map[string]note{
			"from myself":            {Kind: noteHello, From: a.id},
			"for someone else":       {Kind: noteOffer, From: Instance{9}, To: b.id, SDP: "offer 1"},
			"answer to nothing":      {Kind: noteAnswer, From: b.id, To: a.id, Attempt: 3},
			"offer by the higher":    {Kind: noteOffer, From: b.id, To: a.id, Attempt: 3, SDP: "offer 1"},
			"offer that is nonsense": {Kind: noteOffer, From: Instance{0, 1}, To: a.id, Attempt: 3, SDP: "nonsense"},
		} {
			n.Version = noteVersion
			if err := a.mesh.Receive(b.peer, encode(n)); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
		for i := range 2 * maxMembers {
			n := note{Version: noteVersion, Kind: noteHello, From: Instance{9, byte(i), byte(i >> 8)}}
			if err := a.mesh.Receive(b.peer, encode(n)); err != nil {
				t.Fatal(err)
			}
		}
		if got := len(a.mesh.Members()); got > maxLinks+2 {
			t.Errorf("one connection made it remember %d members", got)
		}
		time.Sleep(attemptTime + 2*lastRetry)
		synctest.Wait()
		if got := len(a.mesh.Members()); got > 2 {
			t.Errorf("one connection made it remember %d members", got)
		}
		if a.links() != 1 || b.links() != 1 {
			t.Errorf("%d and %d links", a.links(), b.links())
		}
		w.close()
	})
}

func TestNeighboursAgree(t *testing.T) {
	for _, count := range []int{1, 2, 8, 9, 10, 40} {
		var all []Instance
		for i := range count {
			all = append(all, Instance{byte(i + 1)})
		}
		wants := map[[2]Instance]bool{}
		for i, self := range all {
			others := append(append([]Instance{}, all[:i]...), all[i+1:]...)
			got := neighbours(self, others)
			if want := min(count-1, 7); count <= fullMesh && len(got) != want {
				t.Errorf("%d members: %d links, want %d", count, len(got), want)
			}
			if count > fullMesh && len(got) != keep {
				t.Errorf("%d members: %d links, want %d", count, len(got), keep)
			}
			for _, other := range got {
				wants[[2]Instance{self, other}] = true
			}
		}
		for pair := range wants {
			if !wants[[2]Instance{pair[1], pair[0]}] {
				t.Errorf("%d members: %v wants %v, not the other way round", count, pair[0][0], pair[1][0])
			}
		}
	}
}
