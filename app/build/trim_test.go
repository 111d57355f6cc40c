package main

import (
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// The browser's program does not contain what only a server needs.
func TestTrimmedProgramHasNoServer(t *testing.T) {
	t.Chdir("../..")
	if err := os.MkdirAll("bin", 0o755); err != nil {
		t.Fatal(err)
	}
	if err := trim(); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("go", "list", "-modfile", trimmedMod, "-deps", "./app")
	cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0")
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	imported := strings.Fields(string(out))
	if !slices.Contains(imported, goApp+"/pkg/app") {
		t.Fatal("the list is not that of the app")
	}
	for _, path := range imported {
		if slices.Contains([]string{"net", "net/http", "text/template", "crypto/tls", "crypto/x509"}, path) {
			t.Errorf("the browser's program contains %s; `go list -deps -f '{{.ImportPath}} {{.Imports}}'` shows the package that imports it", path)
		}
	}
}
