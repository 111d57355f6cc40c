//go:build js && wasm

package main

import (
	"peernomic/app/ui"
	"peernomic/app/ui/stories"
)

func main() {
	ui.Run(stories.New(false))
}
