//go:build !js

// Package chromiumtest runs a package's tests in Chromium, for what only a real browser
// has: its database, its locks, its WebRTC.
package chromiumtest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// patience bounds everything; it is for machines that hang, not for slow ones.
const patience = 5 * time.Minute

const page = `<!doctype html><meta charset="utf-8"><title>tests</title>
<script src="wasm_exec.js"></script><script src="run.js"></script>`

// run reports the exit code as the title, which the test waits for, and keeps the
// console's lines, which are Go's standard output.
const run = `var output = "";
console.log = console.error = (...args) => { output += args.join(" ") + "\n"; };
(async () => {
	const go = new Go();
	go.argv = ["tests"].concat(JSON.parse(decodeURIComponent(location.hash.slice(1))));
	go.exit = (code) => { document.title = "exit " + code; };
	const { instance } = await WebAssembly.instantiateStreaming(fetch("tests.wasm"), go.importObject);
	await go.run(instance);
})().catch((e) => { console.log(String(e)); document.title = "exit 2"; });`

// Test builds the tests of the package in the current folder for js/wasm and runs those
// that match the pattern in Chromium. It fails as they fail, and is skipped if
// there is no Chromium. The page's server passes on to relay what it does not serve
// itself, if relay is not nil.
func Test(t *testing.T, pattern string, relay http.Handler) {
	t.Helper()
	output := in(t, relay, "-test.v", "-test.run="+pattern)
	t.Log(output)
	if !strings.Contains(output, "--- PASS") {
		t.Errorf("no test of the pattern %q passed in the browser", pattern)
	}
}

// Bench runs the benchmarks that match the pattern once, and prints their lines.
func Bench(b *testing.B, pattern string) {
	b.Helper()
	output := in(b, nil, "-test.run=^$", "-test.bench="+pattern, "-test.benchtime=1x")
	for line := range strings.Lines(output) {
		if strings.HasPrefix(line, "Benchmark") {
			fmt.Print("Chromium: ", line)
		}
	}
}

// in builds the tests of the package in the current folder, runs them in Chromium and returns what
// they print.
func in(t testing.TB, relay http.Handler, args ...string) string {
	t.Helper()
	browser := find(t)
	folder := t.TempDir()
	build(t, filepath.Join(folder, "tests.wasm"))
	server := serve(t, folder, relay)

	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(browser),
		chromedp.NoSandbox,
		chromedp.Flag("disable-dev-shm-usage", true),
		chromedp.Flag("disable-background-networking", true),
	)
	ctx, cancel := chromedp.NewExecAllocator(t.Context(), options...)
	defer cancel()
	ctx, cancel = chromedp.NewContext(ctx)
	defer cancel()

	list, err := json.Marshal(args)
	if err != nil {
		t.Fatal(err)
	}
	address := server.URL + "/#" + url.PathEscape(string(list))
	if _, err := chromedp.Run(ctx, chromedp.Navigate(address)); err != nil {
		t.Fatal(err)
	}
	code, err := chromedp.Run(ctx, chromedp.Poll[string](`document.title.startsWith("exit ") && document.title`, chromedp.WithPollingTimeout(patience)))
	output, _ := chromedp.Run(ctx, chromedp.Evaluate[string](`output`)) // missing if the page did not load, which err tells
	if err != nil || code != "exit 0" {
		t.Errorf("tests in the browser: %s, %v\n%s", code, err, output)
	}
	return output
}

func find(t testing.TB) string {
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Skip("there is no Chromium on this machine")
	return ""
}

func build(t testing.TB, out string) {
	cmd := exec.Command("go", "test", "-c", "-o", out, ".")
	cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0")
	if text, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("build for the browser: %v\n%s", err, text)
	}
}

func serve(t testing.TB, folder string, relay http.Handler) *httptest.Server {
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	support := filepath.Join(strings.TrimSpace(string(root)), "lib", "wasm", "wasm_exec.js")
	mux := http.NewServeMux()
	mux.HandleFunc("/{$}", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, page) })
	mux.HandleFunc("/run.js", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/javascript")
		fmt.Fprint(w, run)
	})
	mux.HandleFunc("/wasm_exec.js", func(w http.ResponseWriter, r *http.Request) { http.ServeFile(w, r, support) })
	mux.Handle("/tests.wasm", http.FileServer(http.Dir(folder)))
	if relay != nil {
		mux.Handle("/", relay)
	}
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return server
}
