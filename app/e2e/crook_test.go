package e2e

import (
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"

	"peernomic/app/client"
	"peernomic/app/client/direct"
	"peernomic/app/simtest"
	"peernomic/engine/game"
	"peernomic/engine/ledger"
	"peernomic/engine/wire"
	"peernomic/signal/dial"
	"peernomic/signal/refusal"
)

// crook is a member of a room by its invite link, who keeps to nothing: it writes whatever bytes
// it likes, through the relay and over direct links.
type crook struct {
	t      *testing.T
	invite client.Invite
	keys   ledger.RoomKeys
	person *ledger.Identity
	pen    *ledger.Pen
	forge  *simtest.Forge
	conn   *dial.Conn
	mesh   *direct.Mesh
	ahead  time.Duration // how far the relay's clock is

	mu      sync.Mutex
	replica *ledger.Replica
	acked   map[wire.EnvelopeHash]bool
	links   map[direct.Instance]direct.Link
}

// breaksIn connects somebody who has the invite link.
func breaksIn(t *testing.T, invite string) *crook {
	t.Helper()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	c := &crook{t: t, acked: map[wire.EnvelopeHash]bool{}, links: map[direct.Instance]direct.Link{}}
	var err error
	c.invite, err = client.ParseInvite(invite)
	must(err)
	c.keys = c.invite.Secret.Keys()
	c.replica = ledger.NewReplica(c.keys, c.invite.Game)
	c.person, err = ledger.NewIdentity(rand.Reader)
	must(err)
	device, err := ledger.NewDevice(rand.Reader)
	must(err)
	c.pen, err = ledger.NewPen(c.keys, device)
	must(err)
	c.forge, err = simtest.NewForge(c.invite.Secret, c.person, c.pen)
	must(err)

	conn, welcome, err := dial.Relay(t.Context(), c.invite.Relay, c.keys.Sign, c.invite.Game)
	must(err)
	c.conn, c.ahead = conn, time.Until(time.UnixMilli(welcome.Time))
	card := device.Key()
	var self direct.Instance
	rand.Read(self[:])
	c.mesh = direct.NewMesh(direct.Config{Self: self, Card: card[:], Network: direct.NewWebRTC(nil), Send: c.note, Serve: c.serve})
	go c.listen()
	t.Cleanup(func() {
		conn.Close()
		c.mesh.Close()
	})
	must(conn.Send(t.Context(), wire.Want{FromSeal: 1}))
	c.mesh.SetPresent(conn.Peer(), welcome.Peers)
	eventually(t, "the crook has the whole game", func() bool { return c.seals() >= welcome.Seals })
	return c
}

// listen follows the game until the connection ends.
func (c *crook) listen() {
	for {
		m, err := c.conn.Receive(context.Background())
		if err != nil {
			return
		}
		c.mu.Lock()
		switch m := m.(type) {
		case wire.Envelopes:
			for _, b := range m.Envelopes {
				_, _ = c.replica.AddEnvelope(b) // much of it is the crook's own junk
			}
		case wire.Seals:
			for _, b := range m.Seals {
				_ = c.replica.AddSeal(b)
			}
		case wire.Ack:
			for _, h := range m.Hashes {
				c.acked[h] = true
			}
		}
		c.mu.Unlock()
		switch m := m.(type) {
		case wire.Signal:
			if note, err := c.keys.DecryptSignal(m.Data); err == nil {
				_ = c.mesh.Receive(m.Peer, note)
			}
		case wire.Presence:
			c.mesh.SetPresent(c.conn.Peer(), m.Peers)
		}
	}
}

func (c *crook) note(ctx context.Context, to wire.PeerID, note []byte) error {
	data, err := c.keys.EncryptSignal(note, rand.Reader)
	if err != nil {
		return err
	}
	return c.conn.Send(ctx, wire.Signal{Peer: to, Data: data})
}

// serve keeps a link to another member for as long as that bears it.
func (c *crook) serve(ctx context.Context, m direct.Member, link direct.Link) {
	c.mu.Lock()
	c.links[m.Instance] = link
	c.mu.Unlock()
	for {
		if _, err := link.Receive(ctx); err != nil {
			break
		}
	}
	c.mu.Lock()
	delete(c.links, m.Instance)
	c.mu.Unlock()
}

// linked waits until the crook has direct links, and returns them.
func (c *crook) linked(n int) []direct.Link {
	c.t.Helper()
	var links []direct.Link
	eventually(c.t, "the crook has direct links", func() bool {
		c.mu.Lock()
		defer c.mu.Unlock()
		links = nil
		for _, l := range c.links {
			links = append(links, l)
		}
		return len(links) == n
	})
	return links
}

// tells sends a message to every member that it has a link to.
func (c *crook) tells(links []direct.Link, m wire.Message) {
	c.t.Helper()
	frame, err := wire.EncodeMessage(m)
	if err != nil {
		c.t.Fatal(err)
	}
	c.throws(links, frame)
}

// throws sends a frame, whatever it is.
func (c *crook) throws(links []direct.Link, frame []byte) {
	c.t.Helper()
	for _, l := range links {
		if err := l.Send(c.t.Context(), frame); err != nil {
			c.t.Fatal(err)
		}
	}
}

// posts has the relay store and seal envelopes, and waits until that is so.
func (c *crook) posts(envelopes ...[]byte) {
	c.t.Helper()
	for _, b := range envelopes {
		if err := c.conn.Send(c.t.Context(), wire.Envelopes{Envelopes: [][]byte{b}}); err != nil {
			c.t.Fatal(err)
		}
	}
	eventually(c.t, "the relay has taken what the crook sent", func() bool {
		c.mu.Lock()
		defer c.mu.Unlock()
		for _, b := range envelopes {
			if !c.acked[wire.HashEnvelope(b)] {
				return false
			}
		}
		return true
	})
}

// forges returns an envelope that has to be refused by a code.
func (c *crook) forges(kind string) ([]byte, ledger.Code) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.forge.Make(kind, c.replica, c.now())
}

// writes returns the crook's next action, with a claimed time.
func (c *crook) writes(claimed int64, action string, arguments map[string]any) ledger.Entry {
	c.t.Helper()
	body, err := game.EncodeAct(action, arguments)
	if err != nil {
		c.t.Fatal(err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	e, err := c.pen.Write(c.replica.Position(c.pen.Device().Key()), ledger.KindAct, body, claimed)
	if err != nil {
		c.t.Fatal(err)
	}
	return e
}

// comesIn enrols the crook, and waits until its own copy of the game has it.
func (c *crook) comesIn(name string) {
	c.t.Helper()
	e, err := c.pen.Enrol(c.person, name, c.invite.Game, nil, c.now())
	if err != nil {
		c.t.Fatal(err)
	}
	c.does(e)
}

// does posts an entry, and waits until it has its place.
func (c *crook) does(e ledger.Entry) {
	c.t.Helper()
	c.posts(e.Envelopes...)
	eventually(c.t, "what the crook did has its place", func() bool {
		c.mu.Lock()
		defer c.mu.Unlock()
		for _, p := range c.replica.Placed() {
			if p.Action.ID() == e.Action.ID() {
				return true
			}
		}
		return false
	})
}

func (c *crook) seals() uint64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.replica.OrderedSeals()
}

func (c *crook) lastSeal() wire.SignedSeal {
	c.mu.Lock()
	defer c.mu.Unlock()
	s, _ := c.replica.Seal(c.replica.Seals())
	return s
}

func (c *crook) now() int64 { return time.Now().Add(c.ahead).UnixMilli() }

// knocks connects to the relay and says hello for a room, proved by a key; then it sends a frame, if
// there is one, and returns why it was refused.
func (c *crook) knocks(room wire.RoomID, key ed25519.PrivateKey, frame []byte) *dial.RefusedError {
	c.t.Helper()
	ctx, cancel := context.WithTimeout(c.t.Context(), patience)
	defer cancel()
	socket, _, err := websocket.Dial(ctx, c.invite.Relay, nil)
	if err != nil {
		c.t.Fatal(err)
	}
	defer socket.CloseNow()
	socket.SetReadLimit(wire.MaxFrame)
	_, b, err := socket.Read(ctx)
	if err != nil {
		c.t.Fatal(err)
	}
	m, err := wire.DecodeMessage(b)
	challenge, ok := m.(wire.Challenge)
	if !ok {
		c.t.Fatalf("%T, not a challenge (%v)", m, err)
	}
	peer := wire.PeerID{}
	rand.Read(peer[:])
	says := wire.Hello{Protocol: wire.Protocol, Room: room, Game: c.invite.Game, Peer: peer}
	says.Prove(key, challenge)
	hello, err := wire.EncodeMessage(says)
	if err != nil {
		c.t.Fatal(err)
	}
	for _, b := range [][]byte{hello, frame} {
		if b == nil {
			continue
		}
		if err := socket.Write(ctx, websocket.MessageBinary, b); err != nil {
			break // refused already
		}
	}
	for {
		_, _, err := socket.Read(ctx)
		var closed websocket.CloseError
		switch {
		case errors.As(err, &closed):
			why, _ := refusal.ByStatus(int(closed.Code))
			return &dial.RefusedError{Code: why, Text: closed.Reason}
		case err != nil:
			c.t.Fatalf("the relay ended the connection without a word: %v", err)
		}
	}
}
