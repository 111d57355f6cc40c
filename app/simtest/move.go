package simtest

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"time"

	"peernomic/engine/game"
	"peernomic/engine/ledger"
	"peernomic/signal/notary"
)

// This file is about games that go on in another room. The room that a game moves to is a [World] of its own, in which
// the same people are: those who are invited look at it first, and go along when they are told to. Both worlds go on.

// present returns the honest devices that are invited to the room.
func (w *World) present() []string {
	if len(w.cast.out) == 0 {
		return honest
	}
	return slices.DeleteFunc(slices.Clone(honest), w.cast.leavesOut)
}

// key names the person.
func (h hand) key() ledger.IdentityKey { return h.person.Key() }

func (c *Cast) leavesOut(name string) bool { return slices.Contains(c.out, name) }

// nameOf returns what a device's person is called in the room from the beginning: in one that a game moves to, nothing,
// but for who moved it.
func (c *Cast) nameOf(name string) string {
	if c.moved && name != c.founder {
		return ""
	}
	return persons[name]
}

// Move lets a device open a room in which the game goes on, and announce that here. Number tells apart the moves of a
// game; out are those who are not invited. The device must hold a seal.
func (w *World) Move(name string, number int, out ...string) (*World, error) {
	g := w.devices[name].program.State().Game
	shared, _ := g.Replica().Undisputed()
	genesis, err := g.Continue(min(shared, g.Replica().OrderedSeals()))
	if err != nil {
		return nil, err
	}
	cast, err := w.cast.movedBy(name, number, genesis, w.now, out)
	if err != nil {
		return nil, err
	}
	invite := ledger.Invite{Relay: relayAddress, Secret: cast.secret, Game: cast.game()}
	var people []int64
	for _, other := range append(slices.Clone(honest), crookName) {
		for _, h := range []hand{w.cast.hand(other), w.hand(other)} {
			if id := g.PersonOf(h.key()); id != 0 && !cast.leavesOut(other) && !slices.Contains(people, id) {
				people = append(people, id)
			}
		}
	}
	invitations, err := g.Invite(invite, people, source(fmt.Sprint("invitations ", number)))
	if err != nil {
		return nil, err
	}
	body, err := ledger.Move{Game: invite.Game, Seal: genesis.Continues.Seal, SealHash: genesis.Continues.SealHash, Why: "It moves.", Invitations: invitations}.Encode()
	if err != nil {
		return nil, err
	}
	w.writes(name, func(m Member) (ledger.ActionID, error) { return m.Sign(ledger.KindMove, body) })
	next, err := NewWorld(cast, w.boot)
	if err != nil {
		return nil, err
	}
	next.before, next.gone = w, map[string]bool{}
	return next, w.Err()
}

// Err returns the promise that was broken, if one was.
func (w *World) Err() error {
	if w.failure == nil {
		return nil
	}
	return w.failure
}

// End ends all programs of a room.
func (w *World) End() { w.end() }

// movedBy returns who plays in the room that a device opens.
func (c *Cast) movedBy(name string, number int, genesis ledger.Genesis, since time.Duration, out []string) (*Cast, error) {
	next := *c
	next.founder, next.since, next.out, next.moved = name, since, out, true
	var err error
	if next.secret, err = ledger.NewRoomSecret(source(fmt.Sprint("room ", number))); err != nil {
		return nil, err
	}
	next.keys = next.secret.Keys()
	next.pen, next.anew = map[string]*ledger.Pen{}, map[string]hand{}
	for _, other := range append([]string{crookName}, honest...) {
		if next.pen[other], err = ledger.NewPen(next.keys, c.device[other]); err != nil {
			return nil, err
		}
		if h, ok := c.anew[other]; ok {
			if h.pen, err = ledger.NewPen(next.keys, h.device); err != nil {
				return nil, err
			}
			next.anew[other] = h
		}
	}
	next.notary = notary.Secrets{Seed: sha256.Sum256(fmt.Append(nil, "notary ", number))}
	next.notary.Anchor, next.marks = notary.Grow(sha256.Sum256(fmt.Append(nil, "links ", number)), sealsOfNotary)
	genesis.Notary, genesis.Anchor, genesis.Dice = next.notary.Key(), next.notary.Anchor, ledger.DiceBeacon
	genesis.Options = map[string]string{}
	genesis.Salt[0] = byte(number)
	next.genesis, err = next.pen[name].Found(c.person[name], persons[name], genesis, begin.Add(since).UnixMilli())
	return &next, err
}

var errNotThere = errors.New("the device runs no program in one of the rooms, or lacks the beginning of the new one")

// GoAlong lets a device's person go along to this room. First the device opens the invitation that it holds in the room
// before, and compares the game here with its own there.
func (w *World) GoAlong(name string) error {
	from, to := w.before.devices[name].program, w.devices[name].program
	if from == nil || to == nil {
		return errNotThere
	}
	genesis, ok := to.State().Replica.Genesis()
	if !ok {
		return errNotThere
	}
	old := from.State().Game
	if name != w.cast.founder {
		if _, err := w.before.invitation(name, w.cast.game()); err != nil {
			return err
		}
	}
	if err := old.CheckSeam(genesis); err != nil {
		return err
	}
	w.gone[name] = true
	w.appear(name)
	return w.Err()
}

func (w *World) appear(name string) { w.on(name, func(m Member) { m.Appear(persons[name]) }) }

// invitation returns the invite to a new room that a device's announcement holds for it.
func (w *World) invitation(name string, to ledger.GameID) (ledger.Invite, error) {
	g := w.devices[name].program.State().Game
	for _, m := range g.Moves() {
		if m.Game == to {
			return m.Open(w.cast.game(), w.hand(name).device)
		}
	}
	return ledger.Invite{}, errNotThere
}

// CheckMoved checks, at rest, that everybody who has gone along has the seat that they had, and that a device that was
// left out can open neither the announcement nor anything that the new room's relay holds.
func (w *World) CheckMoved() error {
	genesis := game.FromReplica(w.before.devices[w.cast.founder].program.State().Replica)
	seats := genesis.PastSeal(w.seam())
	for !seats.Step(1 << 10) {
	}
	for _, name := range w.present() {
		if !w.gone[name] {
			continue
		}
		key := w.hand(name).person.Key()
		if had, has := seats.World().PersonOf(key.String()), w.devices[name].program.State().Game.PersonOf(key); had != 0 && had != has {
			w.fail("seat", "%s had the seat %d before the move, and has %d", name, had, has)
		}
	}
	envelopes, _, err := w.relay.chains[0].stored(w.cast.keys.ID)
	if err != nil {
		return err
	}
	for _, name := range w.cast.out {
		if d := w.before.devices[name]; d != nil && d.program != nil {
			if _, err := w.before.invitation(name, w.cast.game()); err == nil {
				w.fail("left-out", "%s opens an invitation though it was left out", name)
			}
		}
	}
	for _, e := range envelopes {
		if _, err := w.before.cast.keys.Open(e); err == nil {
			w.fail("left-out", "something of the new room can be read with the keys of the old one")
		}
	}
	return w.Err()
}

// seam returns the seal of the room before from which the game here goes on.
func (w *World) seam() uint64 {
	genesis, _ := w.devices[w.cast.founder].program.State().Replica.Genesis()
	return genesis.Continues.Seal
}
