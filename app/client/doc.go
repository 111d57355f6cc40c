// Package client plays games on one device: it keeps what the device knows, takes part
// in the rooms, and lets the person act. The app in the browser and the native
// commands use it alike.
//
// Vocabulary:
//
//   - The [Hub] is the device: its identity, its keys, its games.
//   - A [Session] is one open game. One goroutine owns everything in it; whoever
//     wants something done there hands it a function ([Session.Do]).
//   - What a session holds is in its log on the disk, in the order of arrival: an own
//     action before it is sent, everybody else's as it comes.
//   - One program (one tab) of a device is the writer. It alone signs, stores and
//     talks to others. The rest are readers: they follow the log and hand their
//     actions to the writer, until it closes and one of them takes over.
//   - What nobody has sealed yet is tentative. What neither the relay nor any other
//     device has confirmed to hold is unsent; there is no queue besides.
package client
