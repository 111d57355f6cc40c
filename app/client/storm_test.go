//go:build !js

package client

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"peernomic/app/client/direct"
	"peernomic/engine/ledger"
)

var (
	stormSeed  = flag.Uint64("storm-seed", 1, "seed of the storm; 0 draws one")
	stormSteps = flag.Int("storm-steps", 150, "how many things happen in the storm")
)

// In a storm, devices act, crash and come back, the relay stops and starts, links come
// and go. In the end all devices hold everything that any of them ever took for done, in
// one order, and no feed is forked.
func TestStorm(t *testing.T) {
	seed := *stormSeed
	if seed == 0 {
		seed = rand.Uint64()
	}
	t.Logf("run it again with -storm-seed=%d", seed)
	random := rand.New(rand.NewPCG(seed, 0))

	r := startRelay(t)
	devices := []*device{newDevice(t, "Ana"), newDevice(t, "Bo"), newDevice(t, "Cy")}
	for _, d := range devices[:2] {
		d.network = direct.NewWebRTC(nil) // Cy is behind a bad router
	}
	room := devices[0].found(r.url())
	first := devices[0].session(room)
	for _, d := range devices[1:] {
		d.join(first.Invite())
	}
	sessions := func() []*Session {
		var all []*Session
		for _, d := range devices {
			all = append(all, d.session(room))
		}
		return all
	}
	agree(t, 3, sessions()...)

	var done []ledger.ActionID
	up := true
	for step := range *stormSteps {
		d := devices[random.IntN(len(devices))]
		switch n := random.IntN(20); {
		case n < 14:
			ctx, cancel := context.WithTimeout(t.Context(), deadline)
			id, err := d.session(room).writeBody(ctx, ledger.KindAct, fmt.Append(nil, step))
			cancel()
			if err != nil {
				t.Fatalf("step %d, %s: %v", step, d.name, err)
			}
			done = append(done, id)
		case n < 16:
			d.restart()
		case n < 18:
			if up {
				r.stop()
			} else {
				r.start()
			}
			up = !up
		case n < 19:
			s := d.session(room)
			if err := s.do(t.Context(), func() {
				for _, p := range s.links.open {
					p.close()
				}
			}); err != nil {
				t.Fatal(err)
			}
		default:
			s := d.session(room)
			if err := s.do(t.Context(), func() { s.node().HangUpRelay(s.config.time()) }); err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Duration(random.IntN(50)) * time.Millisecond) // lets some of it happen
		}
	}
	if !up {
		r.start()
	}
	agree(t, 3+len(done), sessions()...)
	for i, s := range sessions() {
		for _, id := range done {
			if !holds(s, id) {
				t.Errorf("%s lost an action", devices[i].name)
			}
		}
		if err := s.do(t.Context(), func() {
			if n := len(s.node().Game().Replica().Forks()); n > 0 {
				t.Errorf("%s sees %d forks", devices[i].name, n)
			}
		}); err != nil && !errors.Is(err, ErrClosed) {
			t.Error(err)
		}
		if d := s.Net().Diverged; d != nil {
			t.Errorf("%s: diverged %+v", devices[i].name, d)
		}
	}
}
