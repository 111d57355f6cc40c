package signal

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"testing"
	"time"

	"peernomic/engine/wire"
	"peernomic/signal/dial"
	"peernomic/signal/refusal"
	"peernomic/signal/store"
)

// as is the relay as whoever comes from an address reaches it.
func (r *relay) as(address string) *relay {
	from := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		q.RemoteAddr = address + ":1"
		r.s.Handler().ServeHTTP(w, q)
	}))
	r.t.Cleanup(from.Close)
	return &relay{r.t, r.s, from}
}

// Whoever takes all places of a room leaves one to everybody who comes from elsewhere.
func TestOneAddressDoesNotTakeAllPlaces(t *testing.T) {
	limits := quick
	limits.RoomConnections = 3
	r := startRelay(t, Config{Limits: limits}, 0)
	crowd := r.as("192.0.2.1")
	crowd.join(1)
	crowd.join(1)
	last := crowd.join(1)
	second := r.as("192.0.2.2")
	second.join(1)
	var ended *dial.RefusedError
	for err := error(nil); !errors.As(err, &ended); {
		var m wire.Message
		if m, err = last.c.Receive(patient(t)); err != nil && !errors.As(err, &ended) {
			t.Fatalf("the crowd's last connection ended with %v after %v", err, m)
		}
	}
	if ended.Code != refusal.RoomCrowded {
		t.Errorf("it ended with %q", ended.Code)
	}
	if _, err := second.dial(roomKey(1)); err == nil {
		t.Error("the second address took another place, as many as the first has")
	}
	third := r.as("2001:db8::1")
	third.join(1)
	_, err := r.as("192.0.2.4").dial(roomKey(1))
	wantRefused(t, err, refusal.RoomCrowded) // nobody has more than one
	if len(crowd.join(2).welcome.Peers) != 0 {
		t.Error("another room is not empty")
	}
}

// load posts messages of about a megabyte until the relay refuses one, and returns why.
func (m *member) load(name string) refusal.Code {
	m.t.Helper()
	for i := range 100 {
		var batch wire.Envelopes
		for k := range 15 {
			batch.Envelopes = append(batch.Envelopes, envelope(m.key, fmt.Sprintf("%s %d %d %60000d", name, i, k, 0)))
		}
		m.send(batch)
		for answered := false; !answered; {
			switch got := m.receive().(type) {
			case wire.Refusal:
				return refusal.Code(got.Code)
			case wire.Ack:
				answered = true
			}
		}
	}
	return ""
}

func TestFillingARoomIsSlow(t *testing.T) {
	limits := quick
	limits.FillRate, limits.FillBurst = 1e-9, 4<<20
	r := startRelay(t, Config{Limits: limits}, 0)
	flooder := r.as("192.0.2.1")
	if got := flooder.join(1).load("flood"); got != refusal.Rate {
		t.Fatalf("a flood is refused with %q", got)
	}
	again := flooder.join(1)
	if got := again.load("again"); got != refusal.Rate {
		t.Errorf("with a new connection it is refused with %q", got)
	}
	player := r.as("192.0.2.2").join(1)
	player.until("acknowledgement", player.acks(player.post("a move")))
	elsewhere := flooder.join(2)
	elsewhere.until("acknowledgement", elsewhere.acks(elsewhere.post("in another room")))
}

func TestFillingARoomFromManyAddressesIsSlow(t *testing.T) {
	limits := quick
	limits.RoomFillRate, limits.RoomFillBurst = 1e-9, 4<<20
	r := startRelay(t, Config{Limits: limits}, 0)
	for n, want := range []refusal.Code{refusal.RoomRate, refusal.RoomRate} {
		if got := r.as(fmt.Sprint("192.0.2.", n+1)).join(1).load(fmt.Sprint(n)); got != want {
			t.Fatalf("flood %d is refused with %q", n, got)
		}
	}
	elsewhere := r.join(2)
	elsewhere.until("acknowledgement", elsewhere.acks(elsewhere.post("in another room")))
}

// The figures of docs/limits.md: a whole game fits at once, and a room does not fill up before its players have slept.
func TestFillingFigures(t *testing.T) {
	l := Limits{}.withDefaults()
	if game := 10_000 * (512 + store.Overhead); l.FillBurst < game || l.RoomFillBurst < game {
		t.Errorf("a game of 10,000 actions has %d bytes, and %d may come at once", game, l.FillBurst)
	}
	full := func(burst int, perSecond float64) time.Duration {
		return time.Duration((float64(l.RoomBytes) - float64(burst)) / perSecond * float64(time.Second))
	}
	if one := full(l.FillBurst, float64(l.FillRate)); one < 24*time.Hour {
		t.Errorf("one address fills a room in %v", one)
	}
	if many := full(l.RoomFillBurst, float64(l.RoomFillRate)); many < 3*time.Hour {
		t.Errorf("many addresses fill a room in %v", many)
	}
}

func TestAllowancesAreForgotten(t *testing.T) {
	f := newAllowances(Limits{FillRate: 1, FillBurst: 10, RoomFillRate: 2, RoomFillBurst: 10})
	now := time.Now()
	first, _ := f.of(wire.RoomID{1}, netip.AddrFrom4([4]byte{10}))
	for n := range maxFillers + 5 {
		own, all := f.of(wire.RoomID{1}, netip.AddrFrom4([4]byte{10, 0, byte(n >> 8), byte(n)}))
		own.AllowN(now, 1)
		all.AllowN(now, 10)
	}
	if own, _ := f.of(wire.RoomID{1}, netip.AddrFrom4([4]byte{10})); own != first {
		t.Error("who was there before so many came has lost their own allowance")
	}
	if n := len(f.rooms[wire.RoomID{1}].from); n != maxFillers+1 {
		t.Errorf("%d addresses have an allowance, want %d and one for all others", n, maxFillers)
	}
	for room, used := range map[wire.RoomID][2]int{{2}: {1, 10}, {3}: {10, 1}} { // of the address's allowance and of the room's
		own, all := f.of(room, netip.AddrFrom4([4]byte{10}))
		own.AllowN(now, used[0])
		all.AllowN(now, used[1])
	}
	f.forget(now.Add(4 * time.Second))
	if n := len(f.rooms[wire.RoomID{1}].from); n != 1 {
		t.Errorf("after 4 s %d are remembered, want the one that five shared", n)
	}
	for room, what := range map[wire.RoomID]string{{2}: "its own", {3}: "an address's"} {
		if f.rooms[room] == nil {
			t.Errorf("after 4 s a room was forgotten with %s allowance used", what)
		}
	}
	f.forget(now.Add(20 * time.Second))
	if len(f.rooms) != 0 {
		t.Error("a room whose allowance is whole is remembered")
	}
}

func TestSweepForgetsAllowances(t *testing.T) {
	s := startRelay(t, Config{Limits: quick}, 0).s
	s.allowances.of(wire.RoomID{1}, netip.Addr{}) // and nothing is used of it
	s.sweep()
	s.allowances.mu.Lock()
	defer s.allowances.mu.Unlock()
	if len(s.allowances.rooms) != 0 {
		t.Error("a whole allowance is remembered after a sweep")
	}
}

// Who was replaced and leaves late does not take out who came since under the same name.
func TestLeavingLateTakesNobodyElseOut(t *testing.T) {
	r := startRelay(t, Config{Limits: quick}, 0)
	m := r.join(1)
	room := r.s.hold(roomOf(roomKey(1)))
	defer room.release()
	room.leave(&conn{peer: m.c.Peer()})
	if _, ok := room.member(m.c.Peer()); !ok {
		t.Error("a member was taken out by another connection")
	}
}
