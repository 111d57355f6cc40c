//go:build !js

package disk_test

import (
	"testing"

	"peernomic/app/client/chromiumtest"
)

func TestInChromium(t *testing.T) { chromiumtest.Test(t, "TestIndexedDB", nil) }
