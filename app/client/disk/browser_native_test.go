//go:build !js

package disk_test

import (
	"testing"

	"peernomic/app/client/inbrowser"
)

func TestInChromium(t *testing.T) { inbrowser.Test(t, "TestIndexedDB", nil) }
