// Package web carries the app's static files inside the binary: styles, icons and, once it has been
// built, the compiled app in its compressed forms.
//
// Only native programs import this package. The browser's binary must not: it would contain itself.
package web

import (
	"embed"
	"io/fs"
)

//go:embed all:static
var static embed.FS

// Static returns the static files; a file static/app.css is named app.css there.
func Static() fs.FS {
	sub, err := fs.Sub(static, "static")
	if err != nil {
		// The folder is part of the program: its absence is a mistake of the build.
		panic(err)
	}
	return sub
}
