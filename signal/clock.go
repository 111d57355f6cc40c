package signal

import (
	"net/http"
	"sync"
	"time"
)

// TestClock is a clock that can be moved on. It is for tests of whole programs:
// a relay that has one shows it to anyone, see [Config.TestClock]. The zero value
// shows the right time.
type TestClock struct {
	mu     sync.Mutex
	offset time.Duration
}

// Now returns the clock's time.
func (c *TestClock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return time.Now().Add(c.offset)
}

// Advance moves the clock on; it does not go back.
func (c *TestClock) Advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.offset += max(d, 0)
}

// ServeHTTP moves the clock on by the query's parameter d, a duration such as 12h.
func (c *TestClock) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	d, err := time.ParseDuration(r.URL.Query().Get("d"))
	if err != nil || d < 0 {
		http.Error(w, "d must be a duration such as 12h", http.StatusBadRequest)
		return
	}
	c.Advance(d)
	writeJSON(w, http.StatusOK, map[string]any{"now": c.Now().UTC().Format(time.RFC3339Nano)})
}
