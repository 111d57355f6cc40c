package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// go-app is one package for both sides: its HTTP handler comes along into the browser and brings
// net/http and text/template with it, a sixth of the whole download, of which nothing is ever called
// there. So the browser's program is compiled against a copy of the module without those files: same
// version, same checksums (the copy is taken from the verified module cache), everything else the same.
const (
	goApp       = "github.com/maxence-charriere/go-app/v9"
	trimmedRoot = "bin/go-app"
	trimmedMod  = "bin/browser.mod"
)

// serverFiles are those of go-app's package app that only a server needs.
var serverFiles = []string{"cache.go", "http.go", "resource.go", "scripts.go", "scripts_wasm.go", "static.go", "testing.go", "wasm.go", "wasmexec.go"}

// leftover replaces the two functions of http.go that the browser's part calls.
const leftover = `package app

import "strings"

func isRemoteLocation(path string) bool {
	return strings.HasPrefix(path, "https://") || strings.HasPrefix(path, "http://")
}

func isStaticResourcePath(path string) bool {
	return strings.HasPrefix(path, "/web/") || strings.HasPrefix(path, "web/")
}
`

// trim prepares the copy and a module file that uses it.
func trim() error {
	source, err := moduleFolder(goApp)
	if err != nil {
		return err
	}
	files, err := trimmedFiles(source)
	if err != nil {
		return err
	}
	for name, content := range files {
		if err := writeIfChanged(filepath.Join(trimmedRoot, name), content); err != nil {
			return err
		}
	}
	mod, err := os.ReadFile("go.mod")
	if err != nil {
		return err
	}
	sum, err := os.ReadFile("go.sum")
	if err != nil {
		return err
	}
	mod = fmt.Appendf(mod, "\nreplace %s => ./%s\n", goApp, trimmedRoot)
	return errors.Join(writeIfChanged(trimmedMod, mod), writeIfChanged(strings.TrimSuffix(trimmedMod, ".mod")+".sum", sum))
}

// trimmedFiles reads what of go-app goes into the browser's program.
func trimmedFiles(source string) (map[string][]byte, error) {
	files := map[string][]byte{"pkg/app/leftover.go": []byte(leftover)}
	dropped := 0
	for _, folder := range []string{".", "pkg/app", "pkg/errors"} {
		entries, err := os.ReadDir(filepath.Join(source, folder))
		if err != nil {
			return nil, err
		}
		for _, entry := range entries {
			name := entry.Name()
			isSource := strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go")
			if folder == "." {
				isSource = name == "go.mod"
			}
			if !isSource {
				continue
			}
			if folder == "pkg/app" && slices.Contains(serverFiles, name) {
				dropped++
				continue
			}
			content, err := os.ReadFile(filepath.Join(source, folder, name))
			if err != nil {
				return nil, err
			}
			files[folder+"/"+name] = content
		}
	}
	if dropped != len(serverFiles) {
		return nil, fmt.Errorf("%s: found %d of the server's %d files; this is not the version that the list was made for", goApp, dropped, len(serverFiles))
	}
	return files, nil
}

// moduleFolder finds a module in the cache, downloading it if necessary.
func moduleFolder(module string) (string, error) {
	if out, err := exec.Command("go", "mod", "download", module).CombinedOutput(); err != nil {
		return "", fmt.Errorf("downloading %s: %w: %s", module, err, out)
	}
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", module).Output()
	if err != nil {
		return "", fmt.Errorf("finding %s: %w", module, err)
	}
	return strings.TrimSpace(string(out)), nil
}

// writeIfChanged leaves a file alone that has the content already, and makes its folder.
func writeIfChanged(path string, content []byte) error {
	old, err := os.ReadFile(path)
	if err == nil && string(old) == string(content) {
		return nil
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, content, 0o644)
}
