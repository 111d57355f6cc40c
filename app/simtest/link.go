package simtest

import (
	"slices"

	"peernomic/engine/wire"
)

// link is a connection between two programs.
type link struct {
	ends  [2]string
	open  [2]bool     // whether the program at that end has it; a crashed one has not
	queue [2][][]byte // frames on their way to that end, oldest first
	hung  bool        // an end has hung up
}

// pair names a link by its ends in order.
func pair(x, y string) [2]string {
	if x > y {
		x, y = y, x
	}
	return [2]string{x, y}
}

// side returns which end a program is.
func (l *link) side(name string) int {
	if l.ends[0] == name {
		return 0
	}
	return 1
}

// between returns the link of two programs, or nil.
func (w *World) between(x, y string) *link { return w.links[pair(x, y)] }

// send puts a message on its way, if there is a link.
func (w *World) send(from, to string, m wire.Message) {
	l := w.between(from, to)
	if l == nil || !l.open[l.side(from)] || !l.open[l.side(to)] {
		return
	}
	frame, err := wire.EncodeMessage(m)
	if err != nil {
		w.fail("encode", "%s cannot encode %T: %v", from, m, err)
		return
	}
	if len(frame) > wire.MaxFrame {
		w.fail("encode", "%s sends %s a frame of %d bytes", from, to, len(frame))
		return
	}
	w.note("sends", from+" "+to, frame)
	i := l.side(to)
	l.queue[i] = append(l.queue[i], frame)
}

// take returns message number n on the way from one to the other, or nil. A connection to
// the relay begins with the welcome, whatever else is late. Nothing but envelopes overtakes seals: a link keeps its order,
// and a peer is blamed for junk that no seal after it names before it says something else.
func (w *World) take(from, to string, n int, keep bool) []byte {
	l := w.between(from, to)
	if l == nil {
		return nil
	}
	q := &l.queue[l.side(to)]
	if len(*q) == 0 {
		return nil
	}
	n %= len(*q)
	if _, first := decoded((*q)[0]).(wire.Welcome); first {
		n, keep = 0, false
	} else if _, envelopes := decoded((*q)[n]).(wire.Envelopes); !envelopes {
		if i := slices.IndexFunc((*q)[:n], func(f []byte) bool { _, seals := decoded(f).(wire.Seals); return seals }); i >= 0 {
			n = i
		}
	}
	frame := (*q)[n]
	if !keep {
		*q = slices.Delete(*q, n, n+1)
	}
	return frame
}

func decoded(frame []byte) wire.Message {
	m, err := wire.DecodeMessage(frame)
	if err != nil {
		return nil
	}
	return m
}

// connect makes a link between two programs that run, in place of the one they have.
func (w *World) connect(x, y string) {
	if x == y || !w.runs(x) || !w.runs(y) {
		return
	}
	w.cut(x, y)
	if !w.runs(x) || !w.runs(y) {
		return
	}
	ends := pair(x, y)
	l := &link{ends: ends, open: [2]bool{true, true}}
	w.links[ends] = l
	for i, name := range ends {
		other := ends[1-i]
		switch {
		case name == relayName:
			w.relay.joined(other)
		case w.devices[name] != nil && other != relayName:
			peer := w.peerOf(other)
			hangUp := w.hangUp(l)
			w.on(name, func(m Member) { m.PeerUp(peer, hangUp) })
		case name == crookName:
			w.crook.linked(other)
		}
	}
}

func (w *World) peerOf(name string) Peer {
	p := Peer{Name: name, Device: w.hand(name).device.Key(), Instance: [16]byte{1}}
	if d := w.devices[name]; d != nil {
		p.Instance = d.instance(d.life)
	}
	return p
}

// hangUp returns what ends a link from one of its ends.
func (w *World) hangUp(l *link) func() { return func() { l.hung = true } }

// cut ends a link: both ends notice, and what was on its way is lost.
func (w *World) cut(x, y string) {
	l := w.between(x, y)
	if l == nil {
		return
	}
	delete(w.links, l.ends)
	for i, name := range l.ends {
		other := l.ends[1-i]
		switch {
		case !l.open[i]:
		case name == relayName:
			w.relay.left(other)
		case !w.runs(name), name == crookName:
		case other == relayName:
			w.on(name, func(m Member) { m.RelayDown(nil) })
		default:
			w.on(name, func(m Member) { m.PeerDown(other) })
		}
	}
}

// cutHung ends the links that somebody has hung up.
func (w *World) cutHung() {
	for again := true; again; {
		again = false
		for _, key := range w.linkKeys() {
			if l := w.links[key]; l != nil && l.hung {
				if w.devices[l.ends[0]] != nil && w.devices[l.ends[1]] != nil {
					w.fail("hang-up", "%s and %s end their link, though both are honest", l.ends[0], l.ends[1])
				}
				w.cut(l.ends[0], l.ends[1])
				again = true
			}
		}
	}
}

// abandon is what a crash does to the links of a program: what it sent is still on its way,
// and the other end does not know yet.
func (w *World) abandon(name string) {
	for _, key := range w.linkKeys() {
		l := w.links[key]
		i := l.side(name)
		if l.ends[i] != name {
			continue
		}
		l.open[i], l.queue[i] = false, nil
		if !l.open[1-i] {
			delete(w.links, key)
		}
	}
}

// linkKeys returns the links in order.
func (w *World) linkKeys() [][2]string {
	keys := make([][2]string, 0, len(w.links))
	for key := range w.links {
		keys = append(keys, key)
	}
	slices.SortFunc(keys, func(a, b [2]string) int { return slices.Compare(a[:], b[:]) })
	return keys
}
