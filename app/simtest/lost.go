package simtest

import (
	"slices"

	"peernomic/app/client/disk"
	"peernomic/engine/game"
	"peernomic/engine/ledger"
)

// This file is about devices whose disks are lost, with the keys on them: the person comes back by the invite
// as somebody whom nobody knows, and gets the seat if a convention says so. What was only on the lost disk is
// gone; what anybody else holds is not.

// hand is who acts on a device. What a device promised it promised as one of them.
type hand struct {
	name   string
	person *ledger.Identity
	device *ledger.Device
	pen    *ledger.Pen
}

// hand returns who acts on a device now.
func (w *World) hand(name string) hand {
	if d := w.devices[name]; d != nil && d.anew {
		return w.cast.anew[name]
	}
	return w.cast.hand(name)
}

// hand returns who acted on a device first; also the crook.
func (c *Cast) hand(name string) hand {
	return hand{name: name, person: c.person[name], device: c.device[name], pen: c.pen[name]}
}

// wipe takes a device's disks away. It happens to each once, and not to the founder while only its disk has
// the game: there would be none.
func (w *World) wipe(name string) {
	d := w.devices[name]
	if d.drawer[0] != nil || name == w.cast.founder && !w.checks.acknowledgedAll(w.cast.genesis.Envelopes) {
		return
	}
	d.drawer = [2]*disk.Memory{{}, {}}
	w.find(name)
}

// find lets a device use the disks that it does not.
func (w *World) find(name string) {
	d := w.devices[name]
	if d.drawer[0] == nil {
		return
	}
	w.crash(name)
	w.shut(name)
	d.fuse = fuse{}
	d.drawer, d.identity, d.games = [2]*disk.Memory{d.identity, d.games}, d.drawer[0], d.drawer[1]
	d.anew = !d.anew
}

// isStranger reports whether who has come back after a loss has not been given the seat yet, as far as the device
// knows. A stranger who digs takes part as somebody else, and cannot be given the seat any more.
func (w *World) isStranger(name string) bool {
	d := w.devices[name]
	if !d.anew || d.program == nil {
		return false
	}
	g := d.program.State().Game
	return !slices.ContainsFunc(g.Motions(), func(m game.Motion) bool {
		c, ok := m.Seat()
		return ok && m.Status == game.MotionDone && c.To == w.hand(name).person.Key()
	})
}

// hands returns everybody who has acted, those whose disks are lost included.
func (w *World) hands() (all []hand) {
	for _, name := range honest {
		all = append(all, w.cast.hand(name))
		if w.devices[name].drawer[0] != nil {
			all = append(all, w.cast.anew[name])
		}
	}
	return all
}

// isLost reports whether someone's disk is not in use.
func (w *World) isLost(h hand) bool {
	return !slices.ContainsFunc(w.present(), func(name string) bool { return w.hand(name).name == h.name })
}

// isHeld reports whether some device holds an action, with all that it depends on.
func (w *World) isHeld(id ledger.ActionID) bool {
	return slices.ContainsFunc(w.present(), func(name string) bool {
		_, ok := w.devices[name].program.State().Replica.Action(id)
		return ok
	})
}
