package game

import (
	"slices"

	"peernomic/engine/ledger"
	"peernomic/engine/wire"
)

// electorate returns who decides on a change of notary in a replica: the active players at a seal,
// as playing the game up to there shows them.
func electorate(r *ledger.Replica) ledger.Electorate {
	e := &electors{replica: r, known: map[wire.SealHash][]ledger.IdentityKey{}}
	return e.at
}

// electors plays a game once, seal by seal, however many seals are asked for: anybody can call conventions with
// any bases.
type electors struct {
	replica *ledger.Replica
	machine machine // has played the game up to the seal machine.until
	last    wire.SealHash
	known   map[wire.SealHash][]ledger.IdentityKey
}

func (e *electors) at(number uint64) []ledger.IdentityKey {
	seal, ok := e.replica.Seal(number)
	if !ok {
		return nil
	}
	if active, ok := e.known[seal.Hash]; ok {
		return active
	}
	if last, _ := e.replica.Seal(e.machine.until); last.Hash != e.last || e.machine.until >= number {
		e.machine, e.last = machine{}, wire.SealHash{} // another chain
	}
	e.machine.replica = e.replica
	for e.machine.until < number {
		e.playOn()
	}
	return e.known[seal.Hash]
}

// playOn plays the game up to one seal more.
func (e *electors) playOn() {
	before := e.known[e.last]
	m := &e.machine
	m.until++
	seal, _ := e.replica.Seal(m.until)
	placed := m.placed()
	m.catchUp(len(placed))
	e.last = seal.Hash
	active := m.active(seal.Time, placed[len(m.entries):])
	if slices.Equal(active, before) {
		active = before
	}
	e.known[e.last] = active
}

// active returns the identities of who is active, given what waits behind a roll for its witnesses.
func (m *machine) active(time int64, behind []ledger.Placement) (out []ledger.IdentityKey) {
	if m.world == nil {
		return nil
	}
	signed := m.register
	if len(behind) > 0 {
		signed = signed.clone()
	}
	for _, p := range behind {
		signed.sign(m.person(p.Action.Action().Device), p, p.Time)
	}
	people := signed.active(time)
	for _, p := range m.world.Players() {
		if !slices.Contains(people, p.ID) {
			continue
		}
		if key, err := ledger.ParseIdentityKey(p.Key); err == nil {
			out = append(out, key)
		}
	}
	return out
}

// standing brings a motion for a new notary up to what the ledger counts, and returns that while it is open.
// Whether it is decided does not depend on the order, but on the seal with which the new notary begins.
func (g *Game) standing(m *Motion) (ledger.Proof, bool) {
	for _, s := range g.replica.Successions() {
		if s.ID == m.ID {
			m.Status, m.Active, m.Assents = MotionDone, nil, g.people(s.Assents)
			first, _ := g.replica.Seal(m.Base + 1)
			m.DoneAt = first.Time
			return ledger.Proof{}, false
		}
		if s.Motion.Base <= m.Base {
			m.Status = MotionFailed // another went on
		}
	}
	var p ledger.Proof
	ok := m.Status == MotionOpen
	if ok {
		p, ok = g.replica.ProofOf(m.Motion)
	}
	if !ok {
		m.Status, m.Active, m.Assents = MotionFailed, nil, nil
		return p, false
	}
	m.Assents, m.Active = g.people(p.Assents), g.people(g.active(m.Base))
	m.Begun = g.replica.Begun(m.ID)
	m.TooMuch = len(p.Envelopes) > wire.MaxSealEnvelopes
	return p, true
}

// people returns the ids of identities, in ascending order.
func (g *Game) people(ids []ledger.IdentityKey) []int64 {
	var out []int64
	for _, id := range ids {
		if person := g.PersonOf(id); person != 0 {
			out = append(out, person)
		}
	}
	slices.Sort(out)
	return out
}

// Successor returns the new notary that enough active players have signed for, though it has not
// sealed anything yet, with the proof that its first seal needs.
func (g *Game) Successor() (ledger.Proof, bool) {
	var best ledger.Proof
	found := false
	for _, m := range g.seen.view(g.now) {
		if m.Kind != ledger.MotionNotary {
			continue
		}
		if p, open := g.standing(&m); open && !m.Begun && p.Complete() && (!found || p.Motion.Round > best.Motion.Round) {
			best, found = p, true
		}
	}
	return best, found
}
