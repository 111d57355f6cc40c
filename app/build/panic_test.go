package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const panics = `package main

import "os"

func fail(args []string) string { return args[7] } // line 5

func main() { println(fail(os.Args)) }
`

// What a player's browser logs of a panic is all that there is to find the mistake.
func TestPanicNamesFileAndLine(t *testing.T) {
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("Node is missing: WebAssembly cannot be run here")
	}
	folder := t.TempDir()
	source, program := filepath.Join(folder, "panics.go"), filepath.Join(folder, "panics.wasm")
	if err := os.WriteFile(source, []byte(panics), 0o644); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("go", slices.Concat([]string{"build", "-o", program}, flags, []string{source})...)
	cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	root, err := ask("env", "GOROOT")
	if err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(filepath.Join(root, "lib", "wasm", "go_js_wasm_exec"), program).CombinedOutput()
	if err == nil || !strings.Contains(string(out), "main.fail(") || !strings.Contains(string(out), "panics.go:5 ") {
		t.Errorf("a panic in line 5 of panics.go, function fail, reads (%v):\n%s", err, out)
	}
}
