//go:build js

package direct

import (
	"syscall/js"

	"github.com/pion/webrtc/v3"
)

func newAPI() *webrtc.API { return webrtc.NewAPI() }

// receiveBinary makes the connection's data channels deliver array buffers. Firefox
// delivered blobs for years, which pion reads asynchronously and so out of order;
// pion gives no access to the channel, hence the method put in front of the browser's.
func receiveBinary(pc *webrtc.PeerConnection) {
	object := pc.JSValue()
	var create js.Func
	create = js.FuncOf(func(this js.Value, args []js.Value) any {
		defer create.Release() // called once, by NewPeerConnection's caller
		method := js.Global().Get("RTCPeerConnection").Get("prototype").Get("createDataChannel")
		params := []any{object}
		for _, a := range args {
			params = append(params, a)
		}
		channel := method.Call("call", params...)
		channel.Set("binaryType", "arraybuffer")
		object.Set("peernomicChannel", channel)
		return channel
	})
	object.Set("createDataChannel", create)
}

// hangUp closes a connection. The handlers are taken off first: pion releases them
// but leaves them set, and a late event would call a released function.
func hangUp(pc *webrtc.PeerConnection, dc *webrtc.DataChannel) {
	object := pc.JSValue()
	for _, name := range []string{"onconnectionstatechange", "onicegatheringstatechange", "onsignalingstatechange", "ondatachannel", "onicecandidate", "oniceconnectionstatechange", "onnegotiationneeded"} {
		object.Set(name, js.Null())
	}
	if channel := object.Get("peernomicChannel"); channel.Truthy() {
		for _, name := range []string{"onopen", "onmessage", "onclose", "onbufferedamountlow"} {
			channel.Set(name, js.Null())
		}
	}
	// The link is of no use any more, whatever these report.
	_ = dc.Close()
	_ = pc.Close()
}
