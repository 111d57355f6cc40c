//go:build !js

package client

import (
	"testing"

	"peernomic/engine/game"
)

// A game forked at a point goes on in another room; whoever is invited has the seat that they had.
func TestForkGoesOnInAnotherRoom(t *testing.T) {
	relay := startRelay(t)
	ana, bo, a, b := twoPlayers(t, relay)
	if _, err := a.Act(t.Context(), "Join", nil); err != nil {
		t.Fatal(err)
	}
	agree(t, 4, a, b)
	var want [32]byte
	if err := a.Do(t.Context(), func(g *game.Game) { want = g.At(3).Digest() }); err != nil {
		t.Fatal(err)
	}
	room, err := ana.hub.Fork(t.Context(), a, 3, "The other game", relay.url())
	if err != nil {
		t.Fatal(err)
	}
	if room == a.Room() {
		t.Fatal("the fork is in the same room")
	}
	fork := ana.session(room)
	agree(t, 1, fork)
	if err := fork.Do(t.Context(), func(g *game.Game) {
		if _, got := g.Confirmed(); got != want {
			t.Error("the fork begins with another state")
		}
	}); err != nil {
		t.Fatal(err)
	}
	guest := bo.join(fork.Invite())
	agree(t, 2, fork, guest)
	until(t, "Bo has the seat", func() bool { return guest.Me() == b.Me() && guest.Me() != 0 })
	if _, err := guest.Act(t.Context(), "Join", nil); err != nil {
		t.Fatal(err)
	}
	agree(t, 3, fork, guest)
	agree(t, 4, a, b) // the first game does not notice
	if _, err := ana.hub.Fork(t.Context(), a, 9, "Too far", relay.url()); err == nil {
		t.Error("a fork from the future")
	}
}
