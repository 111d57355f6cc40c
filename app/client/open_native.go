//go:build !js

package client

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"os"
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
	c := Config{Identity: identity, Games: games, Program: program()}
	if links {
		c.Network = newNetwork()
	}
	h, err := OpenHub(ctx, c)
	if err != nil {
		return nil, errors.Join(err, games.Close(), identity.Close())
	}
	return h, nil
}

// program is the hash of the running program; empty if it cannot be read.
func program() string {
	path, err := os.Executable()
	if err != nil {
		return ""
	}
	file, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer file.Close()
	h := sha256.New()
	if _, err := io.Copy(h, file); err != nil {
		return ""
	}
	return hex.EncodeToString(h.Sum(nil))
}

func newNetwork() direct.Network { return direct.NewWebRTC(nil) }
