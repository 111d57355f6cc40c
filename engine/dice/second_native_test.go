//go:build !js

package dice

import (
	"os"
	"os/exec"
	"testing"
)

// A verifier that was written from SPEC.md alone, in another language, agrees with every vector.
func TestSecondVerifier(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil && os.Getenv("CI") != "" {
		t.Fatal("node is not installed, so the second verifier cannot run")
	}
	if err != nil {
		t.Skip("node is not installed, so the second verifier cannot run")
	}
	out, err := exec.Command(node, "testdata/verify.mjs", "--vectors", vectorsFile).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	t.Logf("%s", out)
}
