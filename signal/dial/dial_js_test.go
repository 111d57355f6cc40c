package dial_test

import (
	"context"
	"crypto/ed25519"
	"errors"
	"os"
	"testing"
	"time"

	"peernomic/engine/wire"
	"peernomic/signal/dial"
	"peernomic/signal/refusal"
)

// These tests run in Node, against a relay that TestInJavaScript serves.

func relayURL(t *testing.T) string {
	t.Helper()
	url := os.Getenv("PEERNOMIC_TEST_RELAY_URL")
	if url == "" {
		t.Skip("run by TestInJavaScript")
	}
	return url
}

func patient(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	t.Cleanup(cancel)
	return ctx
}

func key(n byte) ed25519.PrivateKey {
	seed := make([]byte, 32)
	seed[0] = n
	return ed25519.NewKeyFromSeed(seed)
}

func receive[T wire.Message](t *testing.T, c *dial.Conn) T {
	t.Helper()
	for {
		m, err := c.Receive(patient(t))
		if err != nil {
			t.Fatal(err)
		}
		if m, ok := m.(T); ok {
			return m
		}
	}
}

func TestRoundTrip(t *testing.T) {
	url := relayURL(t)
	c, welcome, err := dial.Relay(patient(t), url, key(1), wire.GameID{})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	send := func(m wire.Message) {
		t.Helper()
		if err := c.Send(patient(t), m); err != nil {
			t.Fatal(err)
		}
	}
	if err := c.Found(patient(t), wire.GameID{1}); err != nil {
		t.Fatal(err)
	}
	send(wire.Want{FromSeal: welcome.Seals + 1})
	const n = 50
	for i := range n { // about 3 MB: more than a browser is given at once
		e := wire.Envelope{Room: wire.RoomID(key(1).Public().(ed25519.PublicKey)), Ciphertext: make([]byte, 60_000)}
		e.Ciphertext[0] = byte(i)
		send(wire.Envelopes{Envelopes: [][]byte{e.Bytes()}})
	}
	for sealed, next := 0, welcome.Seals+1; sealed < n; {
		for _, b := range receive[wire.Seals](t, c).Seals {
			s, err := wire.OpenSeal(b)
			if err != nil || s.Number != next {
				t.Fatalf("got seal %d (%v), want %d", s.Number, err, next)
			}
			next++
			sealed += len(s.Envelopes)
		}
	}
}

func TestEnds(t *testing.T) {
	url := relayURL(t)
	var refused *dial.RefusedError
	if _, _, err := dial.Relay(patient(t), url, key(2), wire.GameID{2}); !errors.As(err, &refused) || refused.Code != refusal.NoRoom {
		t.Errorf("no such room: got %v", err)
	}
	c, _, err := dial.Relay(patient(t), url, key(1), wire.GameID{1})
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Send(patient(t), wire.Have{}); err != nil {
		t.Fatal(err)
	}
	// The refusal comes as a message, and then as the reason of the end.
	if got := receive[wire.Refusal](t, c); got.Code != string(refusal.Unexpected) {
		t.Errorf("got %+v", got)
	}
	for range 2 {
		if _, err := c.Receive(patient(t)); !errors.As(err, &refused) || refused.Code != refusal.Unexpected {
			t.Errorf("got %v, want %q", err, refusal.Unexpected)
		}
	}
	if err := c.Send(patient(t), wire.Ping{}); err == nil {
		t.Error("sending after the end succeeded")
	}
	if err := c.Close(); err != nil {
		t.Error(err)
	}

	c, _, err = dial.Relay(patient(t), url, key(1), wire.GameID{1})
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Close(); err != nil {
		t.Error(err)
	}
	if _, err := c.Receive(patient(t)); !errors.Is(err, dial.ErrClosed) {
		t.Errorf("after Close: got %v, want ErrClosed", err)
	}

	if _, _, err := dial.Relay(patient(t), "ws://127.0.0.1:1/relay", key(1), wire.GameID{1}); err == nil {
		t.Error("connected to nothing")
	}
	if _, _, err := dial.Relay(patient(t), "nonsense://", key(1), wire.GameID{1}); err == nil {
		t.Error("connected to nonsense")
	}
}
