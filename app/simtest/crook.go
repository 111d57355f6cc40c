package simtest

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strings"

	"peernomic/engine/game"
	"peernomic/engine/ledger"
	"peernomic/engine/wire"
)

// crook is a member of the room that keeps to nothing. It has a replica, so that what it
// does fits what everybody knows.
type crook struct {
	w       *World
	forge   *Forge
	replica *ledger.Replica
	enrol   [][]byte        // its first action
	told    map[string]bool // who has been sent that
	seen    [][]byte        // envelopes, for replaying
	kept    [][]byte        // what it keeps back
	asked   uint64          // the newest seal that it has asked devices for
	count   uint64
}

func newCrook(w *World) (*crook, error) {
	f, err := NewForge(w.cast.secret, w.cast.person[crookName], w.cast.pen[crookName])
	if err != nil {
		return nil, err
	}
	c := &crook{w: w, forge: f, replica: ledger.NewReplica(w.cast.keys, w.cast.game()), told: map[string]bool{}}
	for _, e := range w.cast.genesis.Envelopes {
		c.take(e)
	}
	e, err := w.cast.pen[crookName].Enrol(w.cast.person[crookName], persons[crookName], ledger.GameID(w.cast.genesis.Action.ID()), nil, begin.UnixMilli())
	if err != nil {
		return nil, err
	}
	c.enrol = e.Envelopes
	for _, b := range c.enrol {
		c.take(b)
	}
	return c, nil
}

// take puts an envelope into the crook's own replica; what others sent may be anything.
func (c *crook) take(b []byte) {
	_, _ = c.replica.AddEnvelope(b)
	if len(c.seen) < 200 {
		c.seen = append(c.seen, b)
	}
}

// linked is called when it has a link to another device.
func (c *crook) linked(name string) {
	c.w.send(crookName, name, wire.Want{FromSeal: 1, Feeds: c.replica.Feeds()})
}

func (c *crook) receive(from string, m wire.Message) {
	switch m := m.(type) {
	case wire.Welcome:
		c.w.send(crookName, from, wire.Want{FromSeal: c.replica.OrderedSeals() + 1, Feeds: []wire.FeedPosition{}})
	case wire.Have:
		if m.Seals <= max(c.replica.OrderedSeals(), c.asked) {
			break
		}
		c.asked = m.Seals
		c.w.send(crookName, from, wire.Want{FromSeal: c.replica.OrderedSeals() + 1, Feeds: c.replica.Feeds()})
	case wire.Envelopes:
		for _, b := range m.Envelopes {
			c.take(b)
		}
	case wire.Seals:
		for _, b := range m.Seals {
			_ = c.replica.AddSeal(b) // one of two chains is refused
		}
	}
}

// send sends envelopes to somebody, who is introduced first.
func (c *crook) send(to string, envelopes ...[]byte) {
	if c.w.between(crookName, to) == nil {
		return
	}
	if !c.told[to] {
		c.told[to] = true
		envelopes = append(slices.Clone(c.enrol), envelopes...)
	}
	for len(envelopes) > 0 {
		n := min(len(envelopes), 10)
		c.w.send(crookName, to, wire.Envelopes{Envelopes: envelopes[:n]})
		envelopes = envelopes[n:]
	}
}

// write writes the crook's next action, at a time that it claims.
func (c *crook) write(claimed int64, body []byte) ledger.Entry {
	pen := c.w.cast.pen[crookName]
	e, err := pen.Write(c.replica.Position(pen.Device().Key()), ledger.KindAct, body, claimed)
	if err != nil {
		c.w.fail("crook", "write: %v", err)
	}
	return e
}

// act is the body of an action that differs from all others.
func (c *crook) act() []byte {
	c.count++
	body, err := game.EncodeAct("Mine", map[string]any{"n": int64(c.count)})
	if err != nil {
		c.w.fail("crook", "act: %v", err)
	}
	return body
}

func (c *crook) now() int64 { return begin.Add(c.w.now).UnixMilli() }

func (c *crook) takeAll(e ledger.Entry) {
	for _, b := range e.Envelopes {
		c.take(b)
	}
}

const day = 24 * 60 * 60 * 1000

// do carries out an event that is the crook's.
func (c *crook) do(e Event) {
	to := ""
	if len(e.Args) > 0 {
		to = e.Args[0]
	}
	switch e.Verb {
	case "honest":
		c.post(to, c.now())
	case "backdate":
		c.post(to, c.now()-400*day)
	case "postdate":
		c.post(to, c.now()+2*day)
	case "flood":
		var all [][]byte
		for range e.number(1) {
			entry := c.write(c.now(), c.act())
			c.takeAll(entry)
			all = append(all, entry.Envelopes...)
		}
		c.send(to, all...)
	case "swamp":
		var all [][]byte
		for range e.number(1) {
			b, _ := c.forge.Make("noise", c.replica, c.now())
			all = append(all, b)
		}
		c.send(to, all...)
	case "bomb":
		entry := c.write(c.now(), c.wide())
		c.takeAll(entry)
		all := slices.Clone(entry.Envelopes)
		for range e.number(1) {
			b := c.forge.Again(entry.Action.Action().Parts, c.replica, c.now())
			c.take(b)
			all = append(all, b)
		}
		c.send(to, all...)
	case "fork":
		first, second := c.write(c.now(), c.act()), c.write(c.now(), c.act())
		c.w.checks.forks = append(c.w.checks.forks, forked{
			first.Action.Action().Seq, [2]wire.EnvelopeHash{wire.HashEnvelope(first.Envelope()), wire.HashEnvelope(second.Envelope())},
		})
		c.takeAll(first)
		c.send(to, first.Envelopes...)
		c.send(e.Args[1], second.Envelopes...)
	case "replay":
		at := e.number(1) % len(c.seen)
		c.send(to, c.seen[at:min(at+5, len(c.seen))]...)
	case "withhold":
		var kept [][]byte
		if c.count%2 == 0 {
			entry := c.write(c.now(), c.act())
			kept = entry.Envelopes
			c.takeAll(entry)
		}
		// Of this one, too long for one envelope, only the last part goes out.
		entry := c.write(c.now(), c.long())
		kept = append(kept, entry.Envelopes[:len(entry.Envelopes)-1]...)
		c.takeAll(entry)
		c.kept = append(c.kept, kept...)
		c.send(to, entry.Envelope())
	case "release":
		c.send(to, c.kept...)
		c.kept = nil
	case "garbage":
		b, code := c.forge.Make(e.Args[1], c.replica, c.now())
		if code != "" {
			c.w.checks.refusals[wire.HashEnvelope(b)] = code
		}
		c.send(to, b)
	}
}

func (c *crook) post(to string, claimed int64) {
	entry := c.write(claimed, c.act())
	c.takeAll(entry)
	c.send(to, entry.Envelopes...)
}

// long is an act that does not fit one envelope.
func (c *crook) long() []byte {
	c.count++
	text := make([]byte, 0, 12000)
	source := source("long" + string(binary.BigEndian.AppendUint64(nil, c.count)))
	for len(text) < cap(text) {
		var b [1]byte
		_, _ = source.Read(b[:]) // never fails
		text = append(text, 'a'+b[0]%26)
	}
	body, err := game.EncodeAct("Dig", map[string]any{"text": string(text)})
	if err != nil {
		c.w.fail("crook", "long act: %v", err)
	}
	return body
}

// wide is an act that is stored as an eighth of its length.
func (c *crook) wide() []byte {
	c.count++
	body, err := game.EncodeAct("Dig", map[string]any{"text": strings.Repeat(fmt.Sprint(c.count, " "), 100<<10/2)})
	if err != nil {
		c.w.fail("crook", "wide act: %v", err)
	}
	return body
}
