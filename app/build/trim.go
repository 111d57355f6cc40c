package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// go-app is one package for server and browser. Its HTTP handler, which a browser never calls, brings
// net/http, TLS and X.509 into the program: a tenth of the download. So the app is compiled with a copy of
// go-app without the handler. What the rest of go-app needs of the files left out is in goAppStub; a version
// of go-app for which that does not fit does not compile.
const (
	goApp      = "github.com/maxence-charriere/go-app/v9"
	goAppCopy  = "bin/go-app"
	trimmedMod = "bin/browser.mod" // go.mod, with the copy in the place of go-app
)

// goAppServer are the files with the handler.
var goAppServer = []string{"http.go", "resource.go", "wasm.go"}

const goAppStub = `package app

import "strings"

func isRemoteLocation(path string) bool {
	return strings.HasPrefix(path, "https://") || strings.HasPrefix(path, "http://")
}

func isStaticResourcePath(path string) bool {
	return strings.HasPrefix(path, "/web/") || strings.HasPrefix(path, "web/")
}
`

// trim makes the copy of go-app, from the verified module cache, and the module file that names it.
func trim() error {
	source, err := ask("list", "-f", "{{.Module.Dir}}", goApp+"/pkg/app")
	if err != nil {
		return err
	}
	if err := os.RemoveAll(goAppCopy); err != nil {
		return err
	}
	for _, folder := range []string{"pkg/app", "pkg/errors"} {
		if err := os.CopyFS(filepath.Join(goAppCopy, folder), os.DirFS(filepath.Join(source, folder))); err != nil {
			return fmt.Errorf("copying go-app: %w", err)
		}
	}
	app := filepath.Join(goAppCopy, "pkg/app")
	for _, name := range goAppServer {
		if err := os.Remove(filepath.Join(app, name)); err != nil {
			return fmt.Errorf("go-app without its server: %w", err)
		}
	}
	return errors.Join(
		os.WriteFile(filepath.Join(app, "stub.go"), []byte(goAppStub), 0o644),
		copyFile(filepath.Join(source, "go.mod"), filepath.Join(goAppCopy, "go.mod"), ""),
		copyFile("go.mod", trimmedMod, fmt.Sprintf("\nreplace %s => ./%s\n", goApp, goAppCopy)),
		copyFile("go.sum", "bin/browser.sum", ""),
	)
}

// copyFile copies a file and adds a text at its end.
func copyFile(from, to, more string) error {
	content, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, append(content, more...), 0o644)
}
