package main

import (
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// The browser's program must not contain what only a server or a native program needs.
func TestTrimmedProgramHasNoNetworkLibraries(t *testing.T) {
	t.Chdir("../..")
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
	if len(imported) < 50 {
		t.Fatalf("only %d packages: this is not the app", len(imported))
	}
	for _, path := range imported {
		if slices.Contains([]string{"net/http", "text/template", "crypto/tls", "crypto/x509", "encoding/gob", "net"}, path) {
			t.Errorf("the browser's program contains %s; `go list -deps -f '{{.ImportPath}} {{.Imports}}'` shows who imports it", path)
		}
	}
}

// A newer go-app may move files: then the list has to be looked at again, and nothing is guessed.
func TestAnotherVersionIsNotTrimmedBlindly(t *testing.T) {
	folder := t.TempDir()
	m := trimmedModules[0]
	for _, name := range []string{"pkg/app/app.go", "pkg/app/http.go", "pkg/errors/errors.go", "go.mod"} {
		if err := writeIfChanged(folder+"/"+name, []byte("package app\n")); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := m.files(folder); err == nil {
		t.Error("a go-app with other files was accepted")
	}
}
