package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// Libraries bring into the browser's program what only a server or a native program needs, a fifth
// of the whole download, of which nothing is ever called there:
//
//   - go-app is one package for both sides: its HTTP handler comes along, and with it net/http and
//     text/template.
//   - pion/webrtc only calls the browser's WebRTC there, but its types name those of pion's own network
//     stack, and so DTLS, ICE, TURN, TLS and X.509 come along.
//   - goldmark, the diff library and go-app use regular expressions for next to nothing: a stand-in knows
//     the six that are used. goldmark's own parsing of HTML, which the app does without, has the others.
//   - google/uuid can make identifiers of hashes, for which it brings MD5 and SHA-1.
//   - go-app and pion/webrtc write JSON for what the app does not ask of them: a stand-in does not.
//
// So the browser's program is compiled with copies of these modules without such files, and with
// stand-ins (app/build/browser) for the network stack that only declare the types. Versions and
// checksums stay those of go.mod: the copies are taken from the verified module cache.
const trimmedMod = "bin/browser.mod"

// trimmed is a module that is copied without some files.
type trimmed struct {
	path    string
	to      string   // where the copy goes
	folders []string // which of its packages are needed
	without []string // files, from the module's root
	instead string   // what is put in their place, into the first folder; empty for nothing
	edits   []edit
}

// edit replaces a text that occurs once in a file.
type edit struct{ file, from, to string }

func (e edit) apply(content []byte) ([]byte, error) {
	if bytes.Count(content, []byte(e.from)) != 1 {
		return nil, fmt.Errorf("%s does not have %q once; this is not the version that the edit was made for", e.file, e.from)
	}
	return bytes.Replace(content, []byte(e.from), []byte(e.to), 1), nil
}

// ownRegexp makes a file use the stand-in for regular expressions, and ownJSON that for JSON.
func ownRegexp(file string) edit {
	return edit{file, `"regexp"`, `"peernomic/app/build/browser/regexp"`}
}

func ownJSON(file string) edit {
	return edit{file, `"encoding/json"`, `"peernomic/app/build/browser/json"`}
}

var trimmedModules = []trimmed{
	{
		path:    "github.com/maxence-charriere/go-app/v9",
		to:      "bin/go-app",
		folders: []string{"pkg/app", "pkg/errors"},
		without: []string{
			"pkg/app/cache.go", "pkg/app/http.go", "pkg/app/resource.go", "pkg/app/scripts.go", "pkg/app/scripts_wasm.go",
			"pkg/app/static.go", "pkg/app/testing.go", "pkg/app/wasm.go", "pkg/app/wasmexec.go",
		},
		instead: `package app

import "strings"

func isRemoteLocation(path string) bool {
	return strings.HasPrefix(path, "https://") || strings.HasPrefix(path, "http://")
}

func isStaticResourcePath(path string) bool {
	return strings.HasPrefix(path, "/web/") || strings.HasPrefix(path, "web/")
}
`,
		edits: []edit{
			ownRegexp("pkg/app/route.go"),
			ownJSON("pkg/app/app.go"), ownJSON("pkg/app/context.go"), ownJSON("pkg/app/notification.go"), ownJSON("pkg/app/state.go"),
			ownJSON("pkg/app/storage.go"), ownJSON("pkg/app/strings.go"), ownJSON("pkg/errors/errors.go"),
			{"pkg/errors/errors.go", "s, err := Encoder(e)", "s, err := fmt.Appendf(nil, \"%s %v: %v\", e.Message, e.Tags, e.WrappedErr), error(nil)"},
		},
	},
	{
		path:    "github.com/aymanbagabas/go-udiff",
		to:      "bin/go-udiff",
		folders: []string{".", "lcs"},
		edits:   []edit{ownRegexp("unified.go")},
	},
	{
		path:    "github.com/pion/webrtc/v3",
		to:      "bin/pion-webrtc",
		folders: []string{".", "internal/fmtp", "pkg/rtcerr"},
		without: []string{"icemux.go", "stats.go"},
		edits: []edit{
			ownJSON("bundlepolicy.go"), ownJSON("icecredentialtype.go"), ownJSON("iceserver.go"), ownJSON("icetransportpolicy.go"),
			ownJSON("rtcpmuxpolicy.go"), ownJSON("sdpsemantics.go"), ownJSON("sdptype.go"),
		},
	},
	{
		path:    "github.com/google/uuid",
		to:      "bin/uuid",
		folders: []string{"."},
		without: []string{"hash.go", "null.go", "sql.go"},
		instead: "package uuid\n\nvar Nil UUID\n",
	},
	{
		// Eight random bytes, without reflection.
		path:    "github.com/pion/randutil",
		to:      "bin/randutil",
		folders: []string{"."},
		edits: []edit{{
			"crypto.go", "\tif err := binary.Read(crand.Reader, binary.LittleEndian, &v); err != nil {",
			"\tvar b [8]byte\n\t_, err := crand.Read(b[:])\n\tif v = binary.LittleEndian.Uint64(b[:]); err != nil {",
		}},
	},
	{
		// Its own table of HTML's entities; the standard library's is in the program already.
		path:    "github.com/yuin/goldmark",
		to:      "bin/goldmark",
		folders: []string{"util", ".", "ast", "extension", "extension/ast", "parser", "renderer", "renderer/html", "text"},
		without: []string{
			"util/html5entities.gen.go", "util/html5entities.go", "parser/html_block.go", "parser/raw_html.go",
			"extension/gfm.go", "extension/linkify.go", "extension/tasklist.go",
		},
		edits: []edit{
			ownRegexp("util/util.go"), ownRegexp("text/reader.go"), ownRegexp("extension/table.go"),
			{"parser/parser.go", "\t\tutil.Prioritized(NewHTMLBlockParser(), 900),\n", ""},
			{"parser/parser.go", "\t\tutil.Prioritized(NewRawHTMLParser(), 400),\n", ""},
		},
		instead: `package util

import (
	"html"
	"strings"
)

type HTML5Entity struct {
	Name       string
	Characters []byte
}

func LookUpHTML5EntityByName(name string) (*HTML5Entity, bool) {
	text := "&" + name + ";"
	// What is left of the end was not part of a name.
	plain := html.UnescapeString(text)
	if plain == text || strings.HasSuffix(plain, ";") && name != "semi" {
		return nil, false
	}
	return &HTML5Entity{Name: name, Characters: []byte(plain)}, true
}
`,
	},
}

// standIns declare what the browser's half of pion/webrtc names of the rest of pion.
var standIns = map[string]string{
	"github.com/pion/datachannel": "app/build/browser/datachannel",
	"github.com/pion/dtls/v2":     "app/build/browser/dtls",
	"github.com/pion/ice/v2":      "app/build/browser/ice",
	"github.com/pion/interceptor": "app/build/browser/interceptor",
}

// trim prepares the copies and a module file that uses them.
func trim() error {
	mod, err := os.ReadFile("go.mod")
	if err != nil {
		return err
	}
	sum, err := os.ReadFile("go.sum")
	if err != nil {
		return err
	}
	replace := func(module, folder string) {
		mod = fmt.Appendf(mod, "\nreplace %s => ./%s\n", module, folder)
	}
	for _, m := range trimmedModules {
		source, err := moduleFolder(m.path)
		if err != nil {
			return err
		}
		files, err := m.files(source)
		if err != nil {
			return err
		}
		if err := removeOthers(m.to, files); err != nil {
			return err
		}
		for name, content := range files {
			if err := writeIfChanged(filepath.Join(m.to, name), content); err != nil {
				return err
			}
		}
		replace(m.path, m.to)
	}
	for _, module := range slices.Sorted(maps.Keys(standIns)) {
		replace(module, standIns[module])
	}
	return errors.Join(writeIfChanged(trimmedMod, mod), writeIfChanged(strings.TrimSuffix(trimmedMod, ".mod")+".sum", sum), writeOverlay())
}

// files reads what of a module goes into the browser's program. A module in which a file to leave out
// is missing is not the version that the list was made for, and nothing is guessed about it.
func (m trimmed) files(source string) (map[string][]byte, error) {
	mod, err := os.ReadFile(filepath.Join(source, "go.mod"))
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{"go.mod": mod}
	if m.instead != "" {
		files[filepath.Join(m.folders[0], "instead.go")] = []byte(m.instead)
	}
	left := 0
	for _, folder := range m.folders {
		entries, err := os.ReadDir(filepath.Join(source, folder))
		if err != nil {
			return nil, err
		}
		for _, entry := range entries {
			name := filepath.Join(folder, entry.Name())
			switch {
			case filepath.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go"):
			case slices.Contains(m.without, name):
				left++
			default:
				if files[name], err = os.ReadFile(filepath.Join(source, name)); err != nil {
					return nil, err
				}
			}
		}
	}
	if left != len(m.without) {
		return nil, fmt.Errorf("%s: found %d of the %d files to leave out; this is not the version that the list was made for", m.path, left, len(m.without))
	}
	for _, e := range m.edits {
		if files[e.file], err = e.apply(files[e.file]); err != nil {
			return nil, fmt.Errorf("%s: %w", m.path, err)
		}
	}
	return files, nil
}

// removeOthers removes what an earlier version of this program left in a copy.
func removeOthers(folder string, files map[string][]byte) error {
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		name, err := filepath.Rel(folder, path)
		if _, wanted := files[name]; err == nil && !wanted {
			err = os.Remove(path)
		}
		return err
	})
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
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
