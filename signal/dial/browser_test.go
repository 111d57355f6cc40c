//go:build !js

package dial_test

import (
	"context"
	"io"
	"log/slog"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"peernomic/signal"
)

// TestInJavaScript runs dial_js_test.go in Node, against a relay here.
func TestInJavaScript(t *testing.T) {
	node := exec.Command("node", "--experimental-websocket", "-e", "new WebSocket('ws://127.0.0.1:1').onerror = () => {}")
	if out, err := node.CombinedOutput(); err != nil {
		t.Skipf("Node with WebSocket is missing: %v %s", err, out)
	}
	s, err := signal.NewServer(signal.Config{Log: slog.New(slog.NewTextHandler(io.Discard, nil))})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(s.Handler())
	defer server.Close()
	defer s.Close(context.Background())
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	run := exec.Command("go", "test", "-count=1", "-v", "-exec", filepath.Join(strings.TrimSpace(string(root)), "lib/wasm/go_js_wasm_exec"), ".")
	run.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "NODE_OPTIONS=--experimental-websocket", relayVariable+"="+server.URL+"/relay")
	out, err := run.CombinedOutput()
	if err != nil {
		t.Errorf("%v", err)
	}
	t.Logf("%s", out)
}

const relayVariable = "PEERNOMIC_TEST_RELAY_URL"
