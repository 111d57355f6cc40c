package simtest

import (
	"runtime/debug"
	"slices"
	"time"

	"peernomic/engine/dice"
	"peernomic/engine/game"
	"peernomic/engine/ledger"
	"peernomic/engine/wire"
)

// Run plays a script, and then settles. The error is a [*Failure], or says that the run
// could not begin.
func Run(cast *Cast, boot Boot, script Script) (Played, error) {
	w, err := NewWorld(cast, boot)
	if err != nil {
		return Played{}, err
	}
	defer w.end()
	for i, e := range append(slices.Clone(script), Event{Verb: "settle"}) {
		if err := w.Do(i, e); err != nil {
			return w.Played(), err
		}
	}
	return w.Played(), nil
}

// Do carries out one event, which is number step of its script. The error is a [*Failure].
func (w *World) Do(step int, e Event) error {
	w.note("event", e.String())
	w.played.Script = append(w.played.Script, e)
	func() {
		defer func() {
			if r := recover(); r != nil {
				w.fail("panic", "%v\n%s", r, debug.Stack())
			}
		}()
		w.do(e)
	}()
	if w.failure == nil {
		return nil
	}
	w.failure.Step = step
	return w.failure
}

func (w *World) do(e Event) {
	switch e.Verb {
	case "act":
		w.act(e.Args[0])
	case "deliver":
		w.arrive(e.Args[0], e.Args[1], w.take(e.Args[0], e.Args[1], e.number(2), false))
	case "repeat":
		w.arrive(e.Args[0], e.Args[1], w.take(e.Args[0], e.Args[1], e.number(2), true))
	case "drop":
		frame := w.take(e.Args[0], e.Args[1], e.number(2), false)
		switch decoded(frame).(type) {
		case wire.Welcome, wire.Seals:
			w.cut(e.Args[0], e.Args[1]) // without a welcome there is no connection; for seals, see take
		}
	case "flow":
		w.flow(e.number(0))
	case "connect":
		w.connect(e.Args[0], e.Args[1])
	case "cut":
		w.cut(e.Args[0], e.Args[1])
	case "commit":
		w.commit()
	case "crash":
		f := w.fuseOf(e.Args[0])
		f.crash, f.after = e.number(2)+1, e.Args[1] == "after"
	case "kill":
		w.crash(e.Args[0])
	case "full":
		w.fuseOf(e.Args[0]).full = e.number(1) + 1
	case "wipe":
		w.wipe(e.Args[0])
	case "find":
		w.find(e.Args[0])
	case "open":
		w.open(e.Args[0])
	case "close":
		w.close(e.Args[0])
	case "shut":
		w.shut(e.Args[0])
	case "ask":
		w.ask(e.Args[0])
	case "heed":
		w.heed(e.Args[0])
	case "news":
		w.news(e.Args[0])
	case "start":
		w.start(e.Args[0])
	case "wait":
		w.wait(e.duration(0))
	case "clock":
		if e.Args[0] == relayName {
			w.relay.offset = e.duration(1)
		} else {
			d := w.devices[e.Args[0]]
			d.offset, d.timely = e.duration(1), false
		}
	case "equivocate":
		if w.relay.runs {
			w.relay.equivocate(e.Args)
		}
	case "ruin":
		w.does(e.Args[0], "Ruin", nil)
	case "watch":
		w.does(e.Args[0], "Watch", map[string]any{"n": int64(e.number(1) % (dice.MaxWitnesses + 1))})
	case "repair":
		w.convene(e.Args[0], []any{map[string]any{"op": "set", "table": "game", "row": int64(1), "column": "ruined", "value": false}})
	case "seat":
		w.convene(e.Args[0], game.SeatChange{From: w.cast.person[e.Args[1]].Key(), To: w.cast.spare[e.Args[1]].Key()}.Amendments())
	case "assent":
		w.ballot(e.Args[0], e.number(1), ledger.VerbAssent)
	case "withdraw":
		w.ballot(e.Args[0], e.number(1), ledger.VerbWithdraw)
	case "branch":
		w.branch(e.Args[0], e.number(1))
	case "settle":
		w.settle()
	default:
		if w.crook != nil {
			w.crook.do(e)
		}
	}
}

func (w *World) fuseOf(name string) *fuse {
	if name == relayName {
		return &w.relay.fuse
	}
	return &w.devices[name].fuse
}

const (
	// restFor is how long nothing but signs of life may pass for a room to be at rest.
	restFor = 40 * time.Second
	// restOfSplit is how long a room whose notary signs two chains is watched.
	restOfSplit = 2 * time.Minute
	// storming is how many messages do not pass in a moment unless something is wrong.
	storming = 1 << 15
	// restWithin is how long a room may take to get there.
	restWithin = 10 * time.Minute
)

// waitsForWitnesses reports whether an honest device has a roll that waits for its witnesses.
func (w *World) waitsForWitnesses() bool {
	return slices.ContainsFunc(w.present(), func(name string) bool {
		d := w.devices[name]
		return d.program != nil && d.program.State().Game.Waiting() != nil
	})
}

// connectAll makes every link anew.
func (w *World) connectAll() {
	for i, name := range everybody {
		w.connect(name, relayName)
		for _, other := range everybody[i+1:] {
			w.connect(name, other)
		}
	}
}

// settle repairs everything, waits until the room is at rest, and checks it.
func (w *World) settle() {
	w.relay.fuse = fuse{}
	w.start(relayName)
	for _, name := range w.present() {
		d := w.devices[name]
		d.fuse = fuse{}
		if d.program != nil && d.program.State().Halted {
			w.crash(name)
		}
		if d.reader != nil && d.reader.program.State().Halted {
			w.shut(name)
		}
		w.start(name)
	}
	w.connectAll()
	for _, name := range w.present() {
		if w.gone[name] {
			w.appear(name) // a crash may have kept it from that
		}
	}
	end := w.now + restWithin
	inTwo := len(w.relay.chains) > 1
	for quiet := time.Duration(0); quiet < restFor; {
		if w.failure != nil {
			return
		}
		if inTwo && w.now > end-restWithin+restOfSplit {
			break // those on the other chain are asked for theirs now and then, for ever
		}
		if w.now > end {
			w.fail("restless", "the room does not come to rest: last came %s; a roll waits for witnesses: %v", w.moved, w.waitsForWitnesses())
			return
		}
		before := w.moves
		if w.flow(storming) == storming {
			w.fail("storm", "the programs send each other messages without end")
		}
		w.commit()
		w.wait(time.Second)
		quiet += time.Second
		if w.moves > before || w.waitsForWitnesses() {
			quiet = 0
		}
		if behind := w.relay.behind(); behind > 0 && w.waitsForWitnesses() {
			// The time of a roll that waits is that of the seals, which stands still until the
			// relay's clock is where it once was.
			w.wait(behind)
			w.connectAll() // a connection on which nothing came for so long was given up
			end, quiet = end+behind, 0
		}
	}
	w.flow(storming)
	w.checks.settled(inTwo)
}
