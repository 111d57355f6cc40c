package simtest

import (
	"errors"
	"slices"
	"time"

	"peernomic/engine/dice"
	"peernomic/engine/game"
	"peernomic/engine/ledger"
	"peernomic/engine/wire"
)

var errNoMotion = errors.New("nobody has called a convention")

// register counts conventions once more, from the specification (engine/ledger/SPEC.md, section
// 12) and the order of a replica alone, to be held against what the game came to.
type register struct {
	people   map[ledger.IdentityKey]int // who somebody is; a seat that is given away takes its person along
	device   map[ledger.DeviceKey]ledger.IdentityKey
	admitted map[int]bool
	acted    map[int]int64
	ruined   bool
	motions  []*counted
	by       map[ledger.ActionID]int // who did it, as people were then; 0 for nobody
	known    int                     // how many people there are
}

// counted is a motion as it stands.
type counted struct {
	id      ledger.MotionID
	motion  ledger.Motion
	assents map[int]bool
	done    bool
}

// count reads an order, up to a seal; 0 for all of it.
func count(id ledger.GameID, order []ledger.Placement, upTo uint64) *register {
	g := &register{
		people: map[ledger.IdentityKey]int{}, device: map[ledger.DeviceKey]ledger.IdentityKey{},
		admitted: map[int]bool{}, acted: map[int]int64{}, by: map[ledger.ActionID]int{},
	}
	for _, p := range order {
		if upTo > 0 && p.Seal > upTo {
			break
		}
		if p.Void != nil {
			g.takeVoid(p)
			continue
		}
		g.take(id, p)
	}
	return g
}

func (g *register) take(id ledger.GameID, p ledger.Placement) {
	a := p.Action.Action()
	switch a.Kind {
	case ledger.KindGenesis:
		if genesis, err := ledger.DecodeGenesis(p.Body()); err == nil {
			g.enrol(a.Device, genesis.Founder.Identity)
			g.admitted[g.known] = true
		}
	case ledger.KindEnrol:
		if e, err := ledger.DecodeEnrolment(p.Body()); err == nil {
			g.enrol(a.Device, e.Identity)
		}
	case ledger.KindAct, ledger.KindConvention:
	default:
		return
	}
	who := g.people[g.device[a.Device]]
	g.by[p.Action.ID()] = who
	if who == 0 {
		return
	}
	g.acted[who] = p.Time
	switch a.Kind {
	case ledger.KindAct:
		var act game.ActBody
		if wire.Decode(p.Body(), &act) != nil || g.ruined {
			return
		}
		_, long := act.Args["text"] // which no rule takes
		switch {
		case act.Name == "Ruin":
			g.ruined = true
		case act.Name == "Dig" && !long, act.Name == "Mine":
			g.admitted[who] = true
		}
	case ledger.KindConvention:
		if b, err := ledger.DecodeBallot(id, p.Body()); err == nil && g.admitted[who] {
			g.vote(who, b, p.Time)
		}
	}
}

// takeVoid notes whose device it is by a first action that counts for nothing because of the time
// that it claims: it makes nobody known, but the device acts for a person who is.
func (g *register) takeVoid(p ledger.Placement) {
	a := p.Action.Action()
	if a.Kind != ledger.KindEnrol || p.Void.Code == ledger.CodeFork {
		return
	}
	if e, err := ledger.DecodeEnrolment(p.Body()); err == nil {
		g.device[a.Device] = e.Identity
	}
}

func (g *register) enrol(device ledger.DeviceKey, identity ledger.IdentityKey) {
	g.device[device] = identity
	if g.people[identity] == 0 {
		g.known++
		g.people[identity] = g.known
	}
}

// active returns who acted within 30 days before a time, among those who ever were players.
func (g *register) active(time int64) (who []int) {
	for person := range g.admitted {
		if g.acted[person] >= time-30*day {
			who = append(who, person)
		}
	}
	return who
}

func (g *register) vote(who int, b ledger.Ballot, time int64) {
	at := slices.IndexFunc(g.motions, func(m *counted) bool { return m.id == b.ID })
	if at < 0 {
		if b.Motion == nil {
			return
		}
		at = len(g.motions)
		g.motions = append(g.motions, &counted{id: b.ID, motion: *b.Motion, assents: map[int]bool{}})
	}
	m := g.motions[at]
	if m.done {
		return
	}
	m.assents[who] = b.Verb == ledger.VerbAssent
	active, assents := g.active(time), 0
	for _, person := range active {
		if m.assents[person] {
			assents++
		}
	}
	if b.Verb != ledger.VerbAssent || 3*assents <= 2*len(active) {
		return
	}
	m.done = true
	c, ok := game.SeatOf(m.motion)
	if !ok {
		g.ruined = false
		return
	}
	seat, other := g.people[c.From], g.people[c.To]
	if !g.admitted[seat] || g.admitted[other] {
		return // it fails
	}
	g.people[c.From], g.people[c.To] = other, seat
}

// checkConventions holds what a game came to against the count.
func (c *checks) checkConventions(name string, g *game.Game) {
	r := g.Replica()
	if _, ok := r.Genesis(); !ok {
		return
	}
	own := count(r.Game(), r.Placed(), 0)
	motions := g.Motions()
	if len(motions) != len(own.motions) {
		c.w.fail("convention", "%s knows %d conventions, not %d", name, len(motions), len(own.motions))
		return
	}
	for i, m := range motions {
		want := own.motions[i]
		switch {
		case m.ID != want.id:
			c.w.fail("convention", "%s has another convention as number %d", name, i)
		case (m.Status != game.MotionOpen) != want.done:
			c.w.fail("convention", "%s has a convention as %s that is decided: %v", name, m.Status, want.done)
		}
	}
	if ruined, _ := g.World().GameCell("ruined"); ruined != own.ruined {
		c.w.fail("convention", "%s has a game that is ruined: %v, not %v", name, ruined, own.ruined)
	}
	for identity, person := range own.people {
		got, of := g.PersonOf(identity), person
		if got != int64(of) {
			c.w.fail("seat", "%s gives somebody the seat %d, not %d", name, got, of)
		}
	}
	for _, e := range g.Entries() {
		if want, ok := own.by[e.Action]; ok && !e.Tentative && e.Player != int64(want) {
			c.w.fail("actor", "%s says that %s was done by %d, not %d", name, e.Action, e.Player, want)
		}
	}
}

// checkWitnesses checks that no roll waits any more, and that each says honestly whose links went
// into it: of those asked, exactly they came whose action for the roll stands in time.
func (c *checks) checkWitnesses(name string, g *game.Game) {
	if w := g.Waiting(); w != nil {
		c.w.fail("witness", "%s still waits for the witnesses of %s", name, w.Action)
		return
	}
	placed := g.Replica().Placed()
	for i, e := range g.Entries() {
		if e.Tentative || e.Wanted == 0 {
			continue
		}
		if len(e.Witnesses) > e.Wanted || e.Wanted > dice.MaxWitnesses {
			c.w.fail("witness", "%s has %d witnesses of a roll that wants %d", name, len(e.Witnesses), e.Wanted)
		}
		body := dice.WitnessBody{Action: e.Action, Seal: e.SealHash}
		for _, v := range e.Witnesses {
			came := false
			for _, p := range placed[i+1:] {
				a := p.Action.Action()
				came = came || p.Void == nil && a.Device == v.Device && a.Seq == v.Seq && body.Attests(a) && p.Time < e.Time+dice.WitnessTime
			}
			if came != v.Came {
				c.w.fail("witness", "%s says of a witness of %s that it came: %v, not %v", name, e.Action, v.Came, came)
			}
		}
		if len(c.w.relay.chains) == 1 {
			transcript, err := g.Transcript(e.Action)
			if err != nil {
				c.w.fail("transcript", "%s has no proof of the roll %s: %v", name, e.Action, err)
				continue
			}
			if err := dice.VerifyTranscript(transcript).Error(); err != nil {
				c.w.fail("transcript", "%s has a proof of the roll %s that is none: %v", name, e.Action, err)
			}
		}
	}
}

// asked is how often a device had asked for the end of a roll's wait when this was first looked at, in
// one life of its program.
type asked struct {
	roll  ledger.ActionID
	start uint64
	since time.Duration
	had   int
}

// asks checks that a device does not ask for the end of a wait without end, whatever the relay and its
// clock do: what it asks with stays in the game's log. It asks again when it was answered in vain, and then
// ever more seldom.
func (c *checks) asks(name string) {
	d := c.w.devices[name]
	if d.program == nil {
		return
	}
	s := d.program.State()
	self := c.w.hand(name).name
	mine := c.w.hand(name).device.Key()
	own := func(p ledger.Placement) bool {
		a := p.Action.Action()
		return a.Kind == ledger.KindTick && a.Device == mine
	}
	open := 0
	for _, p := range s.Replica.Tentative() {
		if own(p) {
			open++
		}
	}
	if open > 1 {
		c.w.fail("ticks", "%s asks %d times for the end of a wait before it can have been heard", name, open)
	}
	roll := s.Game.Waiting()
	if roll == nil {
		delete(c.asked, self)
		return
	}
	n := open
	for _, p := range s.Replica.Placed() {
		if own(p) {
			n++
		}
	}
	before, ok := c.asked[self]
	if !ok || before.roll != roll.Action || before.start != d.life {
		c.asked[self] = asked{roll: roll.Action, start: d.life, since: c.w.now, had: n}
		return
	}
	if most := 9 + int((c.w.now-before.since)/(4*time.Minute)); n-before.had > most {
		c.w.fail("ticks", "%s has asked %d times for the end of one wait in %s", name, n-before.had, c.w.now-before.since)
	}
}
