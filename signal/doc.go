// Package signal is the relay: it carries a game between devices that are not
// connected at the same time, orders and times what they do, and introduces them
// to one another. It moves opaque, bounded envelopes between those who hold
// the key of a room, and cannot read them.
//
// A connection is a WebSocket at /relay that carries the messages of
// [peernomic/engine/wire], one a binary frame:
//
//  1. The relay sends a Challenge. Within [Limits.HelloTimeout] the client answers
//     with a Hello of at most [MaxHello] bytes that proves the key of the room.
//  2. The relay answers with a Welcome, or with a Refusal and the end.
//  3. A client that sends Want{FromSeal} gets all seals from that number on,
//     the envelopes that a seal orders before the seal; first those that are
//     stored, then each as it is cut. There is no gap and no repetition between
//     the two. Another Want starts again from its number.
//  4. The client sends Envelopes. Those that are refused are refused one by one;
//     the others are sealed, and when the seal and they are on disk, acknowledged
//     and sent to every connection of the room that asked, the sender's included.
//     What the room already has is acknowledged and not sealed again.
//  5. Presence tells who else is connected, Signal passes from one peer to another
//     and is never stored, Ping is answered with a Pong.
//
// Seals are cut at once when a room is idle, and at most every [Limits.SealEvery]
// when it is not. Envelopes of all rooms that wait at one moment are committed
// together, in one synced transaction with the seals that order them.
//
// Whoever has the invite can write, and the relay cannot tell junk from play. So how fast a room grows is
// bounded, for each address and for all ([Limits.FillRate]), and of a crowded room's places the address with
// the most gives one up to who comes from elsewhere ([Limits.RoomConnections]).
//
// The time of a seal is the relay's clock, but never before the seal before: a clock
// that is put far ahead by mistake stays ahead in the rooms that were used meanwhile.
// For the same reason, and because a notary must never sign two seals with one
// number, a relay's data must not be replaced by an older copy of it.
//
// Every refusal has a code and a sentence, see [peernomic/signal/refusal]. Those that
// end the connection are also the status of the close frame. A client that does not
// read fast enough is not buffered for: it is read to from the store, at its own
// speed, and cut off with a code when a single frame takes too long; it goes on from
// the seal that it has.
package signal
