// Command release makes what a release consists of, from the commit that is checked out:
//
//	nomic-OS-ARCH             the program, for each platform
//	nomic-OS-ARCH.cdx.json    what it is made of (CycloneDX)
//	nomic-image.tar           an OCI image of it for Linux, to be loaded or pushed without a daemon
//	SHA256SUMS                of all of these
//
// It expects the app in web/static (app/build). One commit and one toolchain give the same bytes
// everywhere: nothing here looks at the clock, and Go leaves the machine's paths out.
package main

import (
	"bytes"
	"crypto/sha256"
	"debug/buildinfo"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"strings"
)

var platforms = []platform{
	{"linux", "amd64"}, {"linux", "arm64"},
	{"darwin", "amd64"}, {"darwin", "arm64"},
	{"windows", "amd64"}, {"windows", "arm64"},
}

type platform struct{ os, arch string }

func (p platform) file() string {
	name := "nomic-" + p.os + "-" + p.arch
	if p.os == "windows" {
		name += ".exe"
	}
	return name
}

func main() {
	out := flag.String("out", filepath.Join("bin", "release"), "folder for the results; what is in it goes")
	flag.Parse()
	if err := release(*out); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

func release(out string) error {
	if err := errors.Join(os.RemoveAll(out), os.MkdirAll(out, 0o755)); err != nil {
		return err
	}
	var programs []program
	for _, p := range platforms {
		built, err := build(p, filepath.Join(out, p.file()))
		if err != nil {
			return err
		}
		bom, err := billOfMaterials(built)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(out, p.file()+".cdx.json"), bom, 0o644); err != nil {
			return err
		}
		if p.os == "linux" {
			programs = append(programs, built)
		}
	}
	if err := writeImage(filepath.Join(out, "nomic-image.tar"), programs); err != nil {
		return fmt.Errorf("the image: %w", err)
	}
	return writeSums(out)
}

// program is a compiled nomic.
type program struct {
	platform
	content      []byte
	info         *debug.BuildInfo
	commit, time string
}

// build compiles the program, which has to name its commit and to be of nothing else.
func build(p platform, to string) (program, error) {
	cmd := exec.Command("go", "build", "-buildvcs=true", "-trimpath", "-ldflags", "-s -w", "-o", to, "./app")
	cmd.Env = append(os.Environ(), "GOOS="+p.os, "GOARCH="+p.arch, "CGO_ENABLED=0")
	cmd.Stderr = os.Stderr
	if err := cmd.Run(); err != nil {
		return program{}, fmt.Errorf("compiling for %s/%s: %w", p.os, p.arch, err)
	}
	content, err := os.ReadFile(to)
	if err != nil {
		return program{}, err
	}
	info, err := buildinfo.Read(bytes.NewReader(content))
	if err != nil {
		return program{}, err
	}
	built := program{platform: p, content: content, info: info}
	changed := ""
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			built.commit = s.Value
		case "vcs.time":
			built.time = s.Value
		case "vcs.modified":
			changed = s.Value
		}
	}
	if built.commit == "" || changed != "false" {
		return program{}, errors.New("this is not a clean checkout of a commit: use `make release`")
	}
	return built, nil
}

// writeSums writes SHA256SUMS, as sha256sum checks it.
func writeSums(folder string) error {
	files, err := os.ReadDir(folder) // sorted
	if err != nil {
		return err
	}
	var sums strings.Builder
	for _, f := range files {
		content, err := os.ReadFile(filepath.Join(folder, f.Name()))
		if err != nil {
			return err
		}
		fmt.Fprintf(&sums, "%x  %s\n", sha256.Sum256(content), f.Name())
	}
	return os.WriteFile(filepath.Join(folder, "SHA256SUMS"), []byte(sums.String()), 0o644)
}
