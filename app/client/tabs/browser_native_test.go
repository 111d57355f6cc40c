//go:build !js

package tabs

import (
	"testing"

	"peernomic/app/client/inbrowser"
)

func TestInChromium(t *testing.T) { inbrowser.Test(t, "^Test", nil) }
