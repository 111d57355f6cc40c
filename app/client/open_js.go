//go:build js

package client

import (
	"context"
	"errors"
	"syscall/js"

	"peernomic/app/client/direct"
	"peernomic/app/client/disk"
	"peernomic/app/client/promise"
	"peernomic/app/client/tabs"
)

// OpenBrowser opens the device that lives in this browser, for the app of that version; see
// [Config.Program].
func OpenBrowser(ctx context.Context, version string) (*Hub, error) {
	identity, err := disk.OpenIndexedDB(ctx, "peernomic-identity")
	if err != nil {
		return nil, err
	}
	games, err := disk.OpenIndexedDB(ctx, "peernomic-games")
	if err != nil {
		return nil, errors.Join(err, identity.Close())
	}
	c := Config{Identity: identity, Games: games, Tabs: tabs.Browser{}, Program: version}
	if !js.Global().Get("navigator").Get("locks").Truthy() {
		c.Tabs = &unlockable{}
	}
	if js.Global().Get("RTCPeerConnection").Truthy() {
		c.Network = direct.NewWebRTC(nil)
	}
	h, err := OpenHub(ctx, c)
	if err != nil {
		return nil, errors.Join(err, games.Close(), identity.Close())
	}
	h.followPage()
	return h, nil
}

// unlockable is a browser without locks. Keys are made, as without them nothing can be
// shown at all, but no game is written in.
type unlockable struct{ tabs.Local }

func (*unlockable) TryLock(context.Context, string) (func(), bool, error) {
	return nil, false, tabs.ErrNoLocks
}

// followPage reconnects when the network is back, and when the page comes back to the
// front: browsers drop the sockets of pages behind it without a word.
func (h *Hub) followPage() {
	again := js.FuncOf(func(js.Value, []js.Value) any {
		if document := js.Global().Get("document"); !document.Get("hidden").Truthy() {
			go h.Reconnect()
		} else {
			go h.keepSnapshots()
		}
		return nil
	})
	gone := js.FuncOf(func(js.Value, []js.Value) any {
		go h.Disconnect()
		return nil
	})
	js.Global().Call("addEventListener", "offline", gone)
	// Never released: the hub lives as long as the page.
	js.Global().Call("addEventListener", "online", again)
	js.Global().Get("document").Call("addEventListener", "visibilitychange", again)
	js.Global().Call("addEventListener", "pageshow", again)
}

// Persist asks the browser to keep what this device stores even if space gets short, and
// reports whether it will.
func Persist(ctx context.Context) (bool, error) {
	storage := js.Global().Get("navigator").Get("storage")
	if !storage.Truthy() || !storage.Get("persist").Truthy() {
		return false, nil
	}
	if kept, err := promise.Await(ctx, storage.Call("persisted")); err != nil || kept.Truthy() {
		return err == nil, err
	}
	kept, err := promise.Await(ctx, storage.Call("persist"))
	return err == nil && kept.Truthy(), err
}

// keepSnapshots has the open games make the snapshots that are due, now. It is called when the page is
// left: it may not come back.
func (h *Hub) keepSnapshots() {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, s := range h.sessions {
		go s.post(s.room.KeepSnapshot)
	}
}
