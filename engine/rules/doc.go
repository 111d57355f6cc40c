// Package rules runs a nomic: rules that are prose and code at once, the actions
// that they declare, and the amendments that change them.
//
// A rule is one Markdown [document.Document]: a heading, prose, and fenced starlark blocks.
// A [World] is a game at one moment: the rules in force and the gamestate. It is
// driven by values only: who does what, at what time, with which dice. The same
// inputs give the same bytes everywhere.
//
// The top of a rule's script only declares: columns, tables, actions, events (see package declare). It
// is executed whenever rules are loaded, and may depend on nothing else. From the declarations the app draws forms
// and tables. A function of a rule runs within a transaction, on behalf of an action: it reads and writes rows, rolls,
// posts, or refuses. A refusal takes back everything that the action did, and is an outcome,
// not an error: every replica records the same one.
//
// What no rule can change, the kernel, is this package and those below it. It knows
// no ruleset.
package rules
