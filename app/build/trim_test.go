package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// The browser's program must not contain what only a server or a native program needs.
func TestTrimmedProgramHasNoNetworkLibraries(t *testing.T) {
	atRoot(t)
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
		if slices.Contains([]string{"net/http", "text/template", "crypto/tls", "crypto/x509", "encoding/gob", "encoding/json", "net", "regexp"}, path) {
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

// Players' Markdown is shown by the copies, so these have to do what the libraries do.
func TestTrimmedMarkdownIsAsStrict(t *testing.T) {
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("Node is missing: the program cannot be run here")
	}
	atRoot(t)
	if err := trim(); err != nil {
		t.Fatal(err)
	}
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	run := filepath.Join(strings.TrimSpace(string(root)), "lib", "wasm", "go_js_wasm_exec")
	cmd := exec.Command("go", "test", "-v", "-modfile", trimmedMod, "-overlay", overlay, "-exec", run, "-run", "Hostile|Markdown|Prose", "./app/ui")
	cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0")
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "--- PASS: TestHostileTextDoesNothing") {
		t.Errorf("%v\n%s", err, out)
	}
}

// An edit whose text has changed is not left out silently.
func TestEditsHaveToApply(t *testing.T) {
	folder := t.TempDir()
	m := trimmed{folders: []string{"."}, edits: []edit{{"a.go", "old", "new"}}}
	for _, c := range []struct {
		text string
		good bool
	}{{"package old\n", true}, {"package a\n", false}, {"package old // old\n", false}} {
		if err := writeIfChanged(folder+"/go.mod", nil); err != nil {
			t.Fatal(err)
		}
		if err := writeIfChanged(folder+"/a.go", []byte(c.text)); err != nil {
			t.Fatal(err)
		}
		files, err := m.files(folder)
		if (err == nil) != c.good || c.good && string(files["a.go"]) != "package new\n" {
			t.Errorf("%q: %v, %q", c.text, err, files["a.go"])
		}
	}
}
