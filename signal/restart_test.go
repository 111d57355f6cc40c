package signal

import (
	"context"
	"fmt"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"peernomic/engine/wire"
	"peernomic/signal/refusal"
)

func TestRestartKeepsEverything(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	var now atomic.Int64
	now.Store(time.Date(2026, 1, 5, 10, 0, 0, 0, time.UTC).UnixMilli())
	config := Config{Data: dir, Limits: quick, Log: quiet(), Clock: func() time.Time { return time.UnixMilli(now.Load()) }}
	var posted []wire.EnvelopeHash
	var before wire.Welcome
	for life := range 4 {
		r := startRelay(t, config, 0)
		m := r.join(1)
		if life > 0 && (m.welcome.Notary != before.Notary || m.welcome.Anchor != before.Anchor) {
			t.Fatal("a restart changed the notary")
		}
		before = m.welcome
		if m.welcome.Seals != uint64(life*3) {
			t.Errorf("life %d begins with %d seals", life, m.welcome.Seals)
		}
		for i := range 3 {
			h := m.post(fmt.Sprint(life, i))
			m.until("acknowledgement", m.acks(h))
			posted = append(posted, h...)
		}
		m.send(wire.Want{FromSeal: 1})
		m.until("log", func() bool { return len(m.order()) >= len(posted) })
		m.checkChain(1)
		if !slices.Equal(m.order(), posted) {
			t.Errorf("life %d: the order has changed", life)
		}
		last := m.sealed[len(m.sealed)-1].Time
		if first := m.sealed[0].Time; last != first {
			t.Errorf("time went from %d to %d with a clock that went back", first, last)
		}
		if m.welcome.Time < last {
			t.Errorf("the welcome's time %d is before the last seal's, %d", m.welcome.Time, last)
		}
		now.Add(-time.Hour.Milliseconds()) // a clock set wrong never takes time back
		if err := r.s.Close(context.Background()); err != nil {
			t.Fatal(err)
		}
	}
}

func TestWantFromTheMiddle(t *testing.T) {
	stores(t, func(t *testing.T, config Config) {
		config.Limits.SealEvery = 1
		r := startRelay(t, config, 0)
		m := r.join(1)
		const seals = 300 // more than one message holds
		for i := range seals {
			m.until("acknowledgement", m.acks(m.post(fmt.Sprint(i))))
		}
		for _, from := range []uint64{0, 1, 2, 150, seals, seals + 1} {
			other := r.join(1)
			other.send(wire.Want{FromSeal: from})
			from = max(from, 1)
			wantSeals := int(seals + 1 - from)
			other.until("log", func() bool { return len(other.sealed) >= wantSeals })
			if wantSeals > 0 {
				other.checkChain(from)
			}
			other.send(wire.Ping{}) // and nothing twice
			want[wire.Pong](other)
			if len(other.sealed) != wantSeals {
				t.Errorf("from %d: got %d seals, want %d", from, len(other.sealed), wantSeals)
			}
			other.c.Close()
		}
		m.send(wire.Want{FromSeal: seals + 2})
		if got := want[wire.Refusal](m); got.Code != string(refusal.Ahead) {
			t.Errorf("got %+v, want %q", got, refusal.Ahead)
		}
		// Whoever asks again gets it again, from there on.
		m.send(wire.Want{FromSeal: seals - 1})
		m.until("log", func() bool { return len(m.sealed) == 2 })
		m.send(wire.Want{FromSeal: seals})
		m.until("log", func() bool { return len(m.sealed) == 3 })
		if got := m.sealed[2].Number; got != seals {
			t.Errorf("asked again from %d: got %d", seals, got)
		}
	})
}

// TestFollowersSeeOneLog has members come, post and ask from anywhere, all at
// once, and compares what they have got.
func TestFollowersSeeOneLog(t *testing.T) {
	stores(t, func(t *testing.T, config Config) {
		const members, each = 8, 60
		r := startRelay(t, config, 0)
		logs := make(chan []wire.SignedSeal, members)
		for i := range members {
			m := r.join(byte(1 + i%2)) // two rooms
			go func() {
				defer func() { logs <- m.sealed }() // also when it fails
				m.send(wire.Want{FromSeal: 1})
				for k := range each {
					m.post(fmt.Sprint(i, k), fmt.Sprint("shared", k))
				}
				m.until("all", func() bool { return len(m.order()) == each*members/2+each })
				m.checkChain(1)
			}()
		}
		byRoom := map[wire.RoomID][]wire.SignedSeal{}
		for range members {
			log := <-logs
			if len(log) == 0 {
				t.Fatal("a member got no log")
			}
			room := log[0].Room
			if byRoom[room] == nil {
				byRoom[room] = log
			}
			same := slices.EqualFunc(log, byRoom[room], func(a, b wire.SignedSeal) bool { return a.Hash == b.Hash })
			if !same {
				t.Error("two members of a room have got different logs")
			}
		}
		if len(byRoom) != 2 {
			t.Errorf("%d rooms", len(byRoom))
		}
	})
}

func TestTestClock(t *testing.T) {
	clock := &TestClock{}
	r := startRelay(t, Config{Limits: quick, TestClock: clock}, 0)
	m := r.join(1)
	advance := func(query string, want_ int) {
		t.Helper()
		response, err := r.http.Client().Post(r.http.URL+"/test/advance"+query, "", nil)
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		if response.StatusCode != want_ {
			t.Errorf("%s: got %s, want %d", query, response.Status, want_)
		}
	}
	before := time.Now()
	advance("?d=12h", 200)
	m.send(wire.Ping{})
	if got := want[wire.Pong](m).Time - before.UnixMilli(); got < 12*time.Hour.Milliseconds() {
		t.Errorf("the clock went on by %d ms, want 12 hours", got)
	}
	advance("?d=-1h", 400)
	advance("?d=soon", 400)
	advance("", 400)

	plain := httptest.NewServer(startRelay(t, Config{Limits: quick}, 0).s.Handler())
	defer plain.Close()
	response, err := plain.Client().Post(plain.URL+"/test/advance?d=12h", "", nil)
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	if response.StatusCode != 404 {
		t.Errorf("without a test clock: got %s, want 404", response.Status)
	}
}
