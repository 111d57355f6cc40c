// Package e2e holds the end-to-end tests: the real binary on loopback, real Chromium processes with
// their own profiles, headless members, and a player's clicks. It has no code of its own.
//
// The tests need the binary and Chromium; `make test-e2e` provides both. Plain `go test` skips them.
// Where a test fails, pictures of what each browser showed are left in the folder that it names.
package e2e
