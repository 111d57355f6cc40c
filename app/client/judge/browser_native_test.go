//go:build !js

package judge

import (
	"testing"

	"peernomic/app/client/inbrowser"
)

// BenchmarkJudgeInChromium has a real browser judge.
func BenchmarkJudgeInChromium(b *testing.B) {
	for range b.N {
		inbrowser.Bench(b, "Judge$")
	}
}

func TestInChromium(t *testing.T) { inbrowser.Test(t, "Test", nil) }
