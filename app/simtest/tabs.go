package simtest

import (
	"context"
	"slices"

	"peernomic/app/client/tabs"
	"peernomic/engine/ledger"
)

// This file is about devices whose person has the game in two tabs of one browser, which share the disks: one
// writes, and the other reads along, hands its actions over, and takes over when the first is gone. What they say to
// each other arrives in order, but not at once, and is lost with the tab that it was for.

// reader is a tab that reads along.
type reader struct {
	program Member
	life    uint64
	inbox   [][]byte
}

// browser is what a tab has of its browser. It implements [tabs.Tabs].
type browser struct {
	w    *World
	d    *device
	life uint64
}

var _ tabs.Tabs = browser{}

// Lock implements [tabs.Tabs], for what is done in one go.
func (browser) Lock(context.Context, string) (func(), error) { return func() {}, nil }

// TryLock implements [tabs.Tabs]. The browser takes the lock from a tab that is gone.
func (b browser) TryLock(context.Context, string) (func(), bool, error) {
	if b.d.program != nil {
		return nil, false, nil
	}
	return func() {}, true, nil
}

// Open implements [tabs.Tabs].
func (b browser) Open(string) (tabs.Channel, error) { return channel{browser: b}, nil }

// channel is a tab's end of what carries messages to the other.
type channel struct {
	tabs.Channel // for what only a goroutine calls
	browser      browser
}

// Post implements [tabs.Channel].
func (c channel) Post(message []byte) error {
	d := c.browser.d
	c.browser.w.note("tells", d.name) // without the bytes: a tab numbers what it asks for by chance
	if d.program != nil && d.life != c.browser.life {
		d.inbox = append(d.inbox, slices.Clone(message))
	}
	if d.reader != nil && d.reader.life != c.browser.life {
		d.reader.inbox = append(d.reader.inbox, slices.Clone(message))
	}
	return nil
}

// Close implements [tabs.Channel].
func (channel) Close() error { return nil }

// open opens the game in a second tab.
func (w *World) open(name string) {
	d := w.devices[name]
	if d.program == nil || d.reader != nil {
		return
	}
	life := d.starts + 1
	if program := w.bootTab(name); program != nil {
		d.reader = &reader{program: program, life: life}
		w.checks.opened(name)
		w.onReader(name, func(Member) {})
	}
}

// shut ends the tab that reads along.
func (w *World) shut(name string) {
	d := w.devices[name]
	if d.reader == nil {
		return
	}
	d.reader.program.Crash()
	w.forgetTimers(name, d.reader.life)
	d.reader = nil
}

// close closes the tab that writes, which then does what it still can.
func (w *World) close(name string) {
	w.on(name, func(m Member) { m.Leave() })
	w.crash(name)
}

// takeOver makes the tab that reads along the one that writes.
func (w *World) takeOver(name string) {
	d := w.devices[name]
	d.program, d.life, d.inbox = d.reader.program, d.reader.life, d.reader.inbox
	d.reader, d.timely = nil, false
	w.on(name, func(m Member) { m.TakeOver() })
	if d.program != nil {
		w.checks.started(name)
	}
}

// onReader runs something on the tab of a device that reads along.
func (w *World) onReader(name string, f func(Member)) {
	d := w.devices[name]
	if d.reader == nil {
		return
	}
	if w.protect(func() { f(d.reader.program) }) {
		w.shut(name)
		return
	}
	w.checks.stepReader(name)
}

// ask lets a device's person do something in the tab that reads along.
func (w *World) ask(name string) {
	word := w.word(name)
	w.onReader(name, func(m Member) {
		m.Ask(word, func(id ledger.ActionID, err error) {
			if err == nil {
				w.checks.done(name, id, nil)
			}
		})
	})
}

// heed lets the tab that writes hear what the other said, and news the other way round. They report whether there
// was anything to hear.
func (w *World) heed(name string) bool {
	d := w.devices[name]
	if d.program == nil || len(d.inbox) == 0 {
		return false
	}
	message := d.inbox[0]
	d.inbox = d.inbox[1:]
	d.hasty = d.hasty || w.checks.isHasty(name)
	w.on(name, func(m Member) { m.FromTab(message) })
	w.cutHung()
	return true
}

func (w *World) news(name string) bool {
	d := w.devices[name]
	if d.reader == nil || len(d.reader.inbox) == 0 {
		return false
	}
	message := d.reader.inbox[0]
	d.reader.inbox = d.reader.inbox[1:]
	w.onReader(name, func(m Member) { m.FromTab(message) })
	return true
}

// stepReader checks what must hold at any time of a tab that reads along.
func (c *checks) stepReader(name string) {
	r := c.w.devices[name].reader
	if r == nil || c.w.failure != nil {
		return
	}
	s := r.program.State()
	if s.Writer {
		c.w.fail("two-writers", "both tabs of %s write", name)
	}
	c.look(name+" reading", r.life, s)
}

// opened checks what a tab that reads along begins with: all that the device has.
func (c *checks) opened(name string) {
	c.holds(name, c.w.devices[name].reader.program.State().Replica)
}

// checkTabs checks, at rest, that the tab that reads along shows what the other does.
func (c *checks) checkTabs(name string) {
	d := c.w.devices[name]
	if d.reader == nil {
		return
	}
	one, other := d.program.State(), d.reader.program.State()
	switch {
	case other.Halted:
		c.w.fail("tabs", "the reading tab of %s has stopped: %s", name, other.Problem)
	case other.Seal != one.Seal || other.Digest != one.Digest:
		c.w.fail("tabs", "the tabs of %s are at seal %d with %x and at seal %d with %x", name, one.Seal, one.Digest[:4], other.Seal, other.Digest[:4])
	case len(other.Replica.Tentative()) != len(one.Replica.Tentative()):
		c.w.fail("tabs", "in one tab of %s %d actions wait, in the other %d", name, len(one.Replica.Tentative()), len(other.Replica.Tentative()))
	case other.Synced != one.Synced:
		c.w.fail("tabs", "the tabs of %s stand differently to the others", name)
	}
	c.holds(name, other.Replica)
}
