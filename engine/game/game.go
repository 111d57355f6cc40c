// Package game is a replicated nomic: the log of package ledger, played by the rules of
// package rules, with the dice of package dice.
//
// A [Game] takes envelopes and seals in any order. It carries out each action once
// that seals have ordered. The result is the confirmed state, whose digest is the same
// on every replica that holds the same seals and envelopes. On top of it is the
// tentative tail: actions without a place, tried out at their claimed times, and the
// time since. [Game.World] shows both together.
//
// A Game is pure and not safe for concurrent use; its owner gives it the time.
package game

import (
	"encoding/binary"
	"slices"

	"peernomic/engine/dice"
	"peernomic/engine/ledger"
	"peernomic/engine/rules"
	"peernomic/engine/wire"
)

// Kernel is the version of the kernel: the builtins of the rules, the interpreter and the
// order of execution. A genesis names the version of its game.
const Kernel = 1

// Game is one copy of a game. Make it with [New] or [FromReplica].
type Game struct {
	replica *ledger.Replica
	core    machine    // the confirmed state
	base    rules.Mark // where the tentative tail begins; valid if core.world is not nil
	tail    []Entry
	seen    register // of conventions, with the tail's
	stale   bool     // something was received since the tail was made
	now     int64
}

// New returns the empty game of a room.
func New(keys ledger.RoomKeys, game ledger.GameID) *Game {
	return FromReplica(ledger.NewReplica(keys, game))
}

// FromReplica returns the game of a replica, and takes ownership of the replica.
func FromReplica(r *ledger.Replica) *Game {
	return &Game{replica: r, core: machine{replica: r}, stale: true}
}

// Replica returns the game's log, for reading only. Add to it by [Game.Receive] and
// [Game.ReceiveSeal].
func (g *Game) Replica() *ledger.Replica { return g.replica }

// Receive adds an envelope; see [ledger.Replica.AddEnvelope].
func (g *Game) Receive(envelope []byte) (wire.EnvelopeHash, error) {
	g.stale = true
	return g.replica.AddEnvelope(envelope)
}

// ReceiveSeal adds a seal; see [ledger.Replica.AddSeal].
func (g *Game) ReceiveSeal(seal []byte) error {
	g.stale = true
	return g.replica.AddSeal(seal)
}

// Restore adds an envelope of this device's own log; see [ledger.Replica.RestoreEnvelope].
func (g *Game) Restore(envelope []byte) (wire.EnvelopeHash, error) {
	g.stale = true
	return g.replica.RestoreEnvelope(envelope)
}

// RestoreSeal adds a seal of this device's own log; see [ledger.Replica.RestoreSeal].
func (g *Game) RestoreSeal(seal []byte) error {
	g.stale = true
	return g.replica.RestoreSeal(seal)
}

// CatchUp carries out at most max placed actions, so that the next [Game.Advance] has less to do at
// once. It returns how many placed actions are carried out now, and how many there are. Done stays
// behind total while a roll waits for its witnesses.
func (g *Game) CatchUp(max int) (done, total int) {
	total = len(g.replica.Placed())
	g.revert()
	g.tail, g.stale = nil, true
	g.core.catchUp(min(len(g.core.entries)+max, total))
	if w := g.core.world; w != nil {
		w.Commit()
		g.base = w.Mark()
	}
	return len(g.core.entries), total
}

// maxTried is how many parts of bodies the tentative tail expands, about 20 MiB of bodies. Every new message makes the
// game redo the tail, and any member can send more parts. The tail skips actions beyond this limit until they have a
// place.
const maxTried = 40

// Advance carries out the newly placed actions, and redoes the tentative tail as of now (Unix
// ms). It is cheap if nothing was received.
func (g *Game) Advance(now int64) {
	w := g.core.world
	if !g.stale && now >= g.now {
		g.now = now
		if w != nil && now > w.Now() {
			w.Advance(now, nil)
		}
		return
	}
	g.now, g.stale = now, false
	g.revert()
	g.core.catchUp(len(g.replica.Placed()))
	if w = g.core.world; w == nil {
		g.tail = nil
		return
	}
	w.Commit()
	g.base = w.Mark()
	g.tail = g.tail[:0]
	confirmed := g.core.register
	g.core.register = confirmed.clone()
	behind := g.replica.Placed()[len(g.core.entries):] // a roll that waits, and the actions after it
	tried := 0
	for _, p := range append(behind, g.replica.Tentative()...) {
		at := min(max(p.Time, w.Now()), max(now, w.Now()))
		w.Advance(at, nil)
		e := entryOf(p, at)
		if parts := len(p.Action.Action().Parts); parts == 0 || tried < maxTried {
			tried += parts
			e = g.core.carryOut(p, at, nil)
		}
		e.Tentative = true
		g.tail = append(g.tail, e)
	}
	g.seen, g.core.register = g.core.register, confirmed
	if now > w.Now() {
		w.Advance(now, nil)
	}
}

// Behind returns how many placed actions are not carried out yet.
func (g *Game) Behind() int { return len(g.replica.Placed()) - len(g.core.entries) }

// revert goes back to the confirmed state.
func (g *Game) revert() {
	if g.core.world != nil {
		g.core.world.Revert(g.base)
	}
}

// World returns the present state of the game, the tentative tail included, or nil
// before the genesis. The caller must not change it, except within a mark that the
// caller reverts.
func (g *Game) World() *rules.World { return g.core.world }

// Broken returns why the game cannot be played on this program, or nil.
func (g *Game) Broken() error { return g.core.broken }

// Confirmed returns the newest seal that has been carried out completely, and the digest of
// the state after it.
func (g *Game) Confirmed() (seal uint64, digest [32]byte) {
	return g.core.confirmed, g.core.digest
}

// Entries returns every action in order: the confirmed ones, then the tentative ones. The caller
// must not change them.
func (g *Game) Entries() []Entry {
	return append(g.core.entries[:len(g.core.entries):len(g.core.entries)], g.tail...)
}

// PersonOf returns the id of a person by their identity, or 0.
func (g *Game) PersonOf(id ledger.IdentityKey) int64 {
	if g.core.world == nil {
		return 0
	}
	return g.core.world.PersonOf(id.String())
}

// PersonOfDevice returns the id of the person whose device it is, or 0.
func (g *Game) PersonOfDevice(dev ledger.DeviceKey) int64 {
	if g.core.world == nil {
		return 0
	}
	return g.core.person(dev)
}

// At returns the game's world as it was after its first n actions, without anything
// tentative, or nil before the genesis. It is a copy of its own.
func (g *Game) At(n int) *rules.World {
	p := g.Past(n)
	for !p.Step(n) {
	}
	return p.World()
}

// Past replays a game up to some point of its past, in steps.
type Past struct {
	n       int
	machine machine
}

// Past begins the replay that [Game.At] does at once.
func (g *Game) Past(n int) *Past { return &Past{n: n, machine: machine{replica: g.replica}} }

// Step replays at most max more actions and reports whether the replay is complete.
func (p *Past) Step(max int) (over bool) {
	n, done := min(p.n, len(p.machine.replica.Placed())), len(p.machine.entries)
	p.machine.catchUp(min(done+max, n))
	return len(p.machine.entries) == n || len(p.machine.entries) == done
}

// World returns the world after the last step.
func (p *Past) World() *rules.World { return p.machine.world }

// Transcript returns the proof of the rolls of a confirmed action; see package dice.
func (g *Game) Transcript(action ledger.ActionID) ([]byte, error) {
	for i, e := range g.core.entries {
		if e.Action != action {
			continue
		}
		if e.Outcome == nil {
			return nil, errNoRoll
		}
		rolls := []dice.Roll{}
		for _, r := range e.Outcome.Rolls {
			rolls = append(rolls, dice.Roll{Sides: uint64(r.Sides), Value: uint64(r.Value)})
		}
		placed := g.replica.Placed()
		var witnesses []ledger.Placement
		for _, w := range e.Witnesses {
			if at := slices.IndexFunc(placed, func(p ledger.Placement) bool { return w.Came && p.Action.ID() == w.Action }); at >= 0 {
				witnesses = append(witnesses, placed[at])
			}
		}
		return dice.NewTranscript(g.replica, placed[i], rolls, uint64(e.Wanted), witnesses)
	}
	return nil, errNotPlaced
}

// timerName names a timer in its game for the seed of its rolls.
func timerName(id int64) [32]byte {
	return wire.Digest("peernomic/timer-name/v1", binary.BigEndian.AppendUint64(nil, uint64(id)))
}
