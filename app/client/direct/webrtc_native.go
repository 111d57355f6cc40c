//go:build !js

package direct

import "github.com/pion/webrtc/v3"

func newAPI() *webrtc.API {
	var settings webrtc.SettingEngine
	// Several members on one machine, without any network, link up too.
	settings.SetIncludeLoopbackCandidate(true)
	return webrtc.NewAPI(webrtc.WithSettingEngine(settings))
}

// receiveBinary has something to do in browsers only.
func receiveBinary(*webrtc.PeerConnection) {}

func hangUp(pc *webrtc.PeerConnection, dc *webrtc.DataChannel) {
	// The link is of no use any more, whatever these report.
	_ = dc.Close()
	_ = pc.Close()
}
