// Package ledger keeps the log of one game: signed actions, with their order and time.
//
// Vocabulary:
//
//   - A person has an [Identity]. Each of their devices is a [Device] with keys of its
//     own, enrolled by the identity in the device's first action.
//   - An [Action] is signed by a device. It names its number, the device's action before it,
//     and the newest actions of others that the device had seen (heads). So the feeds of all
//     devices form one causal graph.
//     The first action of a game is its [Genesis].
//   - An envelope is an action, or a part of a long one, encrypted under the [RoomKeys].
//     One action has one envelope, so its hash names it on the relay.
//   - A seal, signed by the room's notary, orders envelopes and gives them their time.
//   - A [Replica] is one copy of the log: envelopes and seals go in, in any order, and the
//     one order of all actions comes out.
//   - An archive is a whole game in one file, see [WriteArchive].
//
// Stages are types: bytes become a [Parsed] action by [Parse], a [Verified] one by
// [Parsed.Verify], and a [Placement] by a [Replica]. Every check has its [Code]; the first
// that fails, in the order of the specification, is the verdict, the same on every platform.
//
// The package is pure: no clock, no input or output, no goroutine, no randomness of its
// own. Byte formats, checks and the order are specified in SPEC.md, clause by clause, with
// test vectors in testdata.
package ledger
