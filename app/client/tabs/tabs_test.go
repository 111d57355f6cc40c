package tabs

import (
	"context"
	"errors"
	"fmt"
	"testing"
)

// onEach runs the same test on every implementation that works here.
func onEach(t *testing.T, test func(t *testing.T, tabs Tabs)) {
	for name, tabs := range implementations() {
		t.Run(name, func(t *testing.T) { test(t, tabs) })
	}
}

func TestOneHoldsTheLock(t *testing.T) {
	onEach(t, func(t *testing.T, tabs Tabs) {
		release, ok, err := tabs.TryLock(t.Context(), "a")
		if err != nil || !ok {
			t.Fatalf("a free lock: %v, %v", ok, err)
		}
		if _, ok, err := tabs.TryLock(t.Context(), "a"); err != nil || ok {
			t.Fatalf("a held lock: %v, %v", ok, err)
		}
		other, ok, err := tabs.TryLock(t.Context(), "b")
		if err != nil || !ok {
			t.Fatalf("another lock: %v, %v", ok, err)
		}
		other()
		got := make(chan error, 1)
		go func() {
			release, err := tabs.Lock(t.Context(), "a")
			if err == nil {
				release()
			}
			got <- err
		}()
		release()
		release() // twice is no harm
		if err := <-got; err != nil {
			t.Fatal(err)
		}
	})
}

func TestWaitingForALockEndsWithTheContext(t *testing.T) {
	onEach(t, func(t *testing.T, tabs Tabs) {
		release, err := tabs.Lock(t.Context(), "w")
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		got := make(chan error, 1)
		go func() { _, err := tabs.Lock(ctx, "w"); got <- err }()
		cancel()
		if err := <-got; !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
		release()
		again, err := tabs.Lock(t.Context(), "w")
		if err != nil {
			t.Fatal(err)
		}
		again()
	})
}

func TestMessagesReachTheOtherTabsInOrder(t *testing.T) {
	onEach(t, func(t *testing.T, tabs Tabs) {
		open := func(name string) Channel {
			c, err := tabs.Open(name)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { c.Close() })
			return c
		}
		a, b, c, elsewhere := open("x"), open("x"), open("x"), open("y")
		for i := range 20 {
			if err := a.Post(fmt.Append(nil, i)); err != nil {
				t.Fatal(err)
			}
		}
		for _, to := range []Channel{b, c} {
			for i := range 20 {
				got, err := to.Receive(t.Context())
				if err != nil || string(got) != fmt.Sprint(i) {
					t.Fatalf("message %d: got %q, %v", i, got, err)
				}
			}
		}
		if err := b.Post([]byte("back")); err != nil {
			t.Fatal(err)
		}
		if got, err := a.Receive(t.Context()); err != nil || string(got) != "back" {
			t.Errorf("a hears its own messages, or nothing: %q, %v", got, err)
		}
		if err := elsewhere.Close(); err != nil {
			t.Fatal(err)
		}
		if m, err := elsewhere.Receive(t.Context()); !errors.Is(err, ErrClosed) {
			t.Errorf("closed channel: %q, %v", m, err)
		}
		if err := elsewhere.Post(nil); !errors.Is(err, ErrClosed) {
			t.Errorf("post on a closed channel: %v", err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := a.Receive(ctx); !errors.Is(err, context.Canceled) {
			t.Errorf("cancelled receive: %v", err)
		}
	})
}
