package simulate

import (
	"errors"
	"slices"
)

// This file is about the next relay: a convention can make it the notary. A device that does its part in
// that dials it, and what goes over such a connection comes in order or not at all.

// errCut reports a dialled connection that has ended, or was never made.
var errCut = errors.New("the connection has ended")

// dial is a device's wish to be connected with the relay at an address.
type dial struct{ who, address string }

// addressOf returns where a relay is.
func addressOf(name string) string { return "wss://" + name + ".example/relay" }

// relayNamed returns the relay with a name, or nil.
func (w *World) relayNamed(name string) *relay {
	switch name {
	case relayName:
		return w.relay
	case nextName:
		return w.next
	}
	return nil
}

// server returns the relay that a link of the two leads to, or nil: what a device calls its relay is the one
// at the address that it has stored.
func (w *World) server(x, y string) *relay {
	for _, ends := range [][2]string{{x, y}, {y, x}} {
		d := w.devices[ends[0]]
		switch {
		case ends[1] == nextName:
			return w.next
		case ends[1] == relayName && d != nil && d.program != nil && d.program.State().Relay == addressOf(nextName):
			return w.next
		case ends[1] == relayName:
			return w.relay
		}
	}
	return nil
}

// canLink reports whether both ends of a link run.
func (w *World) canLink(x, y string) bool {
	for _, name := range []string{x, y} {
		if w.relayNamed(name) == nil && !w.runs(name) {
			return false
		}
	}
	r := w.server(x, y)
	return r == nil || r.runs
}

// listens reports whether the program at an end of a link runs.
func (w *World) listens(l *link, name string) bool {
	if w.relayNamed(name) != nil {
		return l.server.runs
	}
	return w.runs(name)
}

// relaySide returns which end of a link a relay is.
func (l *link) relaySide() int {
	return slices.IndexFunc(l.ends[:], func(name string) bool { return name == relayName || name == nextName })
}

// dial makes the connection that a device asks for, in place of the one that it may have.
func (w *World) dial(d dial) {
	if l := w.between(d.who, nextName); l != nil {
		l.open[l.side(d.who)] = false // it knows
		w.cut(d.who, nextName)
	}
	if d.address != addressOf(nextName) || !w.canLink(d.who, nextName) {
		w.on(d.who, func(m Member) { m.FromDialled(nil, errCut) })
		return
	}
	l := &link{ends: pair(d.who, nextName), open: [2]bool{true, true}, server: w.next}
	w.links[l.ends] = l
	w.next.joined(visit{d.who, nextName})
}

// hungUp ends a device's connection, if it has one: the one that it dialled, or that to its relay.
func (w *World) hungUp(name, via string) {
	if l := w.between(name, via); l != nil {
		l.hung = true
	}
}
