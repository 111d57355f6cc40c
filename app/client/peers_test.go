//go:build !js

package client

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"peernomic/app/client/journal"
	node "peernomic/app/client/sync"
	"slices"
	"testing"

	"peernomic/app/client/direct"
	"peernomic/app/client/disk"
	"peernomic/engine/game"
	"peernomic/engine/ledger"
	"peernomic/engine/wire"
)

// linked returns two sessions that are linked by real WebRTC.
func linked(t *testing.T) (*relayServer, *device, *Session, *device, *Session) {
	t.Helper()
	r := startRelay(t)
	ana, bo := newDevice(t, "Ana"), newDevice(t, "Bo")
	ana.network, bo.network = direct.NewWebRTC(nil), direct.NewWebRTC(nil)
	a := ana.session(ana.found(r.url()))
	b := bo.join(a.Invite())
	agree(t, 2, a, b)
	untilLinked(t, a, 1)
	untilLinked(t, b, 1)
	return r, ana, a, bo, b
}

func untilLinked(t *testing.T, s *Session, count int) {
	t.Helper()
	until(t, fmt.Sprint(count, " direct links"), func() bool {
		n := 0
		for _, p := range s.Net().Peers {
			if p.Path == PathDirect {
				n++
			}
		}
		return n == count
	})
}

func TestActionsTravelDirectly(t *testing.T) {
	_, _, a, _, b := linked(t)
	for i := range 20 {
		act(t, a, fmt.Sprint("a", i))
		act(t, b, fmt.Sprint("b", i))
	}
	agree(t, 42, a, b)
	for _, s := range []*Session{a, b} {
		n := s.Net()
		if n.EnvelopesDirect == 0 {
			t.Errorf("nothing came directly: %+v", n)
		}
		if n.Diverged != nil {
			t.Errorf("diverged: %+v", n.Diverged)
		}
		if len(n.Peers) != 1 || n.Peers[0].Device == (ledger.DeviceKey{}) {
			t.Errorf("peers %+v", n.Peers)
		}
	}
}

// With the relay gone, players that are linked go on tentatively.
func TestPlayGoesOnWithoutTheRelay(t *testing.T) {
	r, _, a, _, b := linked(t)
	r.stop()
	until(t, "the loss is noticed", func() bool {
		return a.Net().Relay != RelayConnected && b.Net().Relay != RelayConnected
	})
	before := b.Net().EnvelopesDirect
	id := act(t, a, "over the link")
	until(t, "the action arrives", func() bool { return holds(b, id) })
	until(t, "its sender knows", func() bool { n := a.Net(); return n.Unsent == 0 && n.Synced })
	if got := b.Net().EnvelopesDirect; got != before+1 {
		t.Errorf("%d envelopes came directly", got-before)
	}
	// Bo alone reaches the relay again, and brings along what Ana did.
	answer := act(t, b, "the answer")
	a.Close()
	r.start()
	cy := newDevice(t, "Cy").join(b.Invite())
	agree(t, 5, b, cy)
	if !holds(cy, id) || !holds(cy, answer) {
		t.Error("what was played without the relay is missing")
	}
}

// A newcomer gets the whole game from a peer if the relay gives nothing.
func TestPeersAnswerLikeTheRelay(t *testing.T) {
	_, _, a, _, b := linked(t)
	for i := range 100 {
		act(t, a, fmt.Sprint(i))
	}
	agree(t, 102, a, b)
	fresh := newSilentSession(t, &disk.Memory{}, a)
	end, far := pipeLinks()
	go a.servePeer(a.ctx, direct.Member{Instance: direct.Instance{7}}, end)
	go fresh.servePeer(fresh.ctx, direct.Member{Instance: direct.Instance{8}}, far)
	agree(t, 102, a, fresh)
	until(t, "all is counted as direct", func() bool {
		n := fresh.Net()
		return n.EnvelopesDirect == 102 && n.EnvelopesRelay == 0
	})
}

// What no seal names yet is passed on as well, asked for or not.
func TestUnsealedActionsArePassedOn(t *testing.T) {
	r, _, a, _, _ := pair(t)
	r.stop()
	until(t, "the loss is noticed", func() bool { return a.Net().Relay != RelayConnected })
	before := act(t, a, "before the link")
	fresh := newSilentSession(t, &disk.Memory{}, a)
	end, far := pipeLinks()
	go a.servePeer(a.ctx, direct.Member{Instance: direct.Instance{7}}, end)
	go fresh.servePeer(fresh.ctx, direct.Member{Instance: direct.Instance{8}}, far)
	until(t, "the older one arrives", func() bool { return holds(fresh, before) })
	after := act(t, a, "after it")
	until(t, "the newer one arrives", func() bool { return holds(fresh, after) })
}

// An own action goes to a peer without being asked for.
func TestActionsArePushed(t *testing.T) {
	_, _, a, _, b := pair(t)
	far := stranger(t, a, b.Device())
	sent := make(chan []byte, 1)
	go func() {
		for {
			f, err := far.Receive(t.Context())
			if err != nil {
				return
			}
			m, _ := wire.DecodeMessage(f)
			if e, ok := m.(wire.Envelopes); ok {
				sent <- e.Envelopes[0]
				return
			}
		}
	}()
	until(t, "the link is there", func() bool {
		there := false
		a.do(t.Context(), func() { there = len(a.links.open) == 1 })
		return there
	})
	act(t, a, "pushed")
	pushed := <-sent
	a.do(t.Context(), func() {
		if _, ok := a.node().Game().Replica().Envelope(wire.HashEnvelope(pushed)); !ok {
			t.Error("something else was pushed")
		}
	})
}

// newSilentSession opens the game of another session on a device that holds nothing of it
// and has no relay.
func newSilentSession(t *testing.T, identity *disk.Memory, other *Session) *Session {
	t.Helper()
	d := newDevice(t, "Di")
	d.identity = identity
	if err := d.open().addGame(t.Context(), journal.Room{Secret: other.keys.Secret(), Game: other.gameID}, nil, nil); err != nil {
		t.Fatal(err)
	}
	return d.session(other.Room())
}

// deafPeer links to a session as a member who listens to nothing that is said. Done tells that the link is ended.
func deafPeer(t *testing.T, a *Session) (far direct.Link, done <-chan struct{}) {
	end, far := pipeLinks()
	over := make(chan struct{})
	go func() {
		defer close(over)
		a.servePeer(a.ctx, direct.Member{Instance: direct.Instance{9}}, end)
	}()
	go func() {
		for {
			if _, err := far.Receive(t.Context()); err != nil {
				return
			}
		}
	}()
	return far, over
}

func TestHostilePeer(t *testing.T) {
	_, _, a, _, b := pair(t)
	act(t, a, "one")
	agree(t, 3, a, b)
	_, before := placed(a)
	other, err := ledger.NewRoomSecret(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	foreign, err := other.Keys().SealPart([]byte("foreign"))
	if err != nil {
		t.Fatal(err)
	}
	forgedSeal := forgeSeal(t, a)
	for _, test := range []struct {
		name   string
		frames [][]byte
		found  ledger.Code
	}{
		{"no message", [][]byte{[]byte("hello")}, "garbled"},
		{"empty", [][]byte{{}}, "garbled"},
		{"message of the relay", [][]byte{frame(t, wire.Welcome{Peers: []wire.PeerID{}})}, "unexpected"},
		{"signal", [][]byte{frame(t, wire.Signal{})}, "unexpected"},
		{"many junk envelopes", [][]byte{frame(t, wire.Envelopes{Envelopes: junk(200)})}, ledger.CodeSize},
		{"foreign envelopes", repeat(frame(t, wire.Envelopes{Envelopes: [][]byte{foreign, {1, 2}}}), node.MaxRefused), ledger.CodeRoom},
		{"too long an envelope", repeat(frame(t, wire.Envelopes{Envelopes: [][]byte{make([]byte, wire.MaxEnvelope+1)}}), node.MaxRefused), ledger.CodeSize},
		{"forged seals", repeat(frame(t, wire.Seals{Seals: [][]byte{forgedSeal}}), node.MaxRefused), ledger.CodeNotary},
		{"no seals", repeat(frame(t, wire.Seals{Seals: [][]byte{{1}}}), node.MaxRefused), ledger.CodeSeal},
	} {
		t.Run(test.name, func(t *testing.T) {
			refusals := a.Net().Refusals
			far, done := deafPeer(t, a)
			for _, f := range test.frames {
				if far.Send(t.Context(), f) != nil {
					break
				}
			}
			<-done // the link is ended
			until(t, "whoever watches is told", func() bool { return a.Net().Refusals > refusals })
			found, err := a.Findings(t.Context())
			if err != nil || !slices.ContainsFunc(found, func(f ledger.Finding) bool { return f.Code == test.found }) {
				t.Errorf("found %v (%v), want %q", found, err, test.found)
			}
			if _, after := placed(a); after != before {
				t.Error("the game has changed")
			}
		})
	}
	act(t, b, "two")
	agree(t, 4, a, b)
	err = nil
	a.do(t.Context(), func() {
		_, err = a.hub.journal.Read(t.Context(), a.Room(), 0, func(item node.Item, _, _ int) {
			if _, bad := a.keys.Open(item.Bytes); item.Kind == node.KindEnvelope && bad != nil {
				t.Errorf("a peer's junk is in the log: %v", bad)
			}
		})
	})
	if err != nil {
		t.Error(err)
	}
}

// Claims that cannot be true make a peer neither stop nor loop.
func TestPeerThatClaimsTooMuch(t *testing.T) {
	_, _, a, _, _ := pair(t)
	end, far := pipeLinks()
	go a.servePeer(a.ctx, direct.Member{Instance: direct.Instance{9}}, end)
	have := wire.Have{Seals: 1 << 60, Feeds: []wire.FeedPosition{{Device: [32]byte{1}, Seq: 1 << 40}}}
	wants := 0
	for range 20 {
		if err := far.Send(t.Context(), frame(t, have)); err != nil {
			t.Fatal(err)
		}
	}
	if err := far.Send(t.Context(), frame(t, wire.Want{FromSeal: 1 << 60, Feeds: []wire.FeedPosition{}})); err != nil {
		t.Fatal(err)
	}
	// The answer to the want ends with what a has: by then all before it was seen.
	for haves := 0; haves < 2; {
		f, err := far.Receive(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		switch m, _ := wire.DecodeMessage(f); m.(type) {
		case wire.Have:
			haves++
		case wire.Want:
			wants++
		}
	}
	if wants > 20 {
		t.Errorf("%d wants", wants)
	}
	act(t, a, "still alive")
	far.Close()
}

func TestDifferentDigestsStopPlay(t *testing.T) {
	r := startRelay(t)
	ana, bo := newDevice(t, "Ana"), newDevice(t, "Bo")
	ana.network, bo.network = direct.NewWebRTC(nil), direct.NewWebRTC(nil)
	bo.wrong = func(g *game.Game) (uint64, [32]byte) {
		seal, digest := g.Confirmed()
		digest[0] ^= 1
		return seal, digest
	}
	a := ana.session(ana.found(r.url()))
	b := bo.join(a.Invite())
	for _, s := range []*Session{a, b} {
		until(t, "the difference is noticed", func() bool { return s.Net().Diverged != nil })
		if d := s.Net().Diverged; d.Mine == d.Theirs || d.Seal == 0 {
			t.Errorf("divergence %+v", d)
		}
		if _, err := s.writeBody(t.Context(), ledger.KindAct, []byte("x")); !errors.Is(err, ErrDiverged) {
			t.Errorf("acted in a diverged game: %v", err)
		}
	}
}

func frame(t *testing.T, m wire.Message) []byte {
	t.Helper()
	f, err := wire.EncodeMessage(m)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func repeat(f []byte, count int) [][]byte {
	var all [][]byte
	for range count {
		all = append(all, f)
	}
	return all
}

func junk(count int) [][]byte {
	var all [][]byte
	for i := range count {
		all = append(all, []byte(fmt.Sprint("junk ", i)))
	}
	return all
}

// forgeSeal returns a seal of the session's room by a key that is not the notary's.
func forgeSeal(t *testing.T, s *Session) []byte {
	t.Helper()
	notary, err := ledger.NewNotary(s.Room(), [32]byte{1}, 16)
	if err != nil {
		t.Fatal(err)
	}
	notary.Found(s.room.Record().Game)
	seal, err := notary.Seal(1, nil)
	if err != nil {
		t.Fatal(err)
	}
	return seal.Bytes
}

// pipeLinks returns the two ends of a link in memory.
func pipeLinks() (direct.Link, direct.Link) {
	ctx, cancel := context.WithCancel(context.Background())
	x, y := make(chan []byte, 8), make(chan []byte, 8)
	return &pipeLink{x, y, ctx, cancel}, &pipeLink{y, x, ctx, cancel}
}

type pipeLink struct {
	in, out chan []byte
	done    context.Context
	close   func()
}

func (p *pipeLink) Send(ctx context.Context, f []byte) error {
	if p.done.Err() != nil {
		return direct.ErrClosed
	}
	select {
	case p.out <- f:
		return nil
	case <-p.done.Done():
		return direct.ErrClosed
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (p *pipeLink) Receive(ctx context.Context) ([]byte, error) {
	select {
	case f := <-p.in:
		return f, nil
	case <-p.done.Done():
		return nil, direct.ErrClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (p *pipeLink) Close() error {
	p.close()
	return nil
}
