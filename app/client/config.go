package client

import (
	"context"
	"crypto/ed25519"
	"time"

	"peernomic/app/client/direct"
	"peernomic/app/client/disk"
	node "peernomic/app/client/sync"
	"peernomic/app/client/tabs"
	"peernomic/engine/game"
	"peernomic/engine/wire"
	"peernomic/signal/dial"
)

// Config is what a hub works with. Only the disks are needed.
type Config struct {
	// Identity keeps the keys, Games everything else. The hub closes both.
	Identity, Games disk.Disk
	// Tabs is what the programs of this device share; by default there are no others.
	Tabs tabs.Tabs
	// Network makes links between devices; without it all goes through the relay.
	Network direct.Network
	// Dial connects to a relay; by default over a WebSocket.
	Dial func(ctx context.Context, url string, room ed25519.PrivateKey, game wire.GameID) (Conn, wire.Welcome, error)
	// Program names this very program, so that what it keeps for its own next start is not taken over
	// by another version. Without it, nothing is.
	Program string
	// Now is the device's clock; by default the real one.
	Now func() time.Time

	snapshotLeast int // the least number of actions between two snapshots

	// confirmed is [game.Game.Confirmed]; tests have a device see another state.
	confirmed func(*game.Game) (uint64, [32]byte)

	// What the owner of a session asks of the program around it, so that nothing in it
	// waits or runs by itself, and the simulation can play whole days in a moment.
	steady func() time.Time    // for timeouts: whoever sets the clock does not move it
	rest   func(time.Duration) // lets the rest of the program run, for so long if nothing tells when that is enough
}

func (c *Config) setDefaults() {
	if c.Tabs == nil {
		c.Tabs = &tabs.Local{}
	}
	if c.Dial == nil {
		c.Dial = func(ctx context.Context, url string, room ed25519.PrivateKey, game wire.GameID) (Conn, wire.Welcome, error) {
			return dial.Relay(ctx, url, room, game)
		}
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.steady == nil {
		c.steady = time.Now
		c.rest = rest
	}
}

func (c *Config) now() time.Time { return c.Now() }

// time is the present time for the node.
func (c *Config) time() node.Time { return node.Time{Steady: c.steady(), Clock: c.now().UnixMilli()} }

// since returns how long something is past that happened at a steady time.
func (c *Config) since(t time.Time) time.Duration { return c.steady().Sub(t) }
