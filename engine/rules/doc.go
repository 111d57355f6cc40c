// Package rules runs a nomic: rules that are prose and code at once, the actions
// that they declare, and the amendments that change them.
//
// A rule is one Markdown [document.Document]: a heading, prose, and fenced starlark blocks.
// A [World] is a game at one moment: the rules in force and the gamestate. It is
// driven by values only: who does what, at what time, with which dice. The same
// inputs give the same bytes everywhere.
//
// While a rule's script loads it declares things: columns, tables, actions,
// events. From these declarations the app draws forms and tables. While a function
// of it runs, on behalf of an action, it reads and writes rows, rolls, posts,
// or refuses. A refusal takes back everything that the action did, and is an outcome,
// not an error: every replica records the same one.
//
// What no rule can change, the kernel, is this package and package sandbox. It knows
// no ruleset.
package rules
