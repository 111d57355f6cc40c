//go:build js

package direct

import (
	"syscall/js"
	"testing"
)

// needsWebRTC skips a test under Node, which has none.
func needsWebRTC(t *testing.T) {
	if !js.Global().Get("RTCPeerConnection").Truthy() {
		t.Skip("no browser")
	}
}
