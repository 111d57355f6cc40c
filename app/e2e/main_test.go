package e2e

import (
	"fmt"
	"os"
	"os/exec"
	"sync"
	"testing"
	"time"
)

// binaryVariable names the environment variable with the path of the nomic binary under test.
const binaryVariable = "PEERNOMIC_BINARY"

// patience is how long anything may take before a test gives up. It is generous: a slow machine is
// not a failure, and no test passes or fails by time.
const patience = 2 * time.Minute

// binary returns the path of nomic, or skips the test.
func binary(t *testing.T) string {
	t.Helper()
	path := os.Getenv(binaryVariable)
	if path == "" {
		t.Skip("run by `make test-e2e`: " + binaryVariable + " does not name the binary")
	}
	return path
}

// chromium finds the browser.
func chromium(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Fatal("Chromium is missing: apt-get install chromium")
	return ""
}

// eventually waits until the condition holds.
func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for deadline := time.Now().Add(patience); !holds(); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("waited in vain: %s", what)
		}
	}
}

// figures are measured along the way and printed at the end; none is asserted.
var figures struct {
	sync.Mutex
	lines []string
}

func report(format string, args ...any) {
	figures.Lock()
	defer figures.Unlock()
	figures.lines = append(figures.lines, fmt.Sprintf(format, args...))
}

func TestMain(m *testing.M) {
	code := m.Run()
	for _, line := range figures.lines {
		fmt.Println("figure:", line)
	}
	os.Exit(code)
}
