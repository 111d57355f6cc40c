// Command build compiles the app for the browser and prepares what the binary embeds.
//
// It leaves four files in web/static:
//
//	app.wasm.br    the app, compressed with Brotli
//	app.wasm.gz    the same with gzip, for browsers without Brotli (plain HTTP off loopback)
//	app.wasm.json  size and hash of the uncompressed app
//	wasm_exec.js   the support script of the very toolchain that compiled the app
//
// Compressing takes far longer than compiling, so an app that has not changed is left alone.
package main

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/andybalholm/brotli"
)

// info describes the compiled app to the server that embeds it.
type info struct {
	Size    int    `json:"size"`
	SHA256  string `json:"sha256"`
	Quality int    `json:"brotli_quality"`
}

func main() {
	quality := flag.Int("quality", brotli.BestCompression, "Brotli quality, 0 to 11; lower is faster and larger")
	out := flag.String("out", filepath.Join("web", "static"), "folder for the results")
	flag.Parse()
	if err := build(*out, *quality); err != nil {
		fmt.Fprintln(os.Stderr, "build:", err)
		os.Exit(1)
	}
}

func build(out string, quality int) error {
	wasm := filepath.Join("bin", "app.wasm")
	if err := os.MkdirAll("bin", 0o755); err != nil {
		return err
	}
	if err := trim(); err != nil {
		return err
	}
	if err := compile(wasm); err != nil {
		return err
	}
	if err := copySupportScript(filepath.Join(out, "wasm_exec.js")); err != nil {
		return err
	}
	raw, err := os.ReadFile(wasm)
	if err != nil {
		return err
	}
	sum := sha256.Sum256(raw)
	want := info{Size: len(raw), SHA256: hex.EncodeToString(sum[:]), Quality: quality}
	if upToDate(out, want) {
		return nil
	}
	return compress(out, raw, want)
}

// flags leave debuggers' tables out (-s -w; a panic names file and line without them) and keep functions as they
// are written instead of copying small ones into their callers (-l), which makes the download an eighth smaller.
// Functions are copied as usual where most of a game's time goes: in the garbage collector, in the interpreter
// of the rules, and in the signatures, hashes and ciphers of the log.
var flags = []string{
	"-trimpath",
	"-ldflags=-s -w",
	"-gcflags=all=-l",
	"-gcflags=runtime=",
	"-gcflags=internal/runtime/...=",
	"-gcflags=crypto/internal/fips140/edwards25519/...=",
	"-gcflags=crypto/internal/fips140/sha256=",
	"-gcflags=golang.org/x/crypto/chacha20=",
	"-gcflags=golang.org/x/crypto/internal/poly1305=",
	"-gcflags=math/bits=",
	"-gcflags=go.starlark.net/starlark=",
}

// compile builds the app.
func compile(wasm string) error {
	cmd := exec.Command("go", slices.Concat([]string{"build", "-modfile", trimmedMod, "-o", wasm}, flags, []string{"./app"})...)
	cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0")
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("compiling the app for the browser: %w", err)
	}
	return nil
}

// copySupportScript takes wasm_exec.js from the toolchain: no two Go versions promise to work with
// each other's.
func copySupportScript(to string) error {
	root, err := ask("env", "GOROOT")
	if err != nil {
		return err
	}
	if err := copyFile(filepath.Join(root, "lib", "wasm", "wasm_exec.js"), to, ""); err != nil {
		return fmt.Errorf("the toolchain's support script: %w", err)
	}
	return nil
}

// ask returns the answer of the go command, which is one line.
func ask(args ...string) (string, error) {
	out, err := exec.Command("go", args...).Output()
	if err != nil {
		return "", fmt.Errorf("go %s: %w", strings.Join(args, " "), err)
	}
	return strings.TrimSpace(string(out)), nil
}

// upToDate reports whether the files in out were made from the same app with at least the same quality.
func upToDate(out string, want info) bool {
	text, err := os.ReadFile(filepath.Join(out, "app.wasm.json"))
	if err != nil {
		return false
	}
	var have info
	if json.Unmarshal(text, &have) != nil || have.SHA256 != want.SHA256 || have.Quality < want.Quality {
		return false
	}
	for _, name := range []string{"app.wasm.br", "app.wasm.gz"} {
		if _, err := os.Stat(filepath.Join(out, name)); err != nil {
			return false
		}
	}
	return true
}

// compress writes both compressed forms at the same time, and the description last: an interrupted
// run is never taken for a finished one.
func compress(out string, raw []byte, about info) error {
	start := time.Now()
	if err := os.Remove(filepath.Join(out, "app.wasm.json")); err != nil && !os.IsNotExist(err) {
		return err
	}
	type result struct {
		name string
		size int
		err  error
	}
	results := make(chan result)
	write := func(name string, with func(io.Writer) (io.WriteCloser, error)) {
		var b bytes.Buffer
		w, err := with(&b)
		if err == nil {
			_, err = w.Write(raw)
		}
		if err == nil {
			err = w.Close()
		}
		if err == nil {
			err = os.WriteFile(filepath.Join(out, name), b.Bytes(), 0o644)
		}
		results <- result{name, b.Len(), err}
	}
	go write("app.wasm.br", func(w io.Writer) (io.WriteCloser, error) {
		// The widest window that every browser accepts: nearly the whole app.
		return brotli.NewWriterOptions(w, brotli.WriterOptions{Quality: about.Quality, LGWin: 24}), nil
	})
	go write("app.wasm.gz", func(w io.Writer) (io.WriteCloser, error) {
		return gzip.NewWriterLevel(w, gzip.BestCompression)
	})
	sizes := map[string]int{}
	for range 2 {
		r := <-results
		if r.err != nil {
			return fmt.Errorf("%s: %w", r.name, r.err)
		}
		sizes[r.name] = r.size
	}
	text, err := json.MarshalIndent(about, "", "  ")
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(out, "app.wasm.json"), append(text, '\n'), 0o644); err != nil {
		return err
	}
	fmt.Printf("app.wasm: %.2f MB, Brotli %d: %.2f MB, gzip: %.2f MB (%.0f s)\n",
		mega(about.Size), about.Quality, mega(sizes["app.wasm.br"]), mega(sizes["app.wasm.gz"]), time.Since(start).Seconds())
	return nil
}

func mega(n int) float64 { return float64(n) / 1e6 }
