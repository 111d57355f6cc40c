// Package ui is the app that people see: pages drawn with go-app from immutable
// views.
//
// A page asks for its view off the UI goroutine, keeps it, and draws it; what a person does
// goes back through [view.Player]. The package knows no engine.
//
// There is one go-app component, the root. Pages are plain structs that it holds;
// an element whose tag carries a key, see keyed, is what gives lists and forms an
// identity of their own, as go-app matches children by position and tag.
//
// Inputs are not controlled: their value is set when they appear and read when they
// change, never written while somebody types.
package ui
