//go:build !js

package simtest

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"peernomic/app/client/tabs"
	"peernomic/engine/game"
)

const (
	// soakTime says how long TestSoak runs, such as 10m; without it, it is left out.
	soakTime = "PEERNOMIC_SOAK"
	// budget is how many rooms TestSimulation plays, the same on every machine and each time.
	budget = 12
	// eventsOfARun is about how many things happen before a room settles.
	eventsOfARun = 300
)

func newCast(t *testing.T) *Cast {
	t.Helper()
	cast, err := NewCast()
	if err != nil {
		t.Fatal(err)
	}
	return cast
}

// eventsOf returns how many events the storm of a seed has, so that the seed is enough to play
// it again.
func eventsOf(seed uint64) int { return 50 + int(seed%(2*eventsOfARun-100)) }

// keep writes a script that failed to a file, which outlives the test and what it prints.
func keep(t *testing.T, seed uint64, script Script) string {
	file := filepath.Join(os.TempDir(), fmt.Sprintf("peernomic-%d.script", seed))
	if err := os.WriteFile(file, []byte(script.String()), 0o644); err != nil {
		t.Error(err)
	}
	return file
}

// weather plays the storms of seeds. A failure is shrunk, and printed as a script to be kept in
// testdata/scripts.
func weather(t *testing.T, seeds iter.Seq[uint64]) {
	cast := newCast(t)
	start := time.Now()
	runs, deliveries, events := 0, 0, 0
	say := func() {
		took := time.Since(start)
		t.Logf("%d runs, %d events, %d deliveries in %s: %.0f deliveries a second", runs, events, deliveries, took.Round(time.Second), float64(deliveries)/took.Seconds())
	}
	defer say()
	said := start
	for seed := range seeds {
		played, err := Storm(cast, BootRoom, seed, eventsOf(seed))
		runs, deliveries, events = runs+1, deliveries+played.Deliveries, events+len(played.Script)
		if err != nil {
			t.Logf("seed %d, kept as %s: %v", seed, keep(t, seed, played.Script), err) // shrinking takes its time
			short, failure := Shrink(cast, BootRoom, played.Script, 2000)
			t.Fatalf("seed %d: %v\nshrunk to %d events: %v\n%s", seed, err, len(short), failure, short)
		}
		if time.Since(said) > time.Minute {
			said = time.Now()
			say()
		}
	}
}

// Rooms in any weather, with a crook in them, come to one state and lose nothing.
func TestSimulation(t *testing.T) {
	if testing.Short() {
		t.Skip("takes its time")
	}
	weather(t, func(yield func(uint64) bool) {
		for i := uint64(1); i <= budget && yield(i*0x9e3779b97f4a7c15); i++ { // long ones and short ones
		}
	})
}

// A seed gives one run, and its script gives the same again, to the byte of every message and
// every write: otherwise nothing that fails could be looked at.
func TestSimulationIsDeterministic(t *testing.T) {
	cast := newCast(t)
	for seed := range uint64(12) {
		first, err := Storm(cast, BootRoom, seed, 100)
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, first.Script)
		}
		again, err := Storm(cast, BootRoom, seed, 100)
		if err != nil || again.Trace != first.Trace {
			t.Errorf("seed %d does not give what it gave before: %v", seed, err)
		}
		script := first.Script[:len(first.Script)-1] // Run settles by itself
		if third, err := Run(cast, BootRoom, script); err != nil || third.Trace != first.Trace {
			t.Errorf("the script of seed %d does not give what the seed gave: %v", seed, err)
		}
	}
}

// wronglyConfirmed is another state than everybody else's after the third seal.
func wronglyConfirmed(g *game.Game) (uint64, [32]byte) {
	seal, digest := g.Confirmed()
	if seal >= 3 {
		digest[0] ^= 1
	}
	return seal, digest
}

// What is wrong is found, and shrunk to what it takes.
func TestSimulationFindsAndShrinks(t *testing.T) {
	cast := newCast(t)
	boot := func(p Program) (Member, error) {
		if p.Genesis != nil {
			p.Confirmed = wronglyConfirmed
		}
		return BootRoom(p)
	}
	played, err := Storm(cast, boot, 1, 60)
	if err == nil {
		t.Fatal("a device that computes wrong was not found")
	}
	short, failure := Shrink(cast, boot, played.Script, 100)
	if failure == nil || len(short) >= len(played.Script) || len(short) > 15 {
		t.Fatalf("%d events were shrunk to %d: %v", len(played.Script), len(short), failure)
	}
	if failure.Kind != "digest" && failure.Kind != "diverged" {
		t.Errorf("it was found as %v", failure)
	}
	if _, err := Run(cast, boot, short); err == nil {
		t.Error("the short script does not fail any more")
	}
}

// oneForAll is a browser that gives every tab the lock.
type oneForAll struct{ tabs.Tabs }

func (oneForAll) TryLock(context.Context, string) (func(), bool, error) { return func() {}, true, nil }

// A browser that gives two tabs the lock, or does not carry what they tell each other, is found.
func TestSimulationFindsWrongTabs(t *testing.T) {
	cast := newCast(t)
	for _, test := range []struct {
		what, script, kind string
		plant              func(tabs.Tabs) tabs.Tabs
	}{
		{"both tabs write", "settle; open b", "two-writers", func(t tabs.Tabs) tabs.Tabs { return oneForAll{t} }},
		{"the tabs do not hear each other", "settle; open b; settle; act b", "tabs", func(t tabs.Tabs) tabs.Tabs { return muteTabs{t} }},
	} {
		script, err := ParseScript(strings.ReplaceAll(test.script, "; ", "\n"))
		check(t, err)
		_, err = Run(cast, func(p Program) (Member, error) {
			p.Tabs = test.plant(p.Tabs)
			return BootRoom(p)
		}, script)
		var failure *Failure
		if !errors.As(err, &failure) || failure.Kind != test.kind {
			t.Errorf("%s: got %v", test.what, err)
		}
	}
}

// Rooms in any weather, for as long as it is told.
func TestSoak(t *testing.T) {
	lasts, err := time.ParseDuration(os.Getenv(soakTime))
	if err != nil {
		t.Skip("runs with " + soakTime + "=10m or the like")
	}
	weather(t, func(yield func(uint64) bool) {
		for start := time.Now(); time.Since(start) < lasts && yield(rand.Uint64()); {
		}
	})
}

// What once failed is played again.
func TestScripts(t *testing.T) {
	files, err := filepath.Glob("testdata/scripts/*.script")
	if err != nil || len(files) == 0 {
		t.Fatalf("no scripts: %v", err)
	}
	cast := newCast(t)
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			script, err := ParseScript(string(text))
			if err != nil {
				t.Fatal(err)
			}
			var failure *Failure
			switch _, err := Run(cast, BootRoom, script); {
			case errors.As(err, &failure):
				t.Error(failure)
			case err != nil:
				t.Fatal(err)
			}
		})
	}
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// muteTabs is a browser that does not carry what tabs tell each other.
type muteTabs struct{ tabs.Tabs }

func (m muteTabs) Open(name string) (tabs.Channel, error) {
	c, err := m.Tabs.Open(name)
	return muteChannel{c}, err
}

type muteChannel struct{ tabs.Channel }

func (muteChannel) Post([]byte) error { return nil }
