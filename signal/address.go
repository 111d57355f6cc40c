package signal

import (
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"peernomic/signal/refusal"
)

// addressOf returns the address to which the limits of a request apply: the nearest one that is
// not a trusted proxy's. IPv6 counts by its /64. Without trusted proxies it is the
// connection's own, whatever the client writes into its headers.
func addressOf(r *http.Request, trusted []netip.Prefix) netip.Addr {
	addr := parseAddress(r.RemoteAddr)
	var hops []string
	for _, h := range r.Header.Values("X-Forwarded-For") {
		hops = append(hops, strings.Split(h, ",")...)
	}
	for len(hops) > 0 && contains(trusted, addr) {
		next := parseAddress(strings.TrimSpace(hops[len(hops)-1]))
		if !next.IsValid() {
			break
		}
		addr, hops = next, hops[:len(hops)-1]
	}
	if addr.Is6() {
		p, _ := addr.Prefix(64) // cannot fail: addr is valid and 64 is in range
		return p.Addr()
	}
	return addr
}

// hostOf returns the host, with its port if there is one, by which a client addressed the
// relay. If a trusted proxy passed the request on, it is what that proxy says.
func hostOf(r *http.Request, trusted []netip.Prefix) string {
	forwarded := r.Header.Values("X-Forwarded-Host")
	if len(forwarded) == 0 || !contains(trusted, parseAddress(r.RemoteAddr)) {
		return r.Host
	}
	hosts := strings.Split(forwarded[len(forwarded)-1], ",")
	return strings.TrimSpace(hosts[len(hosts)-1]) // the proxy's own word comes last
}

// servesHost reports whether clients may reach the relay by the host.
func (c Config) servesHost(host string) bool {
	return len(c.Hosts) == 0 || slices.ContainsFunc(c.Hosts, func(own string) bool {
		return strings.EqualFold(host, own) || strings.EqualFold(host, own+":443") || strings.EqualFold(host, own+":80")
	})
}

func parseAddress(s string) netip.Addr {
	if ap, err := netip.ParseAddrPort(s); err == nil {
		return ap.Addr().Unmap().WithZone("")
	}
	a, _ := netip.ParseAddr(s) // an unknown address is the zero one
	return a.Unmap().WithZone("")
}

func contains(prefixes []netip.Prefix, a netip.Addr) bool {
	for _, p := range prefixes {
		if p.Contains(a) {
			return true
		}
	}
	return false
}

// visitors counts the connections and new rooms of each address. It holds addresses in memory
// only, and no longer than their limits need.
type visitors struct {
	limits Limits

	mu    sync.Mutex
	total int
	all   map[netip.Addr]*visitor
}

type visitor struct {
	connections int
	attempts    *rate.Limiter
	opens       *rate.Limiter
	seen        time.Time
}

func newVisitors(l Limits) *visitors {
	return &visitors{limits: l, all: map[netip.Addr]*visitor{}}
}

// enter counts a connection, which must leave later. It returns the code of a refusal if
// the address may not connect.
func (v *visitors) enter(a netip.Addr) (refusal.Code, bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	w := v.visitor(a)
	switch {
	case !w.attempts.AllowN(w.seen, 1):
		return refusal.Attempts, false
	case v.total >= v.limits.Connections:
		return refusal.Full, false
	case w.connections >= v.limits.ConnectionsPerAddress:
		return refusal.Crowded, false
	}
	v.total++
	w.connections++
	return "", true
}

func (v *visitors) leave(a netip.Addr) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.total--
	v.visitor(a).connections--
}

// mayOpen reports whether the address may open one more room today, and counts it.
func (v *visitors) mayOpen(a netip.Addr) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	w := v.visitor(a)
	return w.opens.AllowN(w.seen, 1)
}

func (v *visitors) connections() int {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.total
}

// visitor finds or makes the entry of an address; mu must be held.
func (v *visitors) visitor(a netip.Addr) *visitor {
	now := time.Now()
	w, ok := v.all[a]
	if !ok {
		if len(v.all) >= maxVisitors {
			v.forget(now)
		}
		day := rate.Limit(float64(v.limits.RoomsPerDay) / (24 * time.Hour).Seconds())
		w = &visitor{
			attempts: rate.NewLimiter(v.limits.AttemptRate, v.limits.AttemptBurst),
			opens:    rate.NewLimiter(day, v.limits.RoomsPerDay),
		}
		v.all[a] = w
	}
	w.seen = now
	return w
}

// forget drops addresses without activity for a day. If these are too few, it drops all
// addresses that are not connected. mu must be held.
func (v *visitors) forget(now time.Time) {
	for a, w := range v.all {
		if w.connections == 0 && now.Sub(w.seen) > 24*time.Hour {
			delete(v.all, a)
		}
	}
	if len(v.all) < maxVisitors*9/10 {
		return
	}
	for a, w := range v.all {
		if w.connections == 0 {
			delete(v.all, a)
		}
	}
}
