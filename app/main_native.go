//go:build !js

// Command nomic is peernomic outside the browser: it serves the app and the relay, runs scenarios,
// verifies rolls and whole games, and can be a member of a game itself.
//
// Built for the browser, the same package is the app. The two share no file, so that no server code
// is in what a player downloads.
package main

import (
	"os"

	"peernomic/app/cli"
)

func main() {
	os.Exit(cli.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
