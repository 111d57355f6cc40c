// Package direct connects the devices of one room to each other over WebRTC, so
// that what they send does not pass through the relay. The relay only carries the
// few encrypted notes by which two devices find each other.
//
// Vocabulary:
//
//   - A device that is connected now is a member. It names itself by an [Instance],
//     random and kept as long as the program runs; its [wire.PeerID] changes with
//     every connection to the relay, so a link outlives the relay's restart.
//   - A [Link] carries frames between two members, whole and in order.
//   - A note is what members send each other through the relay: a hello, an offer,
//     an answer.
//   - The [Mesh] decides which members link up, and does it.
package direct
