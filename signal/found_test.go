package signal

import (
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"

	"peernomic/engine/wire"
	"peernomic/signal/dial"
	"peernomic/signal/refusal"
)

// Clause 10.3: a room takes nothing before its game is named, and then holds that game for ever.
func TestRoomHoldsOneGame(t *testing.T) {
	stores(t, func(t *testing.T, config Config) {
		r := startRelay(t, config, 0)
		key := roomKey(1)
		game := gameOf(roomOf(key))
		c, welcome, err := dial.Relay(patient(t), r.url(), key, wire.GameID{})
		if err != nil {
			t.Fatal(err)
		}
		m := &member{t: t, c: c, welcome: welcome, key: key, got: map[wire.EnvelopeHash]int{}, acked: map[wire.EnvelopeHash]bool{}}
		early := m.post("early")
		if got := want[wire.Refusal](m); got.Code != string(refusal.NoGame) || got.Subject != early[0] {
			t.Errorf("before the game is named: got %+v, want %q", got, refusal.NoGame)
		}
		unfounded, _, err := dial.Relay(patient(t), r.url(), key, wire.GameID{})
		if err != nil {
			t.Fatal(err)
		}
		wantRefused(t, unfounded.Found(patient(t), wire.GameID{}), refusal.Game)
		for range 2 { // once more does no harm
			if err := c.Found(patient(t), game); err != nil {
				t.Fatal(err)
			}
		}
		m.until("acknowledgement", m.acks(m.post("early")))

		for _, other := range []wire.GameID{{}, {7}} {
			wantRefused(t, r.join(1).c.Found(patient(t), other), refusal.Game)
		}
		if config.Data != "" {
			r.stop()
			r = startRelay(t, config, 0)
		}
		_, _, err = dial.Relay(patient(t), r.url(), key, wire.GameID{7})
		wantRefused(t, err, refusal.Game)
		again, _, err := dial.Relay(patient(t), r.url(), key, game)
		if err != nil {
			t.Fatal(err)
		}
		m = &member{t: t, c: again, welcome: welcome, key: key, got: map[wire.EnvelopeHash]int{}, acked: map[wire.EnvelopeHash]bool{}}
		m.send(wire.Want{FromSeal: 1})
		m.until("seal", func() bool { return len(m.sealed) == 1 })
		m.checkChain(1)
	})
}

// Clause 10.2: what the challenge says of the host.
func TestHostOf(t *testing.T) {
	proxies := []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}
	for _, test := range []struct{ name, remote, forwarded, want string }{
		{"direct", "1.2.3.4:5", "", "relay.example:8080"},
		{"proxy", "10.0.0.1:5", "nomic.example", "nomic.example"},
		{"proxy without header", "10.0.0.1:5", "", "relay.example:8080"},
		{"what the client claims", "10.0.0.1:5", "evil.example, nomic.example", "nomic.example"},
		{"header without trust", "1.2.3.4:5", "evil.example", "relay.example:8080"},
	} {
		r := httptest.NewRequest("GET", "http://relay.example:8080/relay", nil)
		r.RemoteAddr = test.remote
		if test.forwarded != "" {
			r.Header.Set("X-Forwarded-Host", test.forwarded)
		}
		if got := hostOf(r, proxies); got != test.want {
			t.Errorf("%s: got %s, want %s", test.name, got, test.want)
		}
	}
}

// Clause 10.2: a relay that knows its name refuses whoever calls it by another.
func TestRelayIsCalledByItsName(t *testing.T) {
	for host, good := range map[string]bool{
		"nomic.example": true, "Nomic.Example": true, "nomic.example:443": true, "nomic.example:80": true, "other.example:8443": true,
		"nomic.example:8443": false, "other.example": false, "evil.example": false, "": false,
	} {
		if got := (Config{Hosts: []string{"nomic.example", "other.example:8443"}}).servesHost(host); got != good {
			t.Errorf("%q: got %v", host, got)
		}
	}
	r := startRelay(t, Config{Limits: quick, Hosts: []string{"nomic.example"}}, 0)
	_, err := r.dial(roomKey(1))
	wantRefused(t, err, refusal.Host)
	own := startRelay(t, Config{Limits: quick, Hosts: []string{strings.TrimPrefix(r.http.URL, "http://")}}, 0)
	own.http.Config.Handler, r.http.Config.Handler = r.http.Config.Handler, own.http.Config.Handler
	if _, err := r.dial(roomKey(1)); err != nil {
		t.Errorf("by its own name: %v", err)
	}
}
