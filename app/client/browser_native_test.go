//go:build !js

package client

import (
	"log/slog"
	"testing"
	"time"

	"peernomic/app/client/chromiumtest"
	"peernomic/app/client/disk"
	"peernomic/signal"
)

// realDisk is memory: the other disks have tests of their own.
func realDisk(testing.TB) disk.Disk { return &disk.Memory{} }

// watchPage watches nothing, as there is no page.
func watchPage() (longest func() time.Duration) { return func() time.Duration { return 0 } }

// BenchmarkOpenInChromium opens a long game in a real browser.
func BenchmarkOpenInChromium(b *testing.B) {
	for range b.N {
		chromiumtest.Bench(b, "Open10000")
	}
}

func TestInChromium(t *testing.T) {
	relay, err := signal.NewServer(signal.Config{Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := relay.Close(t.Context()); err != nil && t.Context().Err() == nil {
			t.Error(err)
		}
	})
	chromiumtest.Test(t, "TestBrowser", relay.Handler())
}
