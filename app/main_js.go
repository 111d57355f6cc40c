//go:build js && wasm

package main

import (
	"context"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"peernomic/app/live"
	"peernomic/app/pages"
)

func main() {
	pages.Run(live.OpenBrowser(context.Background(), app.Getenv("PEERNOMIC_VERSION"), app.Getenv("PEERNOMIC_RULESETS")))
}
