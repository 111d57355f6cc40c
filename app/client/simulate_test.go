//go:build !js

package client

import (
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"peernomic/app/client/simulate"
)

const (
	// soakTime says how long TestSoak runs, such as 10m; without it, it is left out.
	soakTime = "PEERNOMIC_SOAK"
	// budget is how long TestSimulation runs.
	budget = 15 * time.Second
	// eventsOfARun is about how many things happen before a room settles.
	eventsOfARun = 300
)

func newCast(t *testing.T) *simulate.Cast {
	t.Helper()
	cast, err := simulate.NewCast()
	if err != nil {
		t.Fatal(err)
	}
	return cast
}

// weather plays storms of new seeds until the time is over. A failure is shrunk, and
// printed as a script to be kept in testdata/scripts.
func weather(t *testing.T, lasts time.Duration) {
	cast := newCast(t)
	start := time.Now()
	runs, deliveries, events := 0, 0, 0
	say := func() {
		took := time.Since(start)
		t.Logf("%d runs, %d events, %d deliveries in %s: %.0f deliveries a second", runs, events, deliveries, took.Round(time.Second), float64(deliveries)/took.Seconds())
	}
	defer say()
	for said := start; time.Since(start) < lasts; {
		seed := rand.Uint64()
		script, n, err := simulate.Storm(cast, bootSimulated, seed, 50+rand.IntN(2*eventsOfARun-100))
		runs, deliveries, events = runs+1, deliveries+n, events+len(script)
		if err != nil {
			short, failure := simulate.Shrink(cast, bootSimulated, script, 2000)
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
	weather(t, budget)
}

// The same for as long as it is told.
func TestSoak(t *testing.T) {
	lasts, err := time.ParseDuration(os.Getenv(soakTime))
	if err != nil {
		t.Skip("runs with " + soakTime + "=10m or the like")
	}
	weather(t, lasts)
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
			script, err := simulate.ParseScript(string(text))
			if err != nil {
				t.Fatal(err)
			}
			var failure *simulate.Failure
			if _, err := simulate.Run(cast, bootSimulated, script); errors.As(err, &failure) {
				t.Error(failure)
			} else if err != nil {
				t.Fatal(err)
			}
		})
	}
}
