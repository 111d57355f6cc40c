// Package state is the gamestate: tables of rows whose cells hold typed values,
// with a journal that reverts all changes since a mark, and a digest that is equal
// on two machines if and only if their states are equal.
//
// The package knows types and ranges. Package rules gives the tables their meaning.
// A [State] is not safe for concurrent use.
package state
