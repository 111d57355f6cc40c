//go:build !js

package tabs

import (
	"testing"

	"peernomic/app/client/chromiumtest"
)

func TestInChromium(t *testing.T) { chromiumtest.Test(t, "^Test", nil) }
