//go:build !js

package main

import (
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// notForBrowsers names what must not be in the browser's binary, with the reason. A name covers the
// packages below it.
var notForBrowsers = map[string]string{
	"github.com/dgraph-io/badger":         "the server's database",
	"github.com/dgraph-io/ristretto":      "the server's database",
	"github.com/spf13/cobra":              "the command line",
	"github.com/pion":                     "the browser has a WebRTC of its own",
	"github.com/prometheus/client_golang": "the server's metrics",
	"github.com/andybalholm/brotli":       "compresses the app itself",
	"github.com/veraison/go-cose":         "checks our own signatures in tests",
	"github.com/stretchr/testify":         "a test library",
	"pgregory.net/rapid":                  "a test library",
	"testing":                             "a test library",
	"net/http/pprof":                      "the server's profiles",
	"net/http/httptest":                   "a test library",
	"html/template":                       "the server's page",
	"log/syslog":                          "no such thing in a browser",
	"peernomic/app/build":                 "makes the browser's binary",
	"peernomic/app/cli":                   "the command line",
	"peernomic/app/site":                  "serves the browser's binary",
	"peernomic/docs":                      "the manual, which the browser fetches",
	"peernomic/engine/rulesets":           "texts that are fetched when a game is founded",
	"peernomic/web":                       "holds the browser's binary",
}

// allowedOfSignal is what the browser needs of signal: the client and the codes of refusals, never
// the server.
var allowedOfSignal = []string{"peernomic/signal/dial", "peernomic/signal/refusal"}

// forBrowser makes the Go command look at the browser's program.
var forBrowser = []string{"GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0"}

// goList returns the words that `go list` says.
func goList(t *testing.T, env []string, args ...string) []string {
	t.Helper()
	cmd := exec.Command("go", append([]string{"list"}, args...)...)
	cmd.Env = append(os.Environ(), env...)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.Fields(string(out))
}

func TestServerCodeStaysOutOfTheBrowser(t *testing.T) {
	imported := goList(t, forBrowser, "-deps", ".")
	if !slices.Contains(imported, "github.com/maxence-charriere/go-app/v9/pkg/app") {
		t.Fatal("the list is not that of the app")
	}
	for _, path := range imported {
		for name, reason := range notForBrowsers {
			if path == name || strings.HasPrefix(path, name+"/") {
				t.Errorf("the browser's binary contains %s: %s", path, reason)
			}
		}
		if within(path, "peernomic/signal") && !slices.Contains(allowedOfSignal, path) {
			t.Errorf("the browser's binary contains %s: part of the server", path)
		}
	}
}

// mayImport says what the rooms between a game and the person's eyes may import of ours. None knows the
// engine or the client: what they show comes as views.
var mayImport = map[string][]string{
	"view":     {},
	"kit":      {"view"},
	"frame":    {"view", "kit"},
	"workshop": {"view", "kit", "frame"},
	"pages":    {"view", "kit", "frame", "workshop"},
}

func TestPagesKnowViewsOnly(t *testing.T) {
	for room, may := range mayImport {
		for _, path := range goList(t, forBrowser, "-f", "{{join .Imports \" \"}}", "./"+room) {
			name, ours := strings.CutPrefix(path, "peernomic/app/")
			if ours && !slices.Contains(may, name) || !ours && strings.HasPrefix(path, "peernomic/") {
				t.Errorf("app/%s imports %s", room, path)
			}
			if room == "view" && strings.Contains(path, ".") {
				t.Errorf("app/view imports %s: it knows how nothing is drawn", path)
			}
		}
	}
}

func within(path, parent string) bool {
	return path == parent || strings.HasPrefix(path, parent+"/")
}
