//go:build !js

package client

import (
	"log/slog"
	"testing"

	"peernomic/app/client/inbrowser"
	"peernomic/signal"
)

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
	inbrowser.Test(t, "TestBrowser", relay.Handler())
}
