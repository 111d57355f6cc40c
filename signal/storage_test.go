package signal

import (
	"encoding/json"
	"errors"
	"net/http/httptest"
	"sync/atomic"
	"testing"

	"peernomic/engine/wire"
	"peernomic/signal/refusal"
	"peernomic/signal/store"
)

// failing is a store whose disk is full at times.
type failing struct {
	store.Store
	refuse atomic.Bool // appends fail and store nothing
	lie    atomic.Bool // the next append stores, and says that it did not
}

var errDisk = errors.New("disk full")

func (f *failing) Append(a []store.Append) error {
	if f.refuse.Load() {
		return errDisk
	}
	err := f.Store.Append(a)
	if err == nil && f.lie.CompareAndSwap(true, false) {
		return errDisk
	}
	return err
}

func TestStorageFailure(t *testing.T) {
	disk := &failing{Store: store.NewMemory()}
	s, err := newServer(Config{Limits: quick}, disk, quiet())
	if err != nil {
		t.Fatal(err)
	}
	s.chain = 1 << 12
	r := &relay{t, s, httptest.NewServer(s.Handler())}
	t.Cleanup(r.stop)
	follower := r.join(1)
	follower.send(wire.Want{FromSeal: 1})
	post := func(content string) []wire.EnvelopeHash {
		t.Helper()
		m := r.join(1)
		h := m.post(content)
		m.until("acknowledgement", m.acks(h))
		return h
	}
	post("first")

	disk.refuse.Store(true)
	m := r.join(1)
	h := m.post("not stored")
	m.refused(refusal.Storage)
	if m.acked[h[0]] {
		t.Error("what was not stored was acknowledged")
	}
	if got := r.health(t); got.Status != string(refusal.Storage) {
		t.Errorf("health: got %+v", got)
	}
	disk.refuse.Store(false)
	post("second")
	if got := r.health(t); got.Status != "ok" {
		t.Errorf("health: got %+v", got)
	}

	disk.lie.Store(true) // as when the power fails after writing
	m = r.join(1)
	m.post("stored without knowing")
	m.refused(refusal.Storage)
	post("third")
	follower.until("log", func() bool { return len(follower.order()) >= 4 })
	follower.checkChain(1)
}

func (r *relay) health(t *testing.T) (h health) {
	t.Helper()
	response, err := r.http.Client().Get(r.http.URL + "/healthz")
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if err := json.NewDecoder(response.Body).Decode(&h); err != nil {
		t.Fatal(err)
	}
	if (response.StatusCode == 200) != (h.Status == "ok") {
		t.Errorf("status %q with %s", h.Status, response.Status)
	}
	return h
}
