package site

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"net/http"
	"strconv"
	"strings"

	"github.com/andybalholm/brotli"
)

// file is one file with its compressed forms. Of the compiled app only those are kept: whoever takes
// neither (no browser does) gets it unpacked on the way.
type file struct {
	contentType string
	hash        string // of the plain content
	plain       []byte // nil if only compressed forms are kept
	size        int    // of the plain content
	br, gz      []byte // nil if not smaller
}

func newFile(contentType string, content []byte) *file {
	f := &file{contentType: contentType, hash: hashOf(content), plain: content, size: len(content)}
	if !worthCompressing(contentType) {
		return f
	}
	f.br, f.gz = smaller(compressBrotli(content), content), smaller(compressGzip(content), content)
	return f
}

// address is the path with the hash, which may be kept for ever.
func (f *file) address(path string) string { return path + "?h=" + f.hash }

func (f *file) write(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	accepted := r.Header.Get("Accept-Encoding")
	body := f.plain
	switch {
	case f.br != nil && accepts(accepted, "br"):
		h.Set("Content-Encoding", "br")
		body = f.br
	case f.gz != nil && accepts(accepted, "gzip"):
		h.Set("Content-Encoding", "gzip")
		body = f.gz
	}
	if body == nil {
		f.unpack(w, r)
		return
	}
	h.Set("Content-Length", strconv.Itoa(len(body)))
	if r.Method == http.MethodHead {
		return
	}
	w.Write(body)
}

func (f *file) unpack(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Length", strconv.Itoa(f.size))
	if r.Method == http.MethodHead {
		return
	}
	plain, err := gzip.NewReader(bytes.NewReader(f.gz))
	if err != nil {
		return // the promised length is not delivered, which the client notices
	}
	io.Copy(w, plain)
}

// accepts reports whether an Accept-Encoding header admits the encoding.
func accepts(header, encoding string) bool {
	for part := range strings.SplitSeq(header, ",") {
		name, quality, _ := strings.Cut(strings.TrimSpace(part), ";")
		if !strings.EqualFold(strings.TrimSpace(name), encoding) {
			continue
		}
		value, found := strings.CutPrefix(strings.TrimSpace(quality), "q=")
		if !found {
			return true
		}
		q, err := strconv.ParseFloat(value, 64)
		return err == nil && q > 0
	}
	return false
}

func worthCompressing(contentType string) bool {
	return strings.HasPrefix(contentType, "text/") || strings.Contains(contentType, "svg") ||
		strings.Contains(contentType, "json") || strings.Contains(contentType, "javascript") || strings.Contains(contentType, "cbor")
}

func compressBrotli(content []byte) []byte {
	var b bytes.Buffer
	w := brotli.NewWriterLevel(&b, 9)
	w.Write(content)
	w.Close()
	return b.Bytes()
}

func compressGzip(content []byte) []byte {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	w.Write(content)
	w.Close()
	return b.Bytes()
}

func smaller(compressed, plain []byte) []byte {
	if len(compressed) < len(plain) {
		return compressed
	}
	return nil
}

// hashOf is 16 hexadecimal digits of SHA-256: enough to tell versions of one file apart.
func hashOf(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:8])
}
