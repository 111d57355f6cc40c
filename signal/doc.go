// Package signal is the relay. It carries a game between devices that are not
// connected at the same time, gives their actions an order and a time, and passes
// on the signals by which they connect to each other. It moves opaque, bounded
// envelopes between the members of a room. They hold the room's key; the relay
// cannot read the envelopes.
//
// A connection is a WebSocket at /relay that carries the messages of
// [peernomic/engine/wire], one a binary frame:
//
//  1. The relay sends a Challenge. The client answers within [Limits.HelloTimeout]
//     with a Hello of at most [MaxHello] bytes. The Hello proves the key of the room
//     and names the game.
//  2. The relay answers with a Welcome, or with a Refusal and the end.
//  3. The client that opens a room sends Found, which names its game for good. Before
//     that the relay takes no envelopes.
//  4. The client sends Want{FromSeal} and gets all seals from that number on, first the
//     stored ones, then each as it is cut, without gap or repetition. The envelopes of
//     a seal come before it. Another Want starts again from its number.
//  5. The client sends Envelopes. The relay refuses bad ones one by one. It seals the
//     others and stores them with the seal. Then it acknowledges them and sends them to
//     every connection that follows the room, the sender's included. It acknowledges
//     what the room already has, and does not seal it again.
//  6. Presence tells who else is connected. Signal passes from one peer to another and
//     is never stored. Ping is answered with a Pong.
//
// In an idle room the relay cuts a seal at once, in a busy one every [Limits.SealEvery].
// It commits the envelopes of all rooms that wait at one moment together, in one synced
// transaction with their seals.
//
// Every member can write, and the relay cannot tell junk from play. So it bounds how fast
// a room grows, for each address and for all together ([Limits.FillRate]). In a crowded
// room, a newcomer takes a place of the address that has the most
// ([Limits.RoomConnections]).
//
// The time of a seal is the relay's clock, but never before the seal before. So a clock
// that is put far ahead by mistake stays ahead in the rooms that were used meanwhile.
// Never replace a relay's data by an older copy: the notary would sign a second seal
// with the same number, and members would hold that as a proof of fraud.
//
// Every refusal has a code and a sentence, see [peernomic/signal/refusal]. A refusal that
// ends the connection is also the status of the close frame. The relay does not buffer for
// slow clients: each reads the store at its own speed. If a single frame takes too long,
// the relay ends the connection, and the client goes on later from the seal that it has.
package signal
