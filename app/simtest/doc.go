// Package simtest plays whole rooms in a moment: devices of several players, the relay with
// its notary, the links between them, and a dishonest member, the crook. Everything that can
// go wrong does: links delay, reorder, repeat and lose messages; devices and the relay crash
// between any two writes and start again from what was stored, sleep for days, run with wrong
// clocks, lose their disks with the keys on them; of two tabs of a browser, which share a device,
// either is closed or killed; the crook forks its feed, lies about the time, repeats, sends
// garbage, withholds and floods; the notary signs two chains.
//
// Nothing here waits, and nothing runs by itself: time is a number, and a [Script] says what
// happens, one event a line. A script always gives the same run. The code under test is the
// one of production: whoever uses this package hands in a [Member] that drives the real
// session, and the relay decides by package sealing over a store of package store.
//
// While a script runs, every step is checked for what must never happen; when the room
// settles, that what must happen has:
//
//   - placed actions are the same everywhere, in one order that only grows, and their times
//     never go back;
//   - nothing that was acknowledged is ever missing: not to the person who acted, not by the
//     relay, not by one device to another; of a lost disk, what others hold;
//   - the chain of seals never forks, and no honest device forks its feed;
//   - at rest all replicas have one digest, and an empty one that is given everything in
//     another order has it too;
//   - whatever the crook did is named: forks by a proof that anybody can check, everything
//     else by the code of the check that it fails.
//
// [Storm] draws a script from a seed, [Shrink] makes a failing one short.
package simtest
