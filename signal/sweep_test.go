package signal

import (
	"crypto/ed25519"
	"testing"
	"testing/synctest"
	"time"

	"github.com/coder/websocket"

	"peernomic/engine/wire"
	"peernomic/signal/refusal"
)

func TestUnusedRoomsAreRemoved(t *testing.T) {
	const day = 24 * time.Hour
	limits := Limits{KeepRooms: 30 * day, PingEvery: 10 * time.Hour, SilentAfter: 40 * time.Hour}
	bubble(t, Config{Limits: limits}, func(t *testing.T, s *Server, p pipes) {
		empty, played, occupied := roomKey(1), roomKey(2), roomKey(3)
		p.connect(t).leave(empty)
		w := p.connect(t)
		w.enter(played, wire.PeerID{1})
		fill(t, w, played, 1)
		w.ws.Close(websocket.StatusNormalClosure, "")
		stays := p.connect(t)
		stays.enter(occupied, wire.PeerID{1})
		go func() { // it reads, and so answers pings
			for {
				if _, _, err := stays.ws.Read(t.Context()); err != nil {
					return
				}
			}
		}()
		exists := func(when string, want ...bool) {
			t.Helper()
			synctest.Wait()
			for i, n := range []byte{1, 2, 3} {
				_, err := s.store.Room(roomOf(roomKey(n)))
				if got := err == nil; got != want[i] {
					t.Errorf("%s: room %d exists: %v, want %v", when, n, got, want[i])
				}
			}
		}
		time.Sleep(20 * time.Hour)
		exists("on the first day", true, true, true)
		time.Sleep(6 * time.Hour)
		exists("on the second day", false, true, true)
		time.Sleep(27 * day)
		p.connect(t).leave(played) // which counts as use
		time.Sleep(15 * day)
		exists("after a visit", false, true, true)
		time.Sleep(16 * day)
		exists("long after it", false, false, true)
		if n := s.roomCount.Load(); n != 1 {
			t.Errorf("%d rooms are counted, want 1", n)
		}
		w = p.connect(t)
		w.send(hello(played, w.challenge(), wire.PeerID{1}))
		w.refused(refusal.NoRoom)
	})
}

// leave enters a room and leaves it again.
func (w *raw) leave(key ed25519.PrivateKey) {
	w.t.Helper()
	w.enter(key, wire.PeerID{1})
	w.ws.Close(websocket.StatusNormalClosure, "")
}
