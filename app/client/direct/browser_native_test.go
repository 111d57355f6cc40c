//go:build !js

package direct

import (
	"testing"

	"peernomic/app/client/chromiumtest"
)

func TestInChromium(t *testing.T) { chromiumtest.Test(t, "TestWebRTC", nil) }
