package site

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/andybalholm/brotli"
)

var program = bytes.Repeat([]byte("\x00asm and so on "), 1000)

// built is a folder of static files as app/build leaves it.
func built(t *testing.T) fstest.MapFS {
	t.Helper()
	return fstest.MapFS{
		"app.css":       {Data: []byte(strings.Repeat("p { margin: 0 } ", 50))},
		"icon.svg":      {Data: []byte("<svg xmlns='http://www.w3.org/2000/svg'/>")},
		"wasm_exec.js":  {Data: []byte(strings.Repeat("class Go {} ", 50))},
		"app.wasm.br":   {Data: compressBrotli(program)},
		"app.wasm.gz":   {Data: compressGzip(program)},
		"app.wasm.json": {Data: fmt.Appendf(nil, `{"size": %d, "sha256": %q}`, len(program), strings.Repeat("ab", 32))},
	}
}

func mustNew(t *testing.T, files fstest.MapFS) *Site {
	t.Helper()
	s, err := New(files)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func get(s *Site, address string, header ...string) *http.Response {
	r := httptest.NewRequest("GET", address, nil)
	for n := 0; n < len(header); n += 2 {
		r.Header.Set(header[n], header[n+1])
	}
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	return w.Result()
}

func body(t *testing.T, r *http.Response) string {
	t.Helper()
	text, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestProgramIsServedInTheFormTheBrowserTakes(t *testing.T) {
	s := mustNew(t, built(t))
	address := s.address(pathWASM)
	for _, c := range []struct {
		accepts, encoding string
		unpack            func(io.Reader) (io.Reader, error)
	}{
		{"gzip, deflate, br, zstd", "br", func(r io.Reader) (io.Reader, error) { return brotli.NewReader(r), nil }},
		{"gzip, br;q=0", "gzip", func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) }},
		{"", "", func(r io.Reader) (io.Reader, error) { return r, nil }},
	} {
		t.Run("accepts "+c.accepts, func(t *testing.T) {
			r := get(s, address, "Accept-Encoding", c.accepts)
			if got := r.Header.Get("Content-Encoding"); got != c.encoding {
				t.Errorf("Content-Encoding is %q, want %q", got, c.encoding)
			}
			if got := r.Header.Get("Content-Type"); got != typeWASM {
				t.Errorf("Content-Type is %q: the browser would not compile it while it loads", got)
			}
			raw := body(t, r)
			if got := r.Header.Get("Content-Length"); got != strconv.Itoa(len(raw)) {
				t.Errorf("Content-Length is %s, but %d bytes came", got, len(raw))
			}
			plain, err := c.unpack(strings.NewReader(raw))
			if err != nil {
				t.Fatal(err)
			}
			if got, err := io.ReadAll(plain); err != nil || !bytes.Equal(got, program) {
				t.Errorf("unpacked to %d bytes (%v), want the program's %d", len(got), err, len(program))
			}
		})
	}
}

func TestPageStatesSizeAndHashedAddresses(t *testing.T) {
	s := mustNew(t, built(t))
	page := body(t, get(s, "/"))
	for _, want := range []string{
		fmt.Sprintf(`max="%d"`, len(program)),
		s.address("/web/app.css"), s.address(pathWASM), s.address(pathWASMExec), s.address(pathBoot), s.address("/web/icon.svg"),
		`data-version="` + s.Version() + `"`,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not contain %s", want)
		}
	}
}

func TestEveryAddressOfTheAppIsThePage(t *testing.T) {
	s := mustNew(t, built(t))
	want := body(t, get(s, "/"))
	for _, address := range []string{"/found", "/join", "/g/abc/now", "/g/abc/matter/3", "/stories/tally"} {
		if r := get(s, address); r.StatusCode != http.StatusOK || body(t, r) != want {
			t.Errorf("%s: %s", address, r.Status)
		}
	}
	for _, address := range []string{"/gg", "/found/it", "/web/", "/shell/page.html", "/shell:page.html", "/../etc/passwd"} {
		if r := get(s, address); r.StatusCode != http.StatusNotFound {
			t.Errorf("%s: %s", address, r.Status)
		}
	}
}

// The policy forbids inline code; a page that has some would be broken, and unnoticed without a browser.
func TestPageHasNothingInline(t *testing.T) {
	page := body(t, get(mustNew(t, built(t)), "/"))
	for _, inline := range []string{"<style", "style=", "onclick", "onload", "<script>", "javascript:", "//cdn", "https://"} {
		if strings.Contains(page, inline) {
			t.Errorf("the page contains %s", inline)
		}
	}
}

func TestHashedAddressesAreKeptAndOthersAskedFor(t *testing.T) {
	s := mustNew(t, built(t))
	for address, want := range map[string]string{
		s.address("/web/app.css"): "public, max-age=31536000, immutable",
		"/web/app.css":            "no-cache",
		"/":                       "no-cache",
		pathWorker:                "no-cache",
	} {
		r := get(s, address)
		if got := r.Header.Get("Cache-Control"); r.StatusCode != http.StatusOK || got != want {
			t.Errorf("%s: %s, Cache-Control %q, want %q", address, r.Status, got, want)
		}
		again := get(s, address, "If-None-Match", r.Header.Get("ETag"))
		if again.StatusCode != http.StatusNotModified || body(t, again) != "" {
			t.Errorf("%s asked for again with its tag: %s, want 304 and nothing else", address, again.Status)
		}
	}
}

func TestAnotherVersionsFileIsNotServedInItsPlace(t *testing.T) {
	s := mustNew(t, built(t))
	r := get(s, "/web/app.css?h=0123456789abcdef")
	if r.StatusCode != http.StatusNotFound || r.Header.Get("Cache-Control") != "no-store" {
		t.Errorf("got %s, Cache-Control %q", r.Status, r.Header.Get("Cache-Control"))
	}
}

func TestVersionChangesWithAnyFileAndWithNothingElse(t *testing.T) {
	first := mustNew(t, built(t)).Version()
	if again := mustNew(t, built(t)).Version(); again != first {
		t.Errorf("the same files have versions %s and %s", first, again)
	}
	for name := range built(t) {
		if name == "app.wasm.br" || name == "app.wasm.gz" {
			continue // forms of the program, whose hash is in the description
		}
		files := built(t)
		if name == "app.wasm.json" {
			files[name] = &fstest.MapFile{Data: []byte(strings.ReplaceAll(string(files[name].Data), "ab", "cd"))}
		} else {
			files[name] = &fstest.MapFile{Data: append(files[name].Data, ' ')}
		}
		if mustNew(t, files).Version() == first {
			t.Errorf("a changed %s does not change the version", name)
		}
	}
}

func TestWorkerKeepsEverythingThatIsServed(t *testing.T) {
	s := mustNew(t, built(t))
	worker := body(t, get(s, pathWorker))
	for _, path := range s.Paths() {
		if path == pathPage || path == pathWorker {
			continue // kept apart; the browser keeps the worker itself
		}
		if !strings.Contains(worker, `"`+s.address(path)+`"`) {
			t.Errorf("the worker does not keep %s", path)
		}
	}
	if !strings.Contains(worker, s.Version()) {
		t.Error("the worker does not name its version: a new one would not be noticed")
	}
}

func TestEveryAnswerCarriesThePolicy(t *testing.T) {
	s := mustNew(t, built(t))
	for _, address := range []string{"/", pathWorker, "/web/app.css", "/nowhere"} {
		h := get(s, address).Header
		for name, want := range map[string]string{
			"Content-Security-Policy":      policy,
			"Referrer-Policy":              "no-referrer",
			"X-Content-Type-Options":       "nosniff",
			"Cross-Origin-Opener-Policy":   "same-origin",
			"Cross-Origin-Resource-Policy": "same-origin",
		} {
			if got := h.Get(name); got != want {
				t.Errorf("%s: %s is %q, want %q", address, name, got, want)
			}
		}
	}
	if strings.Contains(policy, "unsafe-inline") || strings.Contains(policy, "'unsafe-eval'") || strings.Contains(policy, "http") {
		t.Errorf("the policy is not strict: %s", policy)
	}
}

func TestOnlyReadingIsAnswered(t *testing.T) {
	w := httptest.NewRecorder()
	mustNew(t, built(t)).ServeHTTP(w, httptest.NewRequest("POST", "/", nil))
	if w.Code != http.StatusMethodNotAllowed {
		t.Errorf("POST got %d", w.Code)
	}
}

func TestBinaryWithoutTheAppSaysSo(t *testing.T) {
	s := mustNew(t, fstest.MapFS{"app.css": {Data: []byte("p{}")}})
	if page := body(t, get(s, "/")); !strings.Contains(page, "make build") {
		t.Errorf("the page says: %s", page)
	}
}

func TestBrokenDescriptionIsAnError(t *testing.T) {
	for _, text := range []string{"", "{", `{"size": 1}`} {
		files := built(t)
		files["app.wasm.json"] = &fstest.MapFile{Data: []byte(text)}
		if _, err := New(files); err == nil {
			t.Errorf("a site was made from the description %q", text)
		}
	}
}
