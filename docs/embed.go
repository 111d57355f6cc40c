// Package docs carries the pages for authors of rules, which the app shows beside its editor.
//
// Only native programs import this package: the app fetches the pages from where it came from.
package docs

import "embed"

// Pages are the files, by their names in this folder.
//
//go:embed first-rule.md reference.md
var Pages embed.FS
