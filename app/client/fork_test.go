//go:build !js

package client

import (
	"encoding/binary"
	"testing"

	"peernomic/engine/game"
	"peernomic/engine/ledger"
	"peernomic/engine/wire"
	"peernomic/signal/dial"
	"peernomic/signal/refusal"
)

// joinRule lets everybody be a player at once.
const joinRule = "# Join\n\nCome in.\n\n```starlark\n" + `
def join(me):
    me.standing = "player"
action("Join", run=join, who="anyone")
` + "```\n"

// twoPlayers is a game of two players on a relay, who both hold all of it.
func twoPlayers(t *testing.T, relay *relayServer) (ana, bo *device, a, b *Session) {
	t.Helper()
	ana, bo = newDevice(t, "Ana"), newDevice(t, "Bo")
	room, err := ana.open().Found(t.Context(), Founding{Title: "A game", Name: "Ana", Relay: relay.url(),
		Ruleset: []ledger.Document{{Path: "1-core/01-join.md", Text: joinRule}}})
	if err != nil {
		t.Fatal(err)
	}
	a = ana.session(room)
	agree(t, 1, a)
	b = bo.join(a.Invite())
	agree(t, 2, a, b)
	if _, err := b.Act(t.Context(), "Join", nil); err != nil {
		t.Fatal(err)
	}
	agree(t, 3, a, b)
	return ana, bo, a, b
}

// goesOn has somebody come into a fork, who has the seat there that they have in the game that was forked, and act.
func goesOn(t *testing.T, fork *Session, guest *device, before *Session) {
	t.Helper()
	s := guest.join(fork.Invite())
	until(t, "its beginning is there", func() bool { n, _ := placed(s); return n > 0 })
	check(t, guest.hub.GoAlong(t.Context(), before, s.Room())) // the device holds the chapter before, and asks
	agree(t, 2, fork, s)
	until(t, guest.name+" has the seat", func() bool { return s.Me() == before.Me() && s.Me() != 0 })
	if _, err := s.Act(t.Context(), "Join", nil); err != nil {
		t.Fatal(err)
	}
	agree(t, 3, fork, s)
}

// A game forked at a point goes on in another room; whoever is invited has the seat that they had.
func TestForkGoesOnInAnotherRoom(t *testing.T) {
	server := startRelay(t)
	ana, bo, a, b := twoPlayers(t, server)
	if _, err := a.Act(t.Context(), "Join", nil); err != nil {
		t.Fatal(err)
	}
	agree(t, 4, a, b)
	var want [32]byte
	seal := sealOf(t, a, 3)
	if err := a.Do(t.Context(), func(g *game.Game) {
		past := g.PastSeal(seal)
		for !past.Step(1000) {
		}
		want = past.World().Digest()
	}); err != nil {
		t.Fatal(err)
	}
	room, err := ana.hub.Fork(t.Context(), a, seal, "The other game", server.url())
	if err != nil {
		t.Fatal(err)
	}
	if room == a.Room() {
		t.Fatal("the fork is in the same room")
	}
	fork := ana.session(room)
	agree(t, 1, fork)
	if err := fork.Do(t.Context(), func(g *game.Game) {
		if _, got := g.Confirmed(); got != want {
			t.Error("the fork begins with another state")
		}
	}); err != nil {
		t.Fatal(err)
	}
	goesOn(t, fork, bo, b)
	agree(t, 4, a, b) // the first game does not notice
	if _, err := ana.hub.Fork(t.Context(), a, 99, "Too far", server.url()); err == nil {
		t.Error("a fork from the future")
	}
}

// sealOf returns the seal that gives action number n of a game its place.
func sealOf(t *testing.T, s *Session, n int) (seal uint64) {
	t.Helper()
	if err := s.Do(t.Context(), func(g *game.Game) { seal = g.Replica().Placed()[n-1].Seal }); err != nil {
		t.Fatal(err)
	}
	return seal
}

// flood fills a session's room with what has the form of envelopes, until the relay takes no more.
func flood(t *testing.T, s *Session) {
	t.Helper()
	conn, _, err := dial.Relay(t.Context(), s.Relay(), s.keys.Sign, s.gameID)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	for n, size := uint64(0), 4<<10; size >= 64; n++ {
		junk := wire.Envelope{Room: s.Room(), Ciphertext: binary.BigEndian.AppendUint64(make([]byte, size), n)}
		if err := conn.Send(t.Context(), wire.Envelopes{Envelopes: [][]byte{junk.Bytes()}}); err != nil {
			t.Fatal(err)
		}
		for answered := false; !answered; {
			m, err := conn.Receive(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			switch m := m.(type) {
			case wire.Ack:
				answered = true
			case wire.Refusal:
				if m.Code == string(refusal.RoomFull) {
					size /= 8 // something smaller may still fit
				}
				answered = true
			}
		}
	}
}

// Where somebody has filled the room, a fork in another room carries the world, and nothing of what fills the first; the
// relay may be the same.
func TestForkOutOfAFloodedRoom(t *testing.T) {
	small := &relayServer{t: t, folder: t.TempDir(), addr: "127.0.0.1:0", room: 1 << 20}
	small.start()
	t.Cleanup(small.stop)
	ana, bo, a, b := twoPlayers(t, small)
	flood(t, a)
	last, err := a.Act(t.Context(), "Join", nil)
	if err != nil {
		t.Fatal(err)
	}
	until(t, "the player is told", func() bool {
		return a.Net().NotTaken == refusal.RoomFull.Text() && a.Net().Unsent == 1 && !a.Net().Synced
	})
	if n, _ := placed(a); n != 3 || holds(b, last) && a.Net().Synced {
		t.Errorf("%d actions have a place in a full room", n)
	}
	room, err := ana.hub.Fork(t.Context(), a, sealOf(t, a, 3), "The same game, without the flood", small.url())
	if err != nil {
		t.Fatal(err)
	}
	fork := ana.session(room)
	agree(t, 1, fork)
	goesOn(t, fork, bo, b)
	size := 0
	fork.do(t.Context(), func() {
		for _, item := range contents(fork.node().Game().Replica()) {
			size += len(item.Bytes)
		}
	})
	if size > 16<<10 {
		t.Errorf("the fork's room holds %d bytes: something of the flood came along", size)
	}
}
