//go:build js && wasm

// Command page shows the stories in a browser: build it in place of the app.
package main

import (
	"strings"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"peernomic/app/pages"
	"peernomic/app/storytest"
)

func main() {
	pages.Run(storytest.New(strings.Contains(app.Window().URL().RawQuery, "empty")))
}
