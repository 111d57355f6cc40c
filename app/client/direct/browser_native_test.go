//go:build !js

package direct

import (
	"testing"

	"peernomic/app/client/inbrowser"
)

func TestInChromium(t *testing.T) { inbrowser.Test(t, "TestWebRTC", nil) }
