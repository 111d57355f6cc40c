package client

import (
	"context"
	"fmt"
	"syscall/js"

	"peernomic/app/client/promise"
)

// Fetch returns a file of the host that the page came from.
func Fetch(ctx context.Context, address string) ([]byte, error) {
	response, err := promise.Await(ctx, js.Global().Call("fetch", address))
	if err != nil {
		return nil, err
	}
	if !response.Get("ok").Bool() {
		return nil, fmt.Errorf("the server answered %d; another version of the app may be there by now: reload the page", response.Get("status").Int())
	}
	buffer, err := promise.Await(ctx, response.Call("arrayBuffer"))
	if err != nil {
		return nil, err
	}
	bytes := js.Global().Get("Uint8Array").New(buffer)
	file := make([]byte, bytes.Length())
	js.CopyBytesToGo(file, bytes)
	return file, nil
}
