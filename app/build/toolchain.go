package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// toolchain is where the toolchain of the module cache is reached from: the compiler replaces no files
// below that folder.
const toolchain = "bin/_toolchain"

// pinToolchain makes this command's children use the toolchain that go.mod names, which is fetched if
// another one is installed: what is left out of the app is known of that one, and one source makes one app.
func pinToolchain() error {
	version, err := ask("list", "-m", "-f", "go{{.GoVersion}}")
	if err != nil {
		return err
	}
	if installed, err := ask("env", "GOVERSION"); err != nil {
		return err
	} else if installed != version {
		if err := os.Setenv("GOTOOLCHAIN", version); err != nil {
			return err
		}
	}
	root, err := ask("env", "GOROOT")
	if err != nil {
		return err
	}
	cache, err := ask("env", "GOMODCACHE")
	if err != nil || !strings.HasPrefix(root, cache+string(filepath.Separator)) {
		return err
	}
	link, err := filepath.Abs(toolchain)
	if err != nil {
		return err
	}
	if err := os.Remove(link); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return errors.Join(os.Symlink(root, link), os.Setenv("GOROOT", link), os.Setenv("GOTOOLCHAIN", "local"),
		os.Setenv("PATH", filepath.Join(link, "bin")+string(filepath.ListSeparator)+os.Getenv("PATH")))
}

// ask returns what the go command answers in one line.
func ask(args ...string) (string, error) {
	out, err := exec.Command("go", args...).Output()
	if err != nil {
		return "", fmt.Errorf("go %s: %w", strings.Join(args, " "), err)
	}
	return strings.TrimSpace(string(out)), nil
}
