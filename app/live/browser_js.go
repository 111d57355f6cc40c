package live

import (
	"context"
	"fmt"
	"syscall/js"

	"peernomic/app/client"
	"peernomic/app/shelf"
	"peernomic/app/view"
)

// OpenBrowser opens this browser's device. If it cannot be opened the host says so on
// every page. The rulesets are at the address of their index.
func OpenBrowser(ctx context.Context, version, rulesets string) view.Host {
	hub, err := client.OpenBrowser(ctx, version)
	if err != nil {
		return broken{fmt.Errorf("this browser does not give the app the storage that it needs: %w. A private window often refuses it", err)}
	}
	return New(hub, Config{
		Relay:   js.Global().Get("location").Get("origin").String(),
		Version: version,
		Shelf:   shelf.Remote{Index: rulesets, Get: client.Fetch},
		Manual: func(ctx context.Context, page string) ([]byte, error) {
			return client.Fetch(ctx, "/web/manual/"+page+".md")
		},
		Storage: storageWarning,
	})
}

// storageWarning says that the browser may drop what the app keeps, if it may.
func storageWarning(ctx context.Context) string {
	if kept, err := client.Persist(ctx); kept || err != nil {
		return ""
	}
	return "This browser may clear the app's storage when space is short or after weeks without a visit. " +
		"Back up your key, export your games now and then, or install the app."
}
