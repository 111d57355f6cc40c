// Package ui is the app that people see: pages drawn with go-app from immutable
// views.
//
// Vocabulary. A [Host] is this device: its games, its identity. A [Game] is one open
// game. Both hand out views: small structs without methods that reach anything, made
// afresh for each change and never altered afterwards. A page asks for its view off
// the UI goroutine, keeps it, and draws it; what a person does goes back through
// [Game.Act]. The package knows no engine: package live fills the views from a
// real game, package stories from made-up data.
//
// There is one go-app component, the root. Pages are plain structs that it holds;
// an element whose tag carries a key, see keyed, is what gives lists and forms an
// identity of their own, as go-app matches children by position and tag.
//
// Inputs are not controlled: their value is set when they appear and read when they
// change, never written while somebody types.
package ui
