// Package state is the gamestate: tables of rows whose cells hold typed values,
// with a journal that takes back whatever was done since a mark, and a digest that
// is equal on two machines exactly when their states are.
//
// The package knows types and ranges; what the tables mean is the business of
// package rules. A [State] is not safe for concurrent use.
package state
