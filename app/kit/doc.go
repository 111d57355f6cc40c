// Package kit holds what pages are drawn with: elements, forms, players' Markdown, comparisons of
// texts, plots. It knows views, and neither pages nor what surrounds them.
//
// Go-app matches children by position and tag. An element whose tag carries a key, see [Keyed], is
// what gives lists and forms an identity of their own.
//
// Inputs are not controlled: their value is set when they appear and read when they
// change, never written while somebody types. [SetValue] is the exception.
package kit
