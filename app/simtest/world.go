package simtest

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"slices"
	"time"

	"peernomic/app/client/disk"
	"peernomic/engine/ledger"
	"peernomic/engine/wire"
)

// everybody is all ends of links but the relay, in order.
var everybody = append([]string{crookName}, honest...)

// World is a room while a script runs.
type World struct {
	cast    *Cast
	boot    Boot
	now     time.Duration // since begin
	devices map[string]*device
	relay   *relay
	crook   *crook
	links   map[[2]string]*link
	timers  []timer
	count   uint64 // of timers
	checks  *checks

	failure *Failure
	moves   int    // messages to honest programs, but for signs of life
	moved   string // the last of them
	played  Played
	trace   hash.Hash

	before *World          // where the game was before it moved here; nil for nowhere
	gone   map[string]bool // of the devices there, which have gone along
}

// Played is what came of a run.
type Played struct {
	Script     Script // what was played, by a [Storm]
	Deliveries int    // messages that arrived
	// Trace is a hash of all that happened, in order: each event, each message that was sent or
	// arrived, and each write to a disk. Equal runs have equal traces.
	Trace [32]byte
}

// note puts something that happened into the trace.
func (w *World) note(what, who string, bytes ...[]byte) {
	fmt.Fprintf(w.trace, "%d %s %s %d\n", w.now, what, who, len(bytes))
	for _, b := range bytes {
		fmt.Fprintf(w.trace, "%d\n", len(b))
		w.trace.Write(b)
	}
}

// Played returns what came of the run so far.
func (w *World) Played() Played {
	p := w.played
	p.Trace = [32]byte(w.trace.Sum(nil))
	return p
}

// device is a device: its disks, and its programs while they run.
type device struct {
	name     string
	program  Member // nil while none runs that could write
	life     uint64 // which program this is
	inbox    [][]byte
	reader   *reader // another program, which reads along; nil if there is none
	starts   uint64  // of programs
	fuse     fuse
	identity *disk.Memory
	games    *disk.Memory
	anew     bool            // its disk was lost, and it has another
	drawer   [2]*disk.Memory // the disks that it does not use: those lost, or those that it had in their place; nil for none
	offset   time.Duration   // of its clock
	hasty    bool            // its clock was far ahead when something was done for the tab that reads along
	timely   bool            // its program has heard the relay's clock since it started or its own was set
}

// timer is what a program asked to be called for.
type timer struct {
	at     time.Duration
	number uint64
	owner  string
	life   uint64 // of which program there
	call   func()
}

// Failure is a promise that was broken.
type Failure struct {
	Kind string // which promise
	Text string
	Step int // number of the event in its script, from 0
}

func (f *Failure) Error() string {
	return fmt.Sprintf("event %d: %s: %s", f.Step, f.Kind, f.Text)
}

// fail notes the first failure.
func (w *World) fail(kind, format string, args ...any) {
	if w.failure == nil {
		w.failure = &Failure{Kind: kind, Text: fmt.Sprintf(format, args...)}
	}
}

// NewWorld returns a room at its beginning: everything runs, and nothing is connected.
func NewWorld(cast *Cast, boot Boot) (*World, error) {
	w := &World{cast: cast, boot: boot, devices: map[string]*device{}, links: map[[2]string]*link{}, trace: sha256.New(), now: cast.since}
	w.checks = newChecks(w)
	var err error
	if w.relay, err = newRelay(w); err != nil {
		return nil, err
	}
	if !cast.leavesOut(crookName) {
		if w.crook, err = newCrook(w); err != nil {
			return nil, err
		}
	}
	for _, name := range honest {
		w.devices[name] = &device{name: name, identity: &disk.Memory{}, games: &disk.Memory{}}
		w.start(name)
	}
	if w.failure != nil {
		return nil, w.failure
	}
	return w, nil
}

// runs reports whether a program runs. The crook always does, if it is in the room.
func (w *World) runs(name string) bool {
	switch name {
	case relayName:
		return w.relay.runs
	case crookName:
		return w.crook != nil
	default:
		return w.devices[name].program != nil
	}
}

func (d *device) instance(life uint64) [16]byte {
	var id [16]byte
	copy(id[:], d.name)
	binary.BigEndian.PutUint64(id[8:], life)
	return id
}

// start starts a device's program or the relay from what it has stored. A tab that reads along is a program that
// runs already: it takes over.
func (w *World) start(name string) {
	if w.runs(name) || w.cast.leavesOut(name) {
		return
	}
	if name == relayName {
		if err := w.relay.start(); err != nil {
			w.fail("relay", "start: %v", err)
		}
		return
	}
	d := w.devices[name]
	if d.reader != nil {
		w.takeOver(name)
		return
	}
	d.timely = false
	d.identity, d.games = d.identity.Reopen(), d.games.Reopen()
	program := w.bootTab(name)
	if program == nil {
		return
	}
	d.program, d.life, d.inbox = program, d.starts, nil
	w.checks.started(name)
	w.on(name, func(Member) {})
}

// bootTab starts a program on a device. It returns nil if it crashed at that, or could not.
func (w *World) bootTab(name string) Member {
	d, h := w.devices[name], w.hand(name)
	d.starts++
	life := d.starts
	p := Program{
		Name: w.cast.nameOf(name), Identity: w.disk(d, d.identity, life), Games: w.disk(d, d.games, life),
		Tabs:   browser{w, d, life},
		Person: h.person, Device: h.device, Pen: h.pen,
		Secret: w.cast.secret, Game: w.cast.game(), Instance: d.instance(life),
		Steady: func() time.Time { return begin.Add(w.now) },
		Clock:  func() time.Time { return begin.Add(w.now + d.offset) },
		Relay:  relayAddress,
	}
	p.Later = func(after time.Duration, call func()) {
		w.count++
		w.timers = append(w.timers, timer{w.now + after, w.count, name, life, call})
	}
	if name == w.cast.founder && !d.anew {
		p.Genesis = &w.cast.genesis
	}
	var booted Member
	var err error
	if w.protect(func() { booted, err = w.boot(p) }) {
		d.fuse = fuse{} // it crashed while starting
		return nil
	}
	if err != nil {
		if !errors.Is(err, errFull) {
			w.fail("start", "%s does not start: %v", name, err)
		}
		return nil
	}
	return booted
}

// protect runs a function and reports whether its program crashed in it.
func (w *World) protect(f func()) (crash bool) {
	defer func() {
		switch r := recover(); r.(type) {
		case nil:
		case crashed:
			crash = true
		default:
			panic(r)
		}
	}()
	f()
	return false
}

// on runs something on a device's program, and sends what it has to say.
func (w *World) on(name string, f func(Member)) {
	d := w.devices[name]
	program := d.program
	if program == nil {
		return
	}
	crash := w.protect(func() { f(program) })
	program.Drain(func(to string, m wire.Message) {
		w.checks.said(name, to, m)
		w.send(name, to, m)
	})
	if crash {
		w.crash(name)
		return
	}
	w.checks.step(name)
}

// end ends all programs.
func (w *World) end() {
	for _, name := range w.present() {
		if d := w.devices[name]; d.program != nil {
			d.program.Crash()
		}
		w.shut(name)
	}
}

// crash ends a program at once.
func (w *World) crash(name string) {
	if !w.runs(name) {
		return
	}
	if name == relayName {
		w.relay.runs = false
	} else {
		d := w.devices[name]
		d.program.Crash()
		d.program, d.inbox, d.fuse = nil, nil, fuse{}
		w.forgetTimers(name, d.life)
	}
	w.abandon(name)
}

// forgetTimers forgets what a program that has ended asked to be called for.
func (w *World) forgetTimers(name string, life uint64) {
	w.timers = slices.DeleteFunc(w.timers, func(t timer) bool { return t.owner == name && t.life == life })
}

// arrive gives a frame to the program at its end.
func (w *World) arrive(from, to string, frame []byte) {
	if frame == nil || !w.runs(to) {
		return
	}
	m, err := wire.DecodeMessage(frame)
	if err != nil {
		w.fail("decode", "%s sent %s what is no message: %v", from, to, err)
		return
	}
	w.played.Deliveries++
	w.note("arrives", from+" "+to, frame)
	switch m.(type) {
	case wire.Ping, wire.Pong, wire.Have: // signs of life
	default:
		if to != crookName {
			w.moves++
			w.moved = fmt.Sprintf("%T from %s to %s", m, from, to)
		}
	}
	switch {
	case to == relayName:
		w.relay.receive(from, m)
	case to == crookName:
		w.crook.receive(from, m)
	case from != relayName:
		w.on(to, func(program Member) { program.FromPeer(from, m) })
	default:
		welcome, first := m.(wire.Welcome)
		_, pong := m.(wire.Pong)
		w.devices[to].timely = w.devices[to].timely || first || pong
		if !first {
			w.on(to, func(program Member) { program.FromRelay(m) })
			break
		}
		l := w.between(from, to)
		w.on(to, func(program Member) {
			if err := program.RelayUp(welcome, w.hangUp(l)); err != nil {
				w.checks.notWelcome(to, err)
				program.RelayDown(err)
				l.hung = true
			}
		})
	}
	w.cutHung()
}

// flow delivers up to n messages, in order, one from each link in turn and one to each tab, and reports how many.
func (w *World) flow(n int) (delivered int) {
	for {
		moved := false
		for _, key := range w.linkKeys() {
			for i := range 2 {
				if delivered == n || w.failure != nil {
					return delivered
				}
				frame := w.take(key[1-i], key[i], 0, false)
				if frame == nil {
					continue
				}
				moved = true
				delivered++
				w.arrive(key[1-i], key[i], frame)
			}
		}
		for _, name := range w.present() {
			for _, hears := range []func(string) bool{w.heed, w.news} {
				if delivered < n && w.failure == nil && hears(name) {
					moved = true
					delivered++
				}
			}
		}
		if !moved {
			return delivered
		}
	}
}

// commit lets the relay store what it was sent.
func (w *World) commit() {
	if w.relay.runs && w.protect(w.relay.commit) {
		w.crash(relayName)
	}
}

// wait lets time pass: what was to be called then is called, and who runs gets a tick.
func (w *World) wait(d time.Duration) {
	if d <= 0 {
		return
	}
	end := w.now + d
	for {
		slices.SortFunc(w.timers, func(a, b timer) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.number, b.number)) })
		if len(w.timers) == 0 || w.timers[0].at > end {
			break
		}
		t := w.timers[0]
		w.timers = w.timers[1:]
		w.now = max(w.now, t.at)
		if w.devices[t.owner].life == t.life {
			w.on(t.owner, func(Member) { t.call() })
		} else {
			w.onReader(t.owner, func(Member) { t.call() })
		}
	}
	w.now = end
	for _, name := range w.present() {
		w.on(name, func(m Member) { m.Tick() })
		w.onReader(name, func(m Member) { m.Tick() })
		w.checks.asks(name)
	}
	w.cutHung()
}

// act lets a device's person do something.
func (w *World) act(name string) {
	w.does(name, w.word(name), nil)
}

// word returns what a device's person does next.
func (w *World) word(name string) string {
	if w.checks.acts++; w.checks.acts%5 == 0 || w.isStranger(name) {
		return "Wind"
	}
	return "Dig"
}

// does lets a device's person do something with arguments.
func (w *World) does(name, word string, args map[string]any) {
	w.writes(name, func(m Member) (ledger.ActionID, error) { return m.Act(word, args) })
}

// writes lets a device sign something, and notes what it called done.
func (w *World) writes(name string, write func(Member) (ledger.ActionID, error)) {
	w.on(name, func(m Member) {
		var before []ledger.ActionID
		for _, p := range m.State().Replica.Tentative() {
			before = append(before, p.Action.ID())
		}
		id, err := write(m)
		if err == nil {
			w.checks.done(name, id, before)
		}
	})
	w.cutHung()
}
