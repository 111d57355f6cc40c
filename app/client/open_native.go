//go:build !js

package client

import (
	"context"
	"errors"
	"path/filepath"

	"peernomic/app/client/direct"
	"peernomic/app/client/disk"
)

// OpenFolder opens the device that lives in a folder, which is made if it is missing. The
// folder is locked while the hub is open. Without links, all
// goes through the relay.
func OpenFolder(ctx context.Context, folder string, links bool) (*Hub, error) {
	identity, err := disk.OpenBadger(filepath.Join(folder, "identity"))
	if err != nil {
		return nil, err
	}
	games, err := disk.OpenBadger(filepath.Join(folder, "games"))
	if err != nil {
		return nil, errors.Join(err, identity.Close())
	}
	c := Config{Identity: identity, Games: games}
	if links {
		c.Network = newNetwork()
	}
	h, err := OpenHub(ctx, c)
	if err != nil {
		return nil, errors.Join(err, games.Close(), identity.Close())
	}
	return h, nil
}

func newNetwork() direct.Network { return direct.NewWebRTC(nil) }
