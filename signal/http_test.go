package signal

import (
	"bytes"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync"
	"testing"

	"github.com/coder/websocket"

	"peernomic/engine/wire"
	"peernomic/signal/refusal"
)

func TestHealthAndMetrics(t *testing.T) {
	r := startRelay(t, Config{Limits: quick}, 0)
	m := r.join(1)
	m.until("acknowledgement", m.acks(m.post("a", "b")))
	m.send(wire.Signal{Peer: wire.PeerID{1}})
	want[wire.Refusal](m)
	if got := r.health(t); got != (health{Status: "ok", Rooms: 1, Connections: 1}) {
		t.Errorf("health: got %+v", got)
	}
	response, err := r.http.Client().Get(r.http.URL + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{
		"peernomic_relay_connections 1\n",
		"peernomic_relay_rooms 1\n",
		"peernomic_relay_rooms_active 1\n",
		"peernomic_relay_envelopes_total 2\n",
		"peernomic_relay_seals_total 1\n",
		`peernomic_relay_refusals_total{code="no-peer"} 1` + "\n",
	} {
		if !strings.Contains(string(text), line) {
			t.Errorf("metrics lack %q", line)
		}
	}
	if strings.Contains(string(text), roomOf(roomKey(1)).String()[:8]) {
		t.Error("metrics name a room")
	}
}

func TestOrigins(t *testing.T) {
	r := startRelay(t, Config{Limits: quick, Origins: []string{"friend.example"}}, 0)
	host := strings.TrimPrefix(r.http.URL, "http://")
	for origin, welcome := range map[string]bool{
		"":                        true, // not a page
		"http://" + host:          true,
		"https://friend.example":  true,
		"https://other.example":   false,
		"http://x.friend.example": false,
		"null":                    false,
	} {
		header := http.Header{}
		if origin != "" {
			header.Set("Origin", origin)
		}
		ws, _, err := websocket.Dial(patient(t), r.url(), &websocket.DialOptions{HTTPHeader: header})
		if (err == nil) != welcome {
			t.Errorf("origin %q: got %v, want welcome = %v", origin, err, welcome)
		}
		if err == nil {
			ws.CloseNow()
		}
	}
}

func TestAddressOf(t *testing.T) {
	proxies := []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("fd00::/8")}
	tests := []struct {
		name, remote, forwarded, want string
		trusted                       []netip.Prefix
	}{
		{"direct", "1.2.3.4:5", "", "1.2.3.4", nil},
		{"IPv6 by its /64", "[2001:db8:1:2:3:4:5:6]:7", "", "2001:db8:1:2::", nil},
		{"IPv4 in IPv6", "[::ffff:1.2.3.4]:5", "", "1.2.3.4", nil},
		{"link-local", "[fe80::1%eth0]:5", "", "fe80::", nil},
		{"header without trust", "1.2.3.4:5", "9.9.9.9", "1.2.3.4", nil},
		{"header from another than the proxy", "1.2.3.4:5", "9.9.9.9", "1.2.3.4", proxies},
		{"proxy", "10.0.0.1:5", "9.9.9.9", "9.9.9.9", proxies},
		{"proxy over IPv6", "[fd00::1]:5", "2001:db8::5", "2001:db8::", proxies},
		{"two proxies", "10.0.0.1:5", "9.9.9.9, 10.0.0.2", "9.9.9.9", proxies},
		{"what the client claims", "10.0.0.1:5", "8.8.8.8, 9.9.9.9", "9.9.9.9", proxies},
		{"garbage", "10.0.0.1:5", "what?", "10.0.0.1", proxies},
		{"proxy without header", "10.0.0.1:5", "", "10.0.0.1", proxies},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r := httptest.NewRequest("GET", "/relay", nil)
			r.RemoteAddr = test.remote
			if test.forwarded != "" {
				r.Header.Set("X-Forwarded-For", test.forwarded)
			}
			if got := addressOf(r, test.trusted); got.String() != test.want {
				t.Errorf("got %s, want %s", got, test.want)
			}
		})
	}
}

func TestAttemptsAndCapacity(t *testing.T) {
	refused := func(t *testing.T, r *relay, want refusal.Code) {
		t.Helper()
		_, response, err := websocket.Dial(patient(t), r.url(), nil)
		if err == nil || response == nil || response.StatusCode != http.StatusTooManyRequests {
			t.Fatalf("got %v, want status 429", err)
		}
		text, err := io.ReadAll(response.Body)
		if err != nil || !strings.HasPrefix(string(text), string(want)+": ") {
			t.Errorf("got %q (%v), want %q and a sentence", text, err, want)
		}
	}
	t.Run("attempts", func(t *testing.T) {
		limits := quick
		limits.AttemptRate, limits.AttemptBurst = 1e-9, 2
		r := startRelay(t, Config{Limits: limits}, 0)
		r.join(1).c.Close()
		r.join(1).c.Close()
		refused(t, r, refusal.Attempts)
	})
	t.Run("capacity", func(t *testing.T) {
		limits := quick
		limits.Connections = 1
		r := startRelay(t, Config{Limits: limits}, 0)
		m := r.join(1)
		refused(t, r, refusal.Full)
		m.send(wire.Ping{})
		want[wire.Pong](m)
	})
}

func TestVisitorsAreForgotten(t *testing.T) {
	v := newVisitors(Limits{}.withDefaults())
	stays := netip.MustParseAddr("1.1.1.1")
	if _, ok := v.enter(stays); !ok {
		t.Fatal("refused")
	}
	a := netip.MustParseAddr("2.0.0.0")
	for range 2 * maxVisitors {
		if _, ok := v.enter(a); !ok {
			t.Fatal("refused")
		}
		v.leave(a)
		a = a.Next()
	}
	if n := len(v.all); n > maxVisitors {
		t.Errorf("%d addresses are remembered, at most %d should be", n, maxVisitors)
	}
	if w, ok := v.all[stays]; !ok || w.connections != 1 || v.connections() != 1 {
		t.Error("an address with a connection was forgotten")
	}
}

// lines is a log that can be read while it is written.
type lines struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func TestLogNamesNobody(t *testing.T) {
	var log lines
	config := Config{Limits: quick, Data: t.TempDir(), Log: slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))}
	r := startRelay(t, config, 0)
	m := r.join(1)
	m.until("acknowledgement", m.acks(m.post("a")))
	m.send(wire.Welcome{})
	m.refused(refusal.Unexpected)
	r.s.Close(patient(t))
	log.mu.Lock()
	defer log.mu.Unlock()
	text := log.b.String()
	if !strings.Contains(text, "room opened") {
		t.Errorf("the log says too little: %s", text)
	}
	for _, secret := range []string{"127.0.0.1", roomOf(roomKey(1)).String(), m.c.Peer().String(), config.Data} {
		if strings.Contains(text, secret) {
			t.Errorf("the log has %q:\n%s", secret, text)
		}
	}
}
