package live

import (
	"context"
	"fmt"
	"syscall/js"

	"peernomic/app/client"
	"peernomic/app/ui"
)

// OpenBrowser opens this browser's device. If it cannot be opened the host says so on
// every page.
func OpenBrowser(ctx context.Context, version string) ui.Host {
	hub, err := client.OpenBrowser(ctx)
	if err != nil {
		return broken{fmt.Errorf("this browser does not give the app the storage that it needs: %w. A private window often refuses it", err)}
	}
	keepStorage()
	reconnectWhenBack(hub)
	return New(hub, Config{Relay: js.Global().Get("location").Get("origin").String(), Version: version, Storage: storageWarning})
}

// reconnectWhenBack tries the relays at once when the network or the page is back.
// The listeners live as long as the page.
func reconnectWhenBack(hub *client.Hub) {
	again := js.FuncOf(func(js.Value, []js.Value) any {
		if js.Global().Get("document").Get("visibilityState").String() == "visible" {
			go hub.Reconnect()
		}
		return nil
	})
	js.Global().Call("addEventListener", "online", again)
	js.Global().Get("document").Call("addEventListener", "visibilitychange", again)
}

// manager returns the browser's storage manager and reports whether it has one.
func manager() (js.Value, bool) {
	m := js.Global().Get("navigator").Get("storage")
	return m, m.Truthy() && m.Get("persist").Truthy()
}

// keepStorage asks the browser not to drop what the app keeps.
func keepStorage() {
	if m, ok := manager(); ok {
		m.Call("persist")
	}
}

// storageWarning says that the browser may drop what the app keeps, if it may.
func storageWarning(ctx context.Context) string {
	m, ok := manager()
	if !ok {
		return ""
	}
	kept := make(chan bool, 1)
	then := js.FuncOf(func(_ js.Value, args []js.Value) any {
		kept <- len(args) > 0 && args[0].Truthy()
		return nil
	})
	defer then.Release()
	m.Call("persisted").Call("then", then, then)
	select {
	case yes := <-kept:
		if yes {
			return ""
		}
	case <-ctx.Done():
		return ""
	}
	return "This browser may clear the app's storage when space is short or after weeks without a visit. " +
		"Back up your key, export your games now and then, or install the app."
}
