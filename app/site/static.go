package site

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"mime"
	"path"
	"strings"
)

// readStatic takes every static file into memory and the compiled app apart. The app is nil if it has
// not been built.
func readStatic(static fs.FS) (map[string]*file, *file, error) {
	files := make(map[string]*file)
	err := fs.WalkDir(static, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || strings.HasPrefix(path.Base(name), ".") || strings.HasPrefix(name, "app.wasm") {
			return err
		}
		content, err := fs.ReadFile(static, name)
		if err != nil {
			return err
		}
		files["/web/"+name] = newFile(typeOf(name), content)
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	program, err := readProgram(static)
	return files, program, err
}

// readProgram reads what app/build left.
func readProgram(static fs.FS) (*file, error) {
	text, err := fs.ReadFile(static, "app.wasm.json")
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var about struct {
		Size   int    `json:"size"`
		SHA256 string `json:"sha256"`
	}
	if err := json.Unmarshal(text, &about); err != nil {
		return nil, fmt.Errorf("app.wasm.json: %w", err)
	}
	if len(about.SHA256) != 64 {
		return nil, errors.New("app.wasm.json: no hash of the app")
	}
	f := &file{contentType: typeWASM, hash: about.SHA256[:16], size: about.Size}
	if f.br, err = fs.ReadFile(static, "app.wasm.br"); err != nil {
		return nil, err
	}
	if f.gz, err = fs.ReadFile(static, "app.wasm.gz"); err != nil {
		return nil, err
	}
	return f, nil
}

// typeOf names the content type by the file's ending. The common ones are fixed here: what the mime
// package says depends on the machine.
func typeOf(name string) string {
	switch ext := path.Ext(name); ext {
	case ".css":
		return "text/css; charset=utf-8"
	case ".js":
		return typeScript
	case ".svg":
		return "image/svg+xml"
	case ".png":
		return "image/png"
	case ".txt":
		return "text/plain; charset=utf-8"
	case ".woff2":
		return "font/woff2"
	default:
		if t := mime.TypeByExtension(ext); t != "" {
			return t
		}
		return "application/octet-stream"
	}
}
