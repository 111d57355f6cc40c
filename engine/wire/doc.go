// Package wire holds the types that the engine and the relay share, and
// nothing else: identifiers, the deterministic encoding, signatures, the outside
// of an envelope, seals, and the messages between devices and the relay.
//
// Vocabulary:
//
//   - A room is where a game's envelopes travel. Its id is a public key; whoever
//     knows the invite secret holds the private half.
//   - An envelope is one encrypted action (or part of one). The relay sees its
//     header and its length, never its content.
//   - A seal orders envelopes: the room's notary signs a chain of them. The time of
//     a seal is the time of the actions that it orders, and its link is the
//     notary's half of every roll in it.
//
// The package is kept almost free of dependencies, because everyone imports it.
// Byte formats are specified in engine/ledger/SPEC.md.
package wire
