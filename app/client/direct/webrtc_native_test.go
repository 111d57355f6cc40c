//go:build !js

package direct

import "testing"

func needsWebRTC(*testing.T) {}
