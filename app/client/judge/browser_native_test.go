//go:build !js

package judge

import (
	"testing"

	"peernomic/app/client/inbrowser"
)

func TestInChromium(t *testing.T) { inbrowser.Test(t, "Test", nil) }
