// Package site serves the app: one page, the compiled program, its styles and icons, and the worker
// that keeps all of it for offline use.
//
// Every file has an address that holds the hash of its content (?h=…) and may be kept for ever; the
// page, the worker and the manifest are asked for anew each time and answered with 304 while they are
// the same. The version of the app is a hash over all files, so that it changes exactly when something
// did. Nothing here depends on who asks: no cookies, no logs, no third party.
package site

import (
	"fmt"
	"io/fs"
	"net/http"
	"slices"
	"strings"
)

// Site is the app, ready to be served. It is made by [New], never changes, and may be used by any
// number of goroutines.
type Site struct {
	version string
	files   map[string]*file // by path
}

// New reads the static files (package web's) and prepares everything that will be served.
// If the compiled app is not among them, the site is made all the same, and its page says so.
func New(static fs.FS) (*Site, error) {
	files, program, err := readStatic(static)
	if err != nil {
		return nil, fmt.Errorf("reading the app's files: %w", err)
	}
	return assemble(files, program)
}

// Version is the hash of everything the app consists of.
func (s *Site) Version() string { return s.version }

// Paths lists what is served, sorted.
func (s *Site) Paths() []string {
	paths := make([]string, 0, len(s.files))
	for path := range s.files {
		paths = append(paths, path)
	}
	slices.Sort(paths)
	return paths
}

// ServeHTTP answers GET and HEAD; everything else is refused.
func (s *Site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	setHeaders(w.Header())
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		http.Error(w, "only GET and HEAD are answered here", http.StatusMethodNotAllowed)
		return
	}
	path := r.URL.Path
	if isPage(path) {
		path = pathPage
	}
	f, ok := s.files[path]
	if !ok {
		notFound(w)
		return
	}
	h := w.Header()
	h.Set("ETag", `"`+f.hash+`"`)
	h.Set("Vary", "Accept-Encoding")
	h.Set("X-App-Version", s.version)
	h.Set("Cache-Control", "no-cache")
	if asked := r.URL.Query().Get("h"); asked != "" {
		if asked != f.hash {
			// A page of another version asks. Giving it this version's file would mix the two.
			notFound(w)
			return
		}
		h.Set("Cache-Control", "public, max-age=31536000, immutable")
	}
	if matches(r.Header.Get("If-None-Match"), f.hash) {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	h.Set("Content-Type", f.contentType)
	f.write(w, r)
}

func notFound(w http.ResponseWriter) {
	h := w.Header()
	h.Del("ETag")
	h.Set("Cache-Control", "no-store")
	http.Error(w, "there is nothing at this address", http.StatusNotFound)
}

// matches reports whether an If-None-Match header names the hash.
func matches(header, hash string) bool {
	for tag := range strings.SplitSeq(header, ",") {
		if strings.TrimPrefix(strings.TrimSpace(tag), "W/") == `"`+hash+`"` {
			return true
		}
	}
	return false
}
